//! Work on the thread pool, as a future.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use mauve_core::RequestId;
use mauve_core::pool::Lane;
use mauve_sys::{Errno, Result};

use crate::core::{Core, future_token};
use crate::work::{Carried, Job, WorkError};

/// The result of work on the pool, when it is there. Dropping it does not stop the work.
#[must_use = "the work is done, but its result is lost, unless this is awaited"]
pub struct Blocking<T> {
    core: Rc<Core>,
    /// Finds the result in the work that has come back.
    result: fn(Carried) -> Result<T, WorkError>,
    state: State,
}

#[derive(Clone, Copy)]
enum State {
    Submitted(RequestId, usize),
    Refused(Errno),
    Ended,
}

impl<T: Send + 'static> Blocking<T> {
    pub(crate) fn new<F>(core: Rc<Core>, lane: Lane, work: F) -> Self
    where
        F: FnOnce() -> T + Send + 'static,
    {
        let key = core.futures.reserve();
        let task = Job::task(work);
        let submitted = core.engine(|engine| engine.submit_work(future_token(key), lane, task));
        let state = match submitted {
            Ok(request) => State::Submitted(request, key),
            Err(error) => {
                core.futures.release(key);
                State::Refused(error)
            }
        };
        Self { core, result: Job::<F, T>::result, state }
    }
}

impl<T> Blocking<T> {
    /// Takes the work back if no thread has begun it: the future then yields
    /// [`WorkError::Cancelled`]. `EBUSY` if it is too late.
    #[doc(alias = "uv_cancel")]
    pub fn cancel(&self) -> Result<()> {
        match self.state {
            State::Submitted(request, _) => self.core.engine(|engine| engine.cancel_work(request)),
            State::Refused(_) | State::Ended => Err(Errno::EBUSY),
        }
    }
}

impl<T: Send> Future for Blocking<T> {
    type Output = Result<T, WorkError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match self.state {
            State::Submitted(_, key) => {
                if self.core.futures.poll(key, context).is_none() {
                    return Poll::Pending;
                }
                self.state = State::Ended;
                Poll::Ready((self.result)(self.core.futures.take(key)))
            }
            State::Refused(error) => {
                self.state = State::Ended;
                Poll::Ready(Err(WorkError::NoThread(error)))
            }
            State::Ended => panic!("polled after it was ready"),
        }
    }
}

impl<T> Drop for Blocking<T> {
    fn drop(&mut self) {
        if let State::Submitted(_, key) = self.state {
            self.core.futures.forget(key);
        }
    }
}
