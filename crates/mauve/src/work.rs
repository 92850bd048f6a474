//! Work on the thread pool, with a closure for its end.

use std::sync::{Arc, Mutex, PoisonError};

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
    pub(crate) fn queue_in<T: Send + 'static>(
        &self,
        lane: Lane,
        work: impl FnOnce() -> T + Send + 'static,
        after: impl FnOnce(&mut S, Result<T, WorkError>) + 'static,
    ) -> Result<Work<S>> {
        let job = Arc::new(Job::new(work));
        let task = Task::Share(job.clone());
        let ending = move |state: &mut S, completion: &Completion| {
            after(state, outcome(completion, || job.take()));
        };
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

/// Work for the pool, and then its result, in one piece of memory: the loop's thread allocates it
/// and frees it.
pub(crate) struct Job<F, T>(Mutex<Stage<F, T>>);

enum Stage<F, T> {
    ToDo(F),
    /// Being done, done and taken, or panicked.
    Nothing,
    Done(T),
}

impl<F, T> Job<F, T> {
    pub fn new(work: F) -> Self {
        Self(Mutex::new(Stage::ToDo(work)))
    }
}

impl<T: Send, F: FnOnce() -> T + Send> pool::Work for Job<F, T> {
    fn run(&self) {
        // Nobody else looks before the engine says that this has ended, so the lock is held
        // throughout. If the work panics, nothing is left in here.
        let mut stage = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Stage::ToDo(work) = std::mem::replace(&mut *stage, Stage::Nothing) {
            *stage = Stage::Done(work());
        }
    }
}

/// Something that leaves a result behind, whatever it does for it.
pub(crate) trait Yields<T> {
    /// The result, once.
    fn take(&self) -> Option<T>;
}

impl<F, T> Yields<T> for Job<F, T> {
    fn take(&self) -> Option<T> {
        let mut stage = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match std::mem::replace(&mut *stage, Stage::Nothing) {
            Stage::Done(result) => Some(result),
            Stage::ToDo(_) | Stage::Nothing => None,
        }
    }
}

/// The result of work, once the engine says that it has ended.
pub(crate) fn outcome<T>(
    completion: &Completion,
    take: impl FnOnce() -> Option<T>,
) -> Result<T, WorkError> {
    match completion {
        Completion::Work { result: Err(Errno::ECANCELED), .. } => Err(WorkError::Cancelled),
        _ => take().ok_or(WorkError::Panicked),
    }
}
