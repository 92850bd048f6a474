//! Operations that need no thread of the pool, and wait for their turn all the same.
//!
//! Nobody shall keep the loop for himself who asks for what is there already. So the outcome is
//! awaited: it comes in the loop's next poll phase.

use std::future::Future;
use std::os::fd::RawFd;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use mauve_core::{Completion, RequestId, Token};
use mauve_sys::fs::nowait::Attempt;
use mauve_sys::fs::together::Read;
use mauve_sys::poller::Platform;

use crate::core::{Core, current, future_token};

type Engine = mauve_core::Engine<Platform>;

/// Whether work of the current loop would be begun at once by the pool, so that it may be done here.
pub(super) fn may_work_at_once() -> bool {
    current().engine(|engine| engine.may_work_at_once())
}

/// As [`may_work_at_once`], and there is nothing else that the current loop has to wait for.
pub(super) fn is_alone() -> bool {
    current().engine(|engine| !engine.has_requests() && engine.may_work_at_once())
}

/// Waits for the turn of something that is done already.
pub(super) async fn await_turn() {
    Turn::begin(current(), |engine, token| engine.finish_work(token)).await;
}

/// Has the current loop read what it can without waiting, up to `length` bytes, together with what
/// others want to read. `None` if it cannot do that now: it is just about to run, or other work is waiting
/// for the pool.
pub(super) async fn read_together(
    fd: RawFd,
    offset: u64,
    length: usize,
) -> Option<(Vec<u8>, Attempt)> {
    let core = current();
    if !core.engine(|engine| engine.may_queue_reads()) {
        return None;
    }
    let (read, buffer) = Read::shared(fd, offset, length);
    match Turn::begin(core, |engine, token| engine.queue_read(token, read)).await {
        Completion::Read { outcome, .. } => Some((buffer.take(), outcome.into())),
        _ => None,
    }
}

/// The completion of a request, when it is there.
struct Turn {
    core: Rc<Core>,
    request: RequestId,
    key: usize,
    ended: bool,
}

impl Turn {
    fn begin(core: Rc<Core>, begin: impl FnOnce(&mut Engine, Token) -> RequestId) -> Self {
        let key = core.futures.reserve();
        let request = core.engine(|engine| begin(engine, future_token(key)));
        Self { core, request, key, ended: false }
    }
}

impl Future for Turn {
    type Output = Completion;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Completion> {
        assert!(!self.ended, "polled after it was ready");
        let Some(completion) = self.core.futures.poll(self.key, context) else {
            return Poll::Pending;
        };
        self.ended = true;
        self.core.futures.release(self.key);
        Poll::Ready(completion)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if self.ended {
            return;
        }
        let nobody = Context::from_waker(Waker::noop());
        if self.core.futures.poll(self.key, &nobody).is_some() {
            return self.core.futures.release(self.key);
        }
        self.core.futures.forget(self.key);
        // The file may be closed with the one who wanted to read it. If it is read already, it is
        // too late for this, and no harm is done.
        let _ = self.core.engine(|engine| engine.cancel_work(self.request));
    }
}
