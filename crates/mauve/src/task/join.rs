//! Spawning tasks, and joining them.

use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::rc::{Rc, Weak};
use std::task::{Context, Poll, Waker};

use pin_project_lite::pin_project;

use mauve_core::RequestId;
use mauve_core::unwind::{Payload, catch, contain};

use crate::core::Core;
use crate::panic::PanicPayload;
use crate::trace::{self, TaskSpan};

/// Starts a task on `core`.
#[track_caller]
pub(crate) fn spawn_on<F>(core: &Rc<Core>, future: F) -> JoinHandle<F::Output>
where
    F: Future + 'static,
    F::Output: 'static,
{
    spawn_at(core, Location::caller(), future)
}

/// [`spawn_on`], for a call at `location`.
pub(crate) fn spawn_at<F>(
    core: &Rc<Core>,
    location: &'static Location<'static>,
    future: F,
) -> JoinHandle<F::Output>
where
    F: Future + 'static,
    F::Output: 'static,
{
    let shared = Rc::new(RefCell::new(JoinState::Running(None)));
    let task =
        Spawned { future: Some(future), shared: shared.clone(), span: TaskSpan::task(location) };
    let key = core.executor.spawn(Box::pin(task), location);
    JoinHandle { core: Rc::downgrade(core), key, shared }
}

/// The result of a task, as a future. Dropping it detaches the task.
///
/// # Panics
/// Polling it panics if the task is not finished and another loop runs on this thread, also in a task that
/// awaits it: the loop of the task does not run meanwhile.
pub struct JoinHandle<T> {
    /// Weak, since the task may own handles of its own loop: a strong reference would be a cycle.
    core: Weak<Core>,
    key: usize,
    shared: Rc<RefCell<JoinState<T>>>,
}

/// A task did not complete: it was cancelled, or it panicked.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// let task = mauve::spawn(std::future::pending::<()>());
/// task.abort();
/// let error = task.await.unwrap_err();
/// assert!(error.is_cancelled() && !error.is_panic());
/// # Ok(())
/// # }
/// ```
pub struct JoinError(Option<PanicPayload>);

impl JoinError {
    pub(super) const CANCELLED: Self = Self(None);

    pub(super) fn panic(payload: Payload) -> Self {
        Self(Some(PanicPayload::new(payload)))
    }

    /// Whether the task was aborted, or its loop was dropped.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_none()
    }

    /// Whether the task panicked.
    pub fn is_panic(&self) -> bool {
        self.0.is_some()
    }

    /// The payload of the panic, for [`resume_unwind`](std::panic::resume_unwind).
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// let task = mauve::spawn(async { panic!("out of order") });
    /// let payload = task.await.unwrap_err().into_panic();
    /// assert_eq!(payload.downcast_ref(), Some(&"out of order"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Panics
    /// Panics if the task was cancelled.
    pub fn into_panic(self) -> Box<dyn Any + Send> {
        self.try_into_panic().expect("the task has not panicked")
    }

    /// The payload of the panic, or the error itself if the task was cancelled.
    pub fn try_into_panic(self) -> Result<Box<dyn Any + Send>, Self> {
        match self.0 {
            Some(payload) => Ok(payload.into_inner()),
            None => Err(self),
        }
    }

    fn message(&self) -> Option<String> {
        self.0.as_ref()?.message()
    }
}

impl fmt::Debug for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.message() {
            Some(message) => write!(f, "JoinError::Panic({message:?})"),
            None if self.is_panic() => f.write_str("JoinError::Panic(..)"),
            None => f.write_str("JoinError::Cancelled"),
        }
    }
}

impl fmt::Display for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.message() {
            Some(message) => write!(f, "the task panicked: {message}"),
            None if self.is_panic() => f.write_str("the task panicked"),
            None => f.write_str("the task was cancelled"),
        }
    }
}

impl From<JoinError> for std::io::Error {
    fn from(error: JoinError) -> Self {
        Self::other(error)
    }
}

impl std::error::Error for JoinError {}

/// State shared by a task and its join handle.
enum JoinState<T> {
    Running(Option<Waker>),
    Finished(Result<T, JoinError>),
    Taken,
}

impl<T> JoinHandle<T> {
    /// Aborts the task: the loop drops its future without polling it again. That happens after the
    /// current callback or poll, not in this call.
    pub fn abort(&self) {
        if let Some(core) = self.core.upgrade().filter(|_| !self.is_finished()) {
            core.executor.abort(self.key);
        }
    }

    /// Whether the task has finished.
    pub fn is_finished(&self) -> bool {
        self.shared.is_finished()
    }
}

impl<T: 'static> JoinHandle<T> {
    /// A handle that can abort the task, but does not return its result.
    pub fn abort_handle(&self) -> AbortHandle {
        let target = AbortTarget::Task { key: self.key, status: self.shared.clone() };
        AbortHandle { core: self.core.clone(), target }
    }

    /// Makes the task end with its handle: dropping the returned value aborts it.
    pub fn abort_on_drop(self) -> AbortOnDrop<T> {
        AbortOnDrop(self)
    }
}

/// Aborts a task. Made by [`JoinHandle::abort_handle`], [`BlockingTask::abort_handle`] and
/// [`JoinSet::spawn`](crate::JoinSet::spawn).
///
/// [`BlockingTask::abort_handle`]: crate::BlockingTask::abort_handle
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// let task = mauve::spawn(std::future::pending::<()>());
/// let handle = task.abort_handle();
/// handle.abort();
/// assert!(task.await.unwrap_err().is_cancelled());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct AbortHandle {
    core: Weak<Core>,
    target: AbortTarget,
}

