//! Work on the thread pool, with a closure for its end.

use std::any::Any;
use std::marker::PhantomData;
use std::rc::Rc;

use mauve_core::pool::{self, Lane, Task};
use mauve_core::{Completion, RequestId};
use mauve_sys::{Errno, Result};

use crate::Loop;
use crate::core::{Core, request_token};
use crate::spare::Spare;

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
    core: Rc<Core>,
    request: RequestId,
    state: PhantomData<fn(&mut S)>,
}

impl<S: 'static> Work<S> {
    /// Takes the work back if no thread has begun it; its end is still reported. `EBUSY` if it is
    /// too late.
    #[doc(alias = "uv_cancel")]
    pub fn cancel(&self) -> Result<()> {
        self.core.engine(|engine| engine.cancel_work(self.request))
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
        let ending = move |state: &mut S, lp: &Loop<S>, completion: &Completion| {
            let carried = lp.core.engine(|engine| engine.take_carried());
            let mut work = carried.expect("it was submitted with something to carry");
            let result = Job::<F, T>::result(&mut *work);
            lp.calls.keep_spare(completion, work);
            after(state, result);
        };
        let (key, task) =
            self.calls.expect_work(Box::new(ending), |spare| Job::<F, T>::task(work, spare));
        match self.core.engine(|engine| engine.submit_work(request_token(key), lane, task)) {
            Ok(request) => Ok(Work { core: self.core.clone(), request, state: PhantomData }),
            Err(error) => {
                drop(self.calls.take_ending(key));
                Err(error)
            }
        }
    }
}

/// Work for the pool, and then its result, in one piece of memory: the loop's thread allocates it,
/// and uses it again.
pub(crate) enum Job<F, T> {
    ToDo(F),
    Done(T),
    /// Begun, and not brought to its end: it has panicked. Or its result was taken.
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
    #[inline]
    pub fn task(work: F, spare: &mut Spare) -> Task {
        Task::Carry(match spare.take::<Self>() {
            Some(mut job) => {
                *job = Self::ToDo(work);
                job
            }
            None => Box::new(Self::ToDo(work)),
        })
    }

    /// The result of work that has come back from the pool. Nothing of it stays there.
    #[inline]
    pub fn result(carried: &mut dyn pool::Work) -> Result<T, WorkError> {
        let carried: &mut dyn Any = carried;
        let job = carried.downcast_mut::<Self>().expect("what has come back is what was submitted");
        match std::mem::replace(job, Self::Nothing) {
            Self::Done(result) => Ok(result),
            Self::ToDo(_) => Err(WorkError::Cancelled),
            Self::Nothing => Err(WorkError::Panicked),
        }
    }
}
