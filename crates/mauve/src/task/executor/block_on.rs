//! The future of a `block_on`.

use std::cell::Cell;
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use super::{Executor, RemoteQueue};
use crate::trace::TaskSpan;

/// The executor's part of the `block_on` in progress.
#[derive(Default)]
pub(super) struct BlockOnState {
    /// Whether its future is being polled.
    is_polled: Cell<bool>,
    /// Whether its future has woken itself in its last poll. It is polled in the next iteration.
    has_yielded: Cell<bool>,
}

impl Executor {
    /// Enters a `block_on`. Its future starts out woken.
    #[track_caller]
    pub fn enter_block_on(&self) -> BlockOn<'_> {
        let (remote, location) = (self.remote.clone(), Location::caller());
        let state = Arc::new(BlockOnWaker { remote, woken: AtomicBool::new(true), location });
        self.block_on.replace(Some(state.clone()));
        let span = TaskSpan::block_on(location);
        BlockOn { executor: self, waker: Waker::from(state.clone()), state, span }
    }

    fn end_block_on_poll(&self) {
        self.budget.end();
        self.block_on_state.is_polled.set(false);
    }

    /// Wakes the future of the `block_on`, if it has yielded.
    pub(super) fn resume_block_on(&self) {
        if self.block_on_state.has_yielded.take()
            && let Some(waker) = &*self.block_on.borrow()
        {
            waker.woken.store(true, Ordering::Release);
        }
    }
}

/// A `block_on` in progress. Dropping it leaves the `block_on`.
pub(crate) struct BlockOn<'a> {
    executor: &'a Executor,
    waker: Waker,
    state: Arc<BlockOnWaker>,
    span: TaskSpan,
}

impl BlockOn<'_> {
    /// Polls the future, with a budget.
    pub fn poll<F: Future>(&self, future: Pin<&mut F>) -> Poll<F::Output> {
        self.executor.budget.begin();
        self.executor.block_on_state.is_polled.set(true);
        let _entered = self.span.enter();
        let traced = self.executor.begin_traced(|| self.state.location);
        let poll = future.poll(&mut Context::from_waker(&self.waker));
        mauve_core::trace::end_inner(self.executor.probe, traced);
        self.executor.end_block_on_poll();
        poll
    }

    /// Whether the future is woken.
    pub fn is_woken(&self) -> bool {
        self.state.is_woken()
    }

    /// Whether the future was woken since the last call.
    pub fn take_woken(&self) -> bool {
        // A thread that finds `woken` set relies on the poll that follows. The swap synchronises
        // with it, so that the poll sees what that thread wrote before the wake-up.
        self.is_woken() && self.state.woken.swap(false, Ordering::AcqRel)
    }
}

impl Drop for BlockOn<'_> {
    fn drop(&mut self) {
        self.executor.block_on.replace(None);
        self.executor.block_on_state.has_yielded.set(false);
        // The future may have panicked.
        self.executor.end_block_on_poll();
    }
}

pub(super) struct BlockOnWaker {
    remote: Arc<RemoteQueue>,
    woken: AtomicBool,
    /// Where `block_on` was called.
    pub location: &'static Location<'static>,
}

impl BlockOnWaker {
    pub fn is_woken(&self) -> bool {
        self.woken.load(Ordering::Acquire)
    }
}

impl Wake for BlockOnWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        // The loop's own thread checks the flags before it waits, and needs no notification.
        let local = self.remote.if_local(|executor| {
            let BlockOnState { is_polled, has_yielded } = &executor.block_on_state;
            if is_polled.get() {
                has_yielded.set(true);
                executor.has_yielded.set(true);
            } else {
                self.woken.store(true, Ordering::Release);
            }
        });
        if !local && !self.woken.swap(true, Ordering::AcqRel) {
            self.remote.notify_loop();
        }
    }
}
