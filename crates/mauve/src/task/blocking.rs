//! Work on the thread pool, as a future.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use mauve_core::pool::{Lane, Work};
use mauve_sys::{Errno, Result};

use super::{News, Request};
use crate::core::Core;
use crate::work::{Job, WorkError};

/// The result of work on the pool, when it is there. Dropping it does not stop the work.
#[must_use = "the work is done, but its result is lost, unless this is awaited"]
pub struct Blocking<T> {
    /// Finds the result in the work that has come back, and leaves the rest of it as it was.
    result: fn(&mut dyn Work) -> Result<T, WorkError>,
    state: State,
}

enum State {
    Submitted(Request),
    /// There was no thread for it; `None` once that was told.
    Refused(Option<Errno>),
}

impl<T: Send + 'static> Blocking<T> {
    pub(crate) fn new<F>(core: Rc<Core>, lane: Lane, work: F) -> Self
    where
        F: FnOnce() -> T + Send + 'static,
    {
        let state = match Request::submit(core, lane, |spare| Job::task(work, spare)) {
            Ok(request) => State::Submitted(request),
            Err(error) => State::Refused(Some(error)),
        };
        Self { result: Job::<F, T>::result, state }
    }
}

impl<T> Blocking<T> {
    /// Takes the work back if no thread has begun it: the future then yields
    /// [`WorkError::Cancelled`]. `EBUSY` if it is too late.
    #[doc(alias = "uv_cancel")]
    pub fn cancel(&self) -> Result<()> {
        match &self.state {
            State::Submitted(request) if !request.has_ended() => request.cancel(),
            State::Submitted(_) | State::Refused(_) => Err(Errno::EBUSY),
        }
    }
}

impl<T: Send> Future for Blocking<T> {
    type Output = Result<T, WorkError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Self { result, state } = &mut *self;
        let request = match state {
            State::Submitted(request) => request,
            State::Refused(error) => {
                let error = error.take().expect("polled after it was ready");
                return Poll::Ready(Err(WorkError::NoThread(error)));
            }
        };
        request.poll_end(context).map(|news| {
            let News::Work(mut work) = news else { return Err(WorkError::Panicked) };
            let result = result(&mut *work);
            request.leave(work);
            result
        })
    }
}
