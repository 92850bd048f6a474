//! Work on the thread pool, with a closure for its end.

use std::any::Any;

use mauve_core::pool::{self, Lane, Task};
use mauve_core::{Completion, RequestId};
use mauve_sys::{Errno, Result};

use crate::Loop;
use crate::core::request_token;

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
    pub(crate) fn queue_in<T: Send + 'static, F: FnOnce() -> T + Send + 'static>(
        &self,
        lane: Lane,
        work: F,
        after: impl FnOnce(&mut S, Result<T, WorkError>) + 'static,
    ) -> Result<Work<S>> {
        let ending = move |state: &mut S, lp: &Loop<S>, _: &Completion| {
            let carried = lp.core.engine(|engine| engine.take_carried());
            after(state, Job::<F, T>::result(carried));
        };
        let task = Job::task(work);
        let key = self.calls.expect(Box::new(ending));
        match self.core.engine(|engine| engine.submit_work(request_token(key), lane, task)) {
            Ok(request) => Ok(Work { lp: self.clone(), request }),
            Err(error) => {
                drop(self.calls.take_ending(key));
                Err(error)
            }
        }
    }
}

/// What has come back from the pool.
pub(crate) type Carried = Option<Box<dyn pool::Work>>;

/// Work for the pool, and then its result, in one piece of memory: the loop's thread allocates it
/// and frees it.
pub(crate) enum Job<F, T> {
    ToDo(F),
    Done(T),
    /// Begun, and not brought to its end: it has panicked.
    Nothing,
}

impl<T: Send + 'static, F: FnOnce() -> T + Send + 'static> pool::Work for Job<F, T> {
    fn run(&mut self) {
        if let Self::ToDo(work) = std::mem::replace(self, Self::Nothing) {
            *self = Self::Done(work());
        }
    }
}

impl<T: Send + 'static, F: FnOnce() -> T + Send + 'static> Job<F, T> {
    /// The work, to be handed to the pool.
    pub fn task(work: F) -> Task {
        Task::Carry(Box::new(Self::ToDo(work)))
    }

    /// The result of work that has come back from the pool.
    pub fn result(carried: Carried) -> Result<T, WorkError> {
        let carried: Option<Box<dyn Any>> = carried.map(|work| work as _);
        let job = carried.and_then(|work| work.downcast::<Self>().ok());
        match job.map(|job| *job) {
            Some(Self::Done(result)) => Ok(result),
            Some(Self::ToDo(_)) => Err(WorkError::Cancelled),
            Some(Self::Nothing) | None => Err(WorkError::Panicked),
        }
    }
}
