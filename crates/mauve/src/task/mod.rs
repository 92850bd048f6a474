//! Async/await on the loop.
//!
//! Tasks are polled on the loop's thread. Woken tasks are polled after every callback, so a task
//! observes the effects of one callback before the next runs. A task that yields is polled once per
//! iteration. [`executor`] owns the tasks;
//! [`futures`] delivers completions of the engine to the futures that wait for them.

mod blocking;
mod executor;
mod futures;
mod handle;
mod join;
mod join_set;
mod request;

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use mauve_core::pool::Lane;

pub use blocking::BlockingTask;
pub(crate) use executor::{Executor, TaskKey};
pub(crate) use futures::{Futures, Outcome};
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
/// At most [`thread_pool_size`](crate::thread_pool_size) of them run at a time; the others are
/// queued. They have threads of their own, so file operations do not wait for them.
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
    BlockingTask::new(current(), Lane::Blocking, work)
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
