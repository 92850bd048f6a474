//! Work on the thread pool, with a closure for its end.

use std::sync::{Arc, Mutex, PoisonError};

use mauve_core::pool::{Lane, Task};
use mauve_core::{Completion, RequestId};
use mauve_sys::{Errno, Result};

use crate::Loop;
use crate::core::callback_token;

/// Why work has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkError {
    /// It was cancelled before a thread had begun it.
    Cancelled,
    /// It panicked.
    Panicked,
    /// The system had no thread for it.
    NoThread(Errno),
}

impl std::fmt::Display for WorkError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cancelled => f.write_str("the work was cancelled"),
            Self::Panicked => f.write_str("the work panicked"),
            Self::NoThread(error) => write!(f, "no thread for the work: {error}"),
        }
    }
}

impl std::error::Error for WorkError {}

/// Work that was queued, to cancel it.
#[doc(alias = "uv_work_t")]
pub struct Work<S = ()> {
    lp: Loop<S>,
    request: RequestId,
}

impl<S: 'static> Work<S> {
    /// Takes the work back if no thread has begun it; its end is still reported. `EBUSY` if it is
    /// too late.
    #[doc(alias = "uv_cancel")]
    pub fn cancel(&self) -> Result<()> {
        self.lp.core.engine(|engine| engine.cancel_work(self.request))
    }
}

impl<S: 'static> Loop<S> {
    /// Runs `work` on a thread of the pool, and `after` with its result on the loop's thread.
    ///
    /// ```
    /// use mauve::{Loop, RunMode};
    ///
    /// let lp = Loop::<u64>::new()?;
    /// lp.queue_work(|| (1..=20u64).product(), |total, result| *total = result.unwrap())?;
    /// let mut total = 0;
    /// lp.run_with(&mut total, RunMode::Default)?;
    /// assert_eq!(total, 2_432_902_008_176_640_000);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_queue_work")]
    pub fn queue_work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
        after: impl FnOnce(&mut S, Result<T, WorkError>) + 'static,
    ) -> Result<Work<S>> {
        self.queue_in(Lane::Normal, work, after)
    }

    /// [`queue_work`](Self::queue_work) in one of the pool's lanes.
    pub(crate) fn queue_in<T: Send + 'static>(
        &self,
        lane: Lane,
        work: impl FnOnce() -> T + Send + 'static,
        after: impl FnOnce(&mut S, Result<T, WorkError>) + 'static,
    ) -> Result<Work<S>> {
        let result = Arc::new(Outcome::default());
        let key = self.calls.reserve();
        let task = Task::Run(Box::new(result.clone().filled_by(work)));
        let token = callback_token(key);
        match self.core.engine(|engine| engine.submit_work(token, lane, task)) {
            Ok(request) => {
                let last = move |state: &mut S, _: &Loop<S>, completion| {
                    after(state, result.take(completion));
                };
                self.calls.set_last(key, Box::new(last));
                Ok(Work { lp: self.clone(), request })
            }
            Err(error) => {
                self.calls.free(key);
                Err(error)
            }
        }
    }
}

/// Carries a result from the pool's thread to the loop's.
pub(crate) struct Outcome<T>(Mutex<Option<T>>);

impl<T> Default for Outcome<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T: Send> Outcome<T> {
    /// The work, followed by storing its result here. Nothing is stored if it panics.
    pub fn filled_by(self: Arc<Self>, work: impl FnOnce() -> T + Send) -> impl FnOnce() + Send {
        move || {
            let result = work();
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        }
    }

    /// The result, once the engine says that the work has ended.
    pub fn take(&self, completion: Completion) -> Result<T, WorkError> {
        if let Completion::Work { result: Err(Errno::ECANCELED), .. } = completion {
            return Err(WorkError::Cancelled);
        }
        let result = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        result.ok_or(WorkError::Panicked)
    }
}
