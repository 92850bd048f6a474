//! What stands behind a `uv_loop_t`, and what all loops of the process share.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use mauve_core::Engine;
use mauve_core::pool::Pool;
use mauve_core::wakeups::WakeupQueue;
use mauve_sys::Result;
use mauve_sys::driver::Platform;
use mauve_sys::fork::{self, PerProcess};
use mauve_sys::signal::PipeEnds;
use mauve_sys::waker::Waker;

use crate::cork;
use crate::nested::Runs;

/// The state of one loop. Owned by the `uv_loop_t` that points to it.
pub struct LoopState {
    pub engine: Engine<Platform>,
    /// The calls of `uv_run` that are going on.
    pub runs: Runs,
    /// Dropped last: another thread may use it again from then on.
    channel: UsedChannel,
}

/// What other threads need to reach a loop. Outlives the loop: a thread may still hold a pointer
/// to a closed async handle, and sending through it must find memory that is still a queue.
#[derive(Clone)]
struct Channel {
    waker: Arc<Waker>,
    wakeups: Arc<WakeupQueue>,
}

/// The channel of a loop. When it is dropped, the next loop may have it.
struct UsedChannel(Channel);

/// The channels of closed loops, for the next ones. Never freed. A forked child does not use those
/// of its parent again: the lock may be held there for ever.
static IDLE_CHANNELS: PerProcess<Mutex<Vec<Channel>>> = PerProcess::new();

/// The pool of the process that made the first loop. Set by [`MAKE_POOL`].
static POOL: OnceLock<Pool> = OnceLock::new();
static MAKE_POOL: fork::Once = fork::Once::new();

impl LoopState {
    pub fn new() -> Result<Self> {
        let idle = idle_channels().pop();
        let channel = UsedChannel(idle.unwrap_or_else(|| {
            let waker = Arc::new(Waker::closed());
            Channel { wakeups: Arc::new(WakeupQueue::new(waker.clone())), waker }
        }));
        let driver = Platform::with_waker(channel.0.waker.clone())?;
        // As in libuv, signal handles need no descriptors later.
        let signal_pipe = PipeEnds::open()?;
        let mut engine = Engine::with_wakeups(driver, pool(), channel.0.wakeups.clone());
        engine.set_describe(crate::why::describe);
        engine.set_signal_pipe(signal_pipe);
        cork::configure();
        Ok(Self { engine, runs: Runs::default(), channel })
    }
}

impl LoopState {
    /// What ends the loop's waits from any thread. Never freed.
    pub fn waker(&self) -> *const Waker {
        Arc::as_ptr(&self.channel.0.waker)
    }
}

impl Drop for UsedChannel {
    fn drop(&mut self) {
        // The driver, which was dropped before, has closed the waker's descriptor. A sender that is
        // too late finds its handle closed.
        idle_channels().push(self.0.clone());
    }
}

fn idle_channels() -> MutexGuard<'static, Vec<Channel>> {
    let channels = IDLE_CHANNELS.get_or_init(Mutex::default);
    channels.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The pool of this process.
pub fn pool() -> Pool {
    // A child that is forked while another thread sets the cell would wait for that thread.
    MAKE_POOL.call_once(|| drop(POOL.set(Pool::default())));
    POOL.get().expect("the pool is made").of_this_process()
}

/// Ends the pool's threads, if there is a pool. It starts again with the next work.
pub fn shut_down_pool() {
    if let Some(pool) = POOL.get() {
        pool.of_this_process().shut_down();
    }
}
