//! Spawning tasks, and waiting for their results.

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
    let shared = Rc::new(RefCell::new(Shared::Running(None)));
    let key = core.executor.add(Box::pin(Spawned { future: Some(future), shared: shared.clone() }));
    JoinHandle { core: Rc::downgrade(core), key, shared }
}

/// Waits for the result of a task. Dropping it leaves the task alone.
pub struct JoinHandle<T> {
    /// The task may hold handles of its own loop, so this must not keep the loop.
    core: Weak<Core>,
    key: usize,
    shared: Rc<RefCell<Shared<T>>>,
}

/// Why a task has no result.
#[derive(Debug)]
pub enum JoinError {
    /// It was aborted, or its loop is gone.
    Aborted,
    /// It panicked, with this payload.
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

/// What a task and its join handle share.
enum Shared<T> {
    Running(Option<Waker>),
    Ended(Result<T, JoinError>),
    Taken,
}

impl<T> JoinHandle<T> {
    /// Ends the task where it is: its future is dropped.
    pub fn abort(&self) {
        if let Some(core) = self.core.upgrade().filter(|_| !self.is_finished()) {
            core.executor.abort(self.key);
        }
    }

    /// Whether the task has ended.
    pub fn is_finished(&self) -> bool {
        !matches!(*self.shared.borrow(), Shared::Running(_))
    }
}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut shared = self.shared.borrow_mut();
        match std::mem::replace(&mut *shared, Shared::Taken) {
            Shared::Running(_) => {
                *shared = Shared::Running(Some(context.waker().clone()));
                Poll::Pending
            }
            Shared::Ended(result) => Poll::Ready(result),
            Shared::Taken => panic!("polled after it was ready"),
        }
    }
}

pin_project! {
    /// A task: the future, and where its result goes.
    struct Spawned<F: Future> {
        #[pin]
        future: Option<F>,
        shared: Rc<RefCell<Shared<F::Output>>>,
    }

    impl<F: Future> PinnedDrop for Spawned<F> {
        fn drop(this: Pin<&mut Self>) {
            let mut this = this.project();
            if this.future.is_some() {
                this.future.set(None);
                end(this.shared, Err(JoinError::Aborted));
            }
        }
    }
}

impl<F: Future> Future for Spawned<F> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut this = self.project();
        let Some(future) = this.future.as_mut().as_pin_mut() else { return Poll::Ready(()) };
        // A panic ends the task, and is the join handle's business.
        let result = match catch_unwind(AssertUnwindSafe(|| future.poll(context))) {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(output)) => Ok(output),
            Err(payload) => Err(JoinError::Panicked(payload)),
        };
        this.future.set(None);
        end(this.shared, result);
        Poll::Ready(())
    }
}

fn end<T>(shared: &RefCell<Shared<T>>, result: Result<T, JoinError>) {
    let before = shared.replace(Shared::Ended(result));
    if let Shared::Running(Some(waker)) = before {
        waker.wake();
    }
}
