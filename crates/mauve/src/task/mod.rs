//! Async/await on the loop.
//!
//! Tasks are polled on the loop's thread: woken ones after every callback, so a task sees what a
//! callback did before the next callback runs. [`executor`] keeps the tasks, [`futures`] leads
//! completions of the engine to the futures that wait for them.

mod blocking;
mod executor;
mod futures;
mod join;
mod request;
mod sleep;

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use mauve_core::pool::Lane;

pub use blocking::Blocking;
pub(crate) use executor::{Executor, TaskKey};
pub(crate) use futures::{Futures, News};
pub(crate) use join::spawn_on;
pub use join::{JoinError, JoinHandle};
pub(crate) use request::Request;
pub use sleep::{Elapsed, Sleep, Timeout};

use crate::core::current;

/// Starts a task on the loop that runs on this thread. See [`Loop::spawn`](crate::Loop::spawn).
///
/// # Panics
/// Outside of a running loop, as all functions of this module.
pub fn spawn<F>(future: F) -> JoinHandle<F::Output>
where
    F: Future + 'static,
    F::Output: 'static,
{
    spawn_on(&current(), future)
}

/// A future that is ready after `duration`.
pub fn sleep(duration: Duration) -> Sleep {
    Sleep::new(current(), duration)
}

/// Gives `future` so much time; after that it is dropped.
pub fn timeout<F: Future>(duration: Duration, future: F) -> Timeout<F> {
    Timeout::new(current(), duration, future)
}

/// Runs `work` on a thread of the pool; the future has its result.
pub fn spawn_blocking<T, F>(work: F) -> Blocking<T>
where
    T: Send + 'static,
    F: FnOnce() -> T + Send + 'static,
{
    Blocking::new(current(), Lane::Normal, work)
}

/// Lets the loop and the other tasks go on before this one does.
pub fn yield_now() -> YieldNow {
    YieldNow { yielded: false }
}

/// See [`yield_now`].
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
