//! Spawning tasks, and joining them.

use std::any::Any;
use std::cell::RefCell;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::rc::{Rc, Weak};
use std::task::{Context, Poll, Waker};

use pin_project_lite::pin_project;

use crate::core::Core;

/// Starts a task on `core`.
pub(crate) fn spawn_on<F>(core: &Rc<Core>, future: F) -> JoinHandle<F::Output>
where
    F: Future + 'static,
    F::Output: 'static,
{
    let shared = Rc::new(RefCell::new(JoinState::Running(None)));
    let key =
        core.executor.spawn(Box::pin(Spawned { future: Some(future), shared: shared.clone() }));
    JoinHandle { core: Rc::downgrade(core), key, shared }
}

/// The result of a task, as a future. Dropping it detaches the task.
pub struct JoinHandle<T> {
    /// Weak, since the task may own handles of its own loop: a strong reference would be a cycle.
    core: Weak<Core>,
    key: usize,
    shared: Rc<RefCell<JoinState<T>>>,
}

/// A task was aborted or panicked.
#[derive(Debug)]
#[non_exhaustive]
pub enum JoinError {
    /// The task was aborted, or its loop was dropped.
    Aborted,
    /// The task panicked, with this payload.
    Panicked(Box<dyn Any + Send>),
}

impl std::fmt::Display for JoinError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Aborted => "the task was aborted",
            Self::Panicked(_) => "the task panicked",
        })
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
    /// Aborts the task: its future is dropped without being polled again.
    pub fn abort(&self) {
        if let Some(core) = self.core.upgrade().filter(|_| !self.is_finished()) {
            core.executor.abort(self.key);
        }
    }

    /// Whether the task has finished.
    pub fn is_finished(&self) -> bool {
        !matches!(*self.shared.borrow(), JoinState::Running(_))
    }
}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut shared = self.shared.borrow_mut();
        match std::mem::replace(&mut *shared, JoinState::Taken) {
            JoinState::Running(_) => {
                *shared = JoinState::Running(Some(context.waker().clone()));
                Poll::Pending
            }
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
    }

    impl<F: Future> PinnedDrop for Spawned<F> {
        fn drop(this: Pin<&mut Self>) {
            let mut this = this.project();
            if this.future.is_some() {
                this.future.set(None);
                finish(this.shared, Err(JoinError::Aborted));
            }
        }
    }
}

impl<F: Future> Future for Spawned<F> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut this = self.project();
        let Some(future) = this.future.as_mut().as_pin_mut() else { return Poll::Ready(()) };
        // A panic ends the task alone. The join handle returns it.
        let result = match catch_unwind(AssertUnwindSafe(|| future.poll(context))) {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(output)) => Ok(output),
            Err(payload) => Err(JoinError::Panicked(payload)),
        };
        this.future.set(None);
        finish(this.shared, result);
        Poll::Ready(())
    }
}

/// Stores the result and wakes the join handle.
fn finish<T>(shared: &RefCell<JoinState<T>>, result: Result<T, JoinError>) {
    let before = shared.replace(JoinState::Finished(result));
    if let JoinState::Running(Some(waker)) = before {
        waker.wake();
    }
}
