//! Work on the thread pool, with a completion callback.

use std::any::Any;
use std::marker::PhantomData;
use std::panic::Location;
use std::rc::Rc;

use mauve_core::pool::{self, Lane, Task};
use mauve_core::trace::CallbackName;
use mauve_core::unwind::{Payload, catch};
use mauve_core::{Engine, RequestId};
use mauve_sys::driver::Platform;
use mauve_sys::{Errno, Result};

use crate::LoopRef;
use crate::core::Core;
use crate::panic::PanicPayload;
use crate::targets::{self, BoxCache, Report};

/// Work on the pool did not return a result.
#[derive(Debug)]
#[non_exhaustive]
pub enum WorkError {
    /// The work was cancelled before a thread started it.
    Cancelled,
    /// The work panicked.
    Panicked(PanicPayload),
    /// No thread could be started.
    NoThread(Errno),
}

impl std::fmt::Display for WorkError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cancelled => f.write_str("the work was cancelled"),
            Self::Panicked(payload) => match payload.message() {
                Some(message) => write!(f, "the work panicked: {message}"),
                None => f.write_str("the work panicked"),
            },
            Self::NoThread(error) => write!(f, "no thread could be started: {error}"),
        }
    }
}

impl std::error::Error for WorkError {}

/// No panic equals another one.
impl PartialEq for WorkError {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Cancelled, Self::Cancelled) => true,
            (Self::NoThread(one), Self::NoThread(other)) => one == other,
            _ => false,
        }
    }
}

impl From<WorkError> for std::io::Error {
    fn from(error: WorkError) -> Self {
        match error {
            WorkError::NoThread(error) => error.into(),
            WorkError::Cancelled | WorkError::Panicked(_) => Self::other(error),
        }
    }
}

/// A request on the thread pool that can be cancelled. Dropping it does not stop the work.
///
/// ```
/// use mauve::{Loop, RunMode, WorkError};
///
/// let lp: Loop = Loop::new()?;
/// let request = lp.queue_work(|| 6 * 7, |_, result| match result {
///     Ok(product) => assert_eq!(product, 42),
///     Err(error) => assert_eq!(error, WorkError::Cancelled),
/// })?;
/// // `EBUSY` if a thread has started it already.
/// let _ = request.cancel();
/// lp.run(RunMode::Default)?;
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_work_t")]
pub struct WorkRequest<S = ()> {
    core: Rc<Core>,
    request: RequestId,
    state: PhantomData<fn(&mut S)>,
}

impl<S> std::fmt::Debug for WorkRequest<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WorkRequest").field("id", &self.request).finish_non_exhaustive()
    }
}

impl<S: 'static> WorkRequest<S> {
    /// Cancels the work if no thread has started it. Its callback still runs, with
    /// [`WorkError::Cancelled`]. `EBUSY` if the work was started.
    #[doc(alias = "uv_cancel")]
    pub fn cancel(&self) -> Result<()> {
        self.core.engine_result(|engine| engine.cancel_work(self.request))
    }
}

impl<S: 'static> LoopRef<S> {
    /// Runs `work` on a thread of the pool, then `after` with its result on the loop's thread.
    #[doc(alias = "uv_queue_work")]
    #[track_caller]
    pub fn queue_work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
        after: impl FnOnce(&mut S, Result<T, WorkError>) + 'static,
    ) -> Result<WorkRequest<S>> {
        self.queue_work_in(Lane::Normal, work, after)
    }

    /// [`queue_work`](Self::queue_work) in a given lane of the pool.
    #[track_caller]
    pub(crate) fn queue_work_in<T: Send + 'static, F: FnOnce() -> T + Send + 'static>(
        &self,
        lane: Lane,
        work: F,
        after: impl FnOnce(&mut S, Result<T, WorkError>) + 'static,
    ) -> Result<WorkRequest<S>> {
        let callback = move |state: &mut S, core: &Rc<Core>, _: Report<'_>| {
            let returned = core.engine(|engine| engine.take_carried());
            let mut work = returned.expect("work was submitted as `Task::Carry`");
            let result = WorkCell::<F, T>::take_result(&mut *work);
            core.targets.cache_work(work);
            after(state, result);
        };
        let task = self.core.targets.make_task(|cache| WorkCell::<F, T>::task(work, cache));
        let key = self.core.targets.insert_request(callback);
        self.submit_work(lane, key, task, Location::caller())
    }

    /// Submits a task. A function of its own, so that it is compiled once and not for each closure.
    fn submit_work(
        &self,
        lane: Lane,
        key: usize,
        task: Task,
        location: &'static Location<'static>,
    ) -> Result<WorkRequest<S>> {
        let submit = |engine: &mut Engine<Platform>| {
            let request = engine.submit_work(targets::token(key), lane, task)?;
            engine.trace_job_name(request, || CallbackName::Location(location));
            Ok(request)
        };
        match self.core.engine_result(submit) {
            Ok(request) => Ok(WorkRequest { core: self.core.clone(), request, state: PhantomData }),
            Err(error) => {
                self.core.targets.remove(key);
                Err(error)
            }
        }
    }
}

/// Work for the pool, and later its result, in one allocation. The loop's thread allocates it and
/// reuses it.
pub(crate) enum WorkCell<F, T> {
    Queued(F),
    Finished(T),
    Panicked(Payload),
    /// The result was taken.
    Empty,
}

impl<T: Send + 'static, F: FnOnce() -> T + Send + 'static> pool::Work for WorkCell<F, T> {
    fn run(&mut self) {
        if let Self::Queued(work) = std::mem::replace(self, Self::Empty) {
            *self = match catch(work) {
                Ok(result) => Self::Finished(result),
                Err(payload) => Self::Panicked(payload),
            };
        }
    }
}

impl<T: Send + 'static, F: FnOnce() -> T + Send + 'static> WorkCell<F, T> {
    /// Makes a task for the pool, in the cached box if its type fits.
    #[inline]
    pub fn task(work: F, cache: &mut BoxCache) -> Task {
        Task::Carry(match cache.take::<Self>() {
            Some(mut cell) => {
                *cell = Self::Queued(work);
                cell
            }
            None => Box::new(Self::Queued(work)),
        })
    }

    /// Takes the result out of work that returned from the pool, and leaves the cell empty.
    #[inline]
    pub fn take_result(returned: &mut dyn pool::Work) -> Result<T, WorkError> {
        let returned: &mut dyn Any = returned;
        let cell = returned.downcast_mut::<Self>().expect("the pool returns what was submitted");
        match std::mem::replace(cell, Self::Empty) {
            Self::Finished(result) => Ok(result),
            Self::Queued(_) => Err(WorkError::Cancelled),
            Self::Panicked(payload) => Err(WorkError::Panicked(PanicPayload::new(payload))),
            Self::Empty => unreachable!("the result is taken once"),
        }
    }
}