#[derive(Clone)]
enum AbortTarget {
    Task { key: usize, status: Rc<dyn TaskStatus> },
    Work(RequestId),
}

impl AbortHandle {
    pub(super) fn of_work(core: &Rc<Core>, request: RequestId) -> Self {
        Self { core: Rc::downgrade(core), target: AbortTarget::Work(request) }
    }

    /// Aborts the task: the loop drops its future without polling it again. That happens after the
    /// current callback or poll, not in this call. A blocking task is cancelled if no thread has started
    /// it.
    pub fn abort(&self) {
        let Some(core) = self.core.upgrade().filter(|_| !self.is_finished()) else { return };
        match &self.target {
            AbortTarget::Task { key, .. } => core.executor.abort(*key),
            AbortTarget::Work(request) => {
                // The error means that it was started.
                let _ = core.engine_result(|engine| engine.cancel_work(*request));
            }
        }
    }

    /// Whether the task has finished.
    pub fn is_finished(&self) -> bool {
        match &self.target {
            AbortTarget::Task { status, .. } => status.is_finished(),
            AbortTarget::Work(request) => !self.core.upgrade().is_some_and(|core| {
                core.try_engine(|engine| engine.has_request(*request)).unwrap_or(false)
            }),
        }
    }
}

impl fmt::Debug for AbortHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let finished = self.is_finished();
        f.debug_struct("AbortHandle").field("finished", &finished).finish_non_exhaustive()
    }
}

/// The state of a task, whatever its output.
trait TaskStatus {
    fn is_finished(&self) -> bool;
}

impl<T> TaskStatus for RefCell<JoinState<T>> {
    fn is_finished(&self) -> bool {
        !matches!(*self.borrow(), JoinState::Running(_))
    }
}

/// The result of a task that is aborted when this is dropped. Made by
/// [`JoinHandle::abort_on_drop`].
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// use std::rc::Rc;
///
/// let owned = Rc::new(());
/// let clone = owned.clone();
/// let task = mauve::spawn(async move {
///     let _clone = clone;
///     std::future::pending::<()>().await;
/// });
/// drop(task.abort_on_drop());
/// mauve::yield_now().await;
/// assert_eq!(Rc::strong_count(&owned), 1);
/// # Ok(())
/// # }
/// ```
#[must_use = "dropping it aborts the task"]
pub struct AbortOnDrop<T>(JoinHandle<T>);

impl<T> AbortOnDrop<T> {
    /// Aborts the task, as [`JoinHandle::abort`] does.
    pub fn abort(&self) {
        self.0.abort();
    }

    /// Whether the task has finished.
    pub fn is_finished(&self) -> bool {
        self.0.is_finished()
    }
}

impl<T> Future for AbortOnDrop<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(context)
    }
}

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl<T> fmt::Debug for AbortOnDrop<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AbortOnDrop").field(&self.0).finish()
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let finished = self.is_finished();
        f.debug_struct("JoinHandle").field("finished", &finished).finish_non_exhaustive()
    }
}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        // No borrow is held while a waker is cloned or dropped: it is foreign code.
        if let JoinState::Running(waker) = &*self.shared.borrow()
            && waker.as_ref().is_some_and(|waker| waker.will_wake(context.waker()))
        {
            return Poll::Pending;
        }
        if !self.is_finished()
            && let Some(core) = self.core.upgrade()
        {
            core.assert_current("a task");
        }
        let waker = context.waker().clone();
        let mut shared = self.shared.borrow_mut();
        if let JoinState::Running(own) = &mut *shared {
            let before = own.replace(waker);
            drop(shared);
            drop(before);
            return Poll::Pending;
        }
        match std::mem::replace(&mut *shared, JoinState::Taken) {
            JoinState::Running(_) => unreachable!("handled above"),
            JoinState::Finished(result) => Poll::Ready(result),
            JoinState::Taken => panic!("`JoinHandle` polled after completion"),
        }
    }
}

pin_project! {
    /// The future of a task, which stores its output for the join handle.
    struct Spawned<F: Future> {
        #[pin]
        future: Option<F>,
        shared: Rc<RefCell<JoinState<F::Output>>>,
        span: TaskSpan,
    }

    impl<F: Future> PinnedDrop for Spawned<F> {
        fn drop(this: Pin<&mut Self>) {
            let mut this = this.project();
            if this.future.is_some() {
                let _entered = this.span.enter();
                trace::aborted();
                let dropped = catch(|| this.future.set(None));
                let error = dropped.map_or_else(JoinError::panic, |()| JoinError::CANCELLED);
                finish(this.shared, Err(error));
            }
        }
    }
}

impl<F: Future> Future for Spawned<F> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut this = self.project();
        let Some(future) = this.future.as_mut().as_pin_mut() else { return Poll::Ready(()) };
        let _entered = this.span.enter();
        // A panic ends the task alone. The join handle returns it.
        let result = match catch(|| future.poll(context)) {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(output)) => Ok(output),
            Err(payload) => Err(JoinError::panic(payload)),
        };
        let dropped = catch(|| this.future.set(None)).map_err(JoinError::panic);
        let result = result.and_then(|output| dropped.map(|()| output));
        if let Err(error) = &result {
            trace::panicked(error);
        }
        finish(this.shared, result);
        Poll::Ready(())
    }
}

/// Stores the result and wakes the join handle.
fn finish<T>(shared: &RefCell<JoinState<T>>, result: Result<T, JoinError>) {
    let before = shared.replace(JoinState::Finished(result));
    if let JoinState::Running(Some(waker)) = before {
        // Foreign code. Its panic would be that of the loop, and leave the task half ended.
        contain(|| waker.wake());
    }
}
