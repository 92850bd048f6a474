//! Work on the thread pool, as a future.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use mauve_core::pool::{Lane, Work};
use mauve_sys::{Errno, Result};

use super::{AbortHandle, Request};
use crate::core::Core;
use crate::targets::Outcome;
use crate::trace;
use crate::work::{WorkCell, WorkError};

/// The result of [`spawn_blocking`](crate::spawn_blocking), as a future. Dropping it does not stop
/// the work.
#[must_use = "the work runs, but its result is lost unless this is awaited"]
pub struct BlockingTask<T> {
    /// Takes the result out of the finished work, whose closure type is erased here.
    take_result: fn(&mut dyn Work) -> Result<T, WorkError>,
    state: BlockingState,
}

enum BlockingState {
    Submitted(Request),
    /// No thread could be started. `None` once the error was returned.
    Failed(Option<Errno>),
}

impl<T: Send + 'static> BlockingTask<T> {
    pub(crate) fn new<F>(core: Rc<Core>, lane: Lane, work: F) -> Self
    where
        F: FnOnce() -> T + Send + 'static,
    {
        Self::submit(core, lane, trace::blocking(work))
    }

    /// Runs `work` in the lane of blocking jobs, and counts it while it runs.
    pub(crate) fn spawn<F>(core: Rc<Core>, work: F) -> Self
    where
        F: FnOnce() -> T + Send + 'static,
    {
        let jobs = core.jobs.clone();
        let counted = move || {
            let _running = jobs.enter();
            work()
        };
        Self::new(core, Lane::Blocking, counted)
    }

    fn submit<F>(core: Rc<Core>, lane: Lane, work: F) -> Self
    where
        F: FnOnce() -> T + Send + 'static,
    {
        let state = match Request::submit(core, lane, |cache| WorkCell::task(work, cache)) {
            Ok(request) => BlockingState::Submitted(request),
            Err(error) => BlockingState::Failed(Some(error)),
        };
        Self { take_result: WorkCell::<F, T>::take_result, state }
    }
}

impl<T> BlockingTask<T> {
    /// Cancels the work if no thread has started it. The future then returns
    /// [`WorkError::Cancelled`]. `EBUSY` if the work was started.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// let task = mauve::spawn_blocking(|| 7);
    /// match task.cancel() {
    ///     Ok(()) => assert!(task.await.is_err()),
    ///     // A thread has started it already.
    ///     Err(_busy) => assert_eq!(task.await?, 7),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "uv_cancel")]
    pub fn cancel(&self) -> io::Result<()> {
        match &self.state {
            BlockingState::Submitted(request) if !request.is_completed() => Ok(request.cancel()?),
            BlockingState::Submitted(_) | BlockingState::Failed(_) => Err(Errno::EBUSY.into()),
        }
    }
}

impl<T> BlockingTask<T> {
    /// A handle that can [cancel](Self::cancel) the work. `None` if no thread could be started.
    pub fn abort_handle(&self) -> Option<AbortHandle> {
        match &self.state {
            BlockingState::Submitted(request) => Some(request.abort_handle()),
            BlockingState::Failed(_) => None,
        }
    }
}

impl<T> std::fmt::Debug for BlockingTask<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BlockingTask").finish_non_exhaustive()
    }
}

impl<T: Send> Future for BlockingTask<T> {
    type Output = Result<T, WorkError>;

    /// # Panics
    /// Panics if the work is not finished and another loop runs on this thread: its task would wait for
    /// ever.
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Self { take_result, state } = &mut *self;
        let request = match state {
            BlockingState::Submitted(request) => request,
            BlockingState::Failed(error) => {
                let error = error.take().expect("`BlockingTask` polled after completion");
                return Poll::Ready(Err(WorkError::NoThread(error)));
            }
        };
        request.poll_outcome(context).map(|outcome| {
            let mut work = match outcome {
                Outcome::Work(work) => work,
                Outcome::LoopClosed => return Err(WorkError::Cancelled),
                _ => unreachable!("the pool returns what was submitted"),
            };
            let result = take_result(&mut *work);
            request.recycle(work);
            result
        })
    }
}
