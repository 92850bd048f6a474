//! The state of a `uv_loop_t`, and the state that all loops of the process share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mauve_core::Engine;
use mauve_core::pool::Pool;
use mauve_core::wakeups::WakeupQueue;
use mauve_sys::Result;
use mauve_sys::driver::Platform;
use mauve_sys::fork::PerProcess;
use mauve_sys::signal::PipeEnds;
use mauve_sys::waker::Waker;

use crate::nested::Runs;

/// The state of one loop. Owned by the `uv_loop_t` that points to it.
pub struct LoopState {
    pub engine: Engine<Platform>,
    /// The active calls of `uv_run`.
    pub runs: Runs,
    /// Dropped last: another thread may reuse it afterwards.
    channel: UsedChannel,
}

/// What other threads need to wake a loop. It outlives the loop: a thread may still hold a pointer
/// to a closed async handle, and a send through it must find a valid queue.
#[derive(Clone)]
struct Channel {
    waker: Arc<Waker>,
    wakeups: Arc<WakeupQueue>,
}

/// The channel of a loop. Dropping it makes it available to other loops.
struct UsedChannel(Channel);

/// The channels of closed loops, reused by new loops. Never freed. A forked child does not reuse
/// those of its parent, because another thread of the parent may hold the lock.
static IDLE_CHANNELS: PerProcess<Mutex<Vec<Channel>>> = PerProcess::new();

/// See [`spare_signal_pipe`]. A forked child does not use that of its parent.
static SPARE_SIGNAL_PIPE: PerProcess<Mutex<Option<PipeEnds>>> = PerProcess::new();

impl LoopState {
    /// Threads of programs may have small stacks. So the box is allocated first, and built in place.
    pub fn new() -> Result<Box<Self>> {
        mauve_trace::install();
        let idle = idle_channels().pop();
        let channel = UsedChannel(idle.unwrap_or_else(|| {
            let waker = Arc::new(Waker::closed());
            Channel { wakeups: Arc::new(WakeupQueue::new(waker.clone())), waker }
        }));
        let driver = Platform::with_waker(channel.0.waker.clone())?;
        // Opened with the loop, as in libuv, so that signal handles need no descriptors later.
        let spare = spare_signal_pipe().take();
        let signal_pipe = spare.map_or_else(PipeEnds::open, Ok)?;
        let wakeups = channel.0.wakeups.clone();
        let mut state = Box::write(
            Box::new_uninit(),
            Self {
                engine: Engine::with_wakeups(driver, Pool::of_process(), wakeups),
                runs: Runs::default(),
                channel,
            },
        );
        let engine = &mut state.engine;
        engine.set_describe(crate::describe::describe);
        engine.set_callback_names(Box::new(crate::callback_names::name_of));
        // Other threads may call into the loop later.
        mauve_sys::fence::prepare();
        engine.set_signal_pipe(signal_pipe);
        engine.keep_standard_descriptors();
        Ok(state)
    }
}

impl LoopState {
    /// The waker of the loop, which any thread may use. Never freed.
    pub fn waker(&self) -> *const Waker {
        Arc::as_ptr(&self.channel.0.waker)
    }
}

impl Drop for LoopState {
    fn drop(&mut self) {
        if let Some(ends) = self.engine.take_signal_pipe() {
            spare_signal_pipe().get_or_insert(ends);
        }
    }
}

impl Drop for UsedChannel {
    fn drop(&mut self) {
        // The driver was dropped before, and has closed the descriptor of the waker. A late sender
        // finds its handle closed.
        idle_channels().push(self.0.clone());
    }
}

/// The signal pipe that a closed loop has not used. Opening one takes half as long as all the rest of
/// `uv_loop_init`. libuv keeps two descriptors for signals, too, when its loops are closed.
fn spare_signal_pipe() -> MutexGuard<'static, Option<PipeEnds>> {
    let spare = SPARE_SIGNAL_PIPE.get_or_init(Mutex::default);
    spare.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Closes what is kept for the next loop.
pub fn close_spare_signal_pipe() {
    if let Some(spare) = SPARE_SIGNAL_PIPE.get() {
        drop(spare.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

fn idle_channels() -> MutexGuard<'static, Vec<Channel>> {
    let channels = IDLE_CHANNELS.get_or_init(Mutex::default);
    channels.lock().unwrap_or_else(PoisonError::into_inner)
}
