//! Async/await on the loop.
//!
//! Tasks are polled on the loop's thread. Woken tasks are polled after every callback, so a task
//! observes the effects of one callback before the next runs. A task that yields is polled once per
//! iteration. [`executor`] owns the tasks.

mod blocking;
mod coop;
mod executor;
mod handle;
mod join;
mod join_set;
mod request;

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

pub use blocking::BlockingTask;
pub use coop::{Cooperative, consume_budget, cooperative};
pub(crate) use executor::{Executor, RemoteQueue, TaskKey};
pub use handle::{LoopHandle, RemoteJoinHandle};
pub use join::{AbortHandle, AbortOnDrop, JoinError, JoinHandle};
pub(crate) use join::{spawn_at, spawn_on};
pub use join_set::JoinSet;
pub(crate) use request::Request;

use crate::core::current;

/// Spawns a task on the loop that runs on this thread. See
/// [`LoopRef::spawn`](crate::LoopRef::spawn).
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// # use std::rc::Rc;
/// let shared = Rc::new(6);
/// let task = mauve::spawn(async move { *shared * 7 });
/// assert_eq!(task.await?, 42);
/// # Ok(())
/// # }
/// ```
///
/// # Limits
/// A poll of a task completes at most 128 operations of this crate: reads, writes, datagrams, accepted
/// connections. Then these operations wait, so that the task yields to the loop, which runs due timers and
/// other tasks. A task that wakes itself is polled once per iteration.
///
/// The loop cannot end a poll from outside. What is always ready and belongs to another crate, such as a
/// channel that other threads fill, is not counted: a task that drains it runs until it is empty, and no
/// other task, timer or socket is served meanwhile. [`cooperative`] counts such an operation, and
/// [`consume_budget`] counts one in a loop without any. Then the limit holds for them, too.
///
/// # Panics
/// Panics if no loop runs on this thread.
#[track_caller]
pub fn spawn<F>(future: F) -> JoinHandle<F::Output>
where
    F: Future + 'static,
    F::Output: 'static,
{
    spawn_on(&current(), future)
}

/// Runs `work` on a thread of the pool. The future returns its result.
///
/// At most 512 of them run at a time, or as many as [`LoopBuilder::blocking_threads`] sets; the others are
/// queued. They have threads of their own, so file operations do not wait for them. Threads above
/// [`thread_pool_size`](crate::thread_pool_size) are started when jobs are queued for a millisecond: each
/// time as many as there are. A program with `#[mauve::main]` waits at its end for the jobs that run.
///
/// [`LoopBuilder::blocking_threads`]: crate::LoopBuilder::blocking_threads
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// let total = mauve::spawn_blocking(|| (1..=20u64).product::<u64>()).await?;
/// assert_eq!(total, 2_432_902_008_176_640_000);
/// # Ok(())
/// # }
/// ```
///
/// # Panics
/// Panics if no loop runs on this thread.
pub fn spawn_blocking<T, F>(work: F) -> BlockingTask<T>
where
    T: Send + 'static,
    F: FnOnce() -> T + Send + 'static,
{
    BlockingTask::spawn(current(), work)
}

/// Yields to the loop and its other tasks once.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// # use std::cell::Cell;
/// # use std::rc::Rc;
/// let ran = Rc::new(Cell::new(false));
/// let flag = ran.clone();
/// mauve::spawn(async move { flag.set(true) });
/// assert!(!ran.get());
/// mauve::yield_now().await;
/// assert!(ran.get());
/// # Ok(())
/// # }
/// ```
pub fn yield_now() -> YieldNow {
    YieldNow { yielded: false }
}

/// The future of [`yield_now`].
#[derive(Debug)]
#[must_use = "futures do nothing unless they are awaited"]
pub struct YieldNow {
    yielded: bool,
}

impl Future for YieldNow {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.yielded, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }
}
