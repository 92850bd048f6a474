//! A request of the engine, as a future.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use mauve_core::pool::{Lane, Task, Work};
use mauve_core::{Engine, RequestId};
use mauve_sys::Result;
use mauve_sys::driver::Platform;
use mauve_sys::fs::read_batch::FileRead;

use super::AbortHandle;
use crate::core::Core;
use crate::targets::{self, BoxCache, Outcome};

/// Waits for the completion of a request.
pub(crate) struct Request {
    core: Rc<Core>,
    id: RequestId,
    key: usize,
    state: RequestState,
}

/// The state of a request, which decides what dropping it does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RequestState {
    /// The operation runs to its end.
    Detachable,
    /// A read: it is cancelled, or its buffer is discarded.
    Read,
    /// The completion was delivered. Dropping does nothing.
    Completed,
}

impl Request {
    /// Performs an operation that does not block, if a thread of the pool would start it at once.
    /// The operation returns whether it succeeded; otherwise there is no request.
    pub fn attempt(core: Rc<Core>, operation: impl FnOnce() -> bool) -> Option<Self> {
        let key = core.targets.insert_future();
        let attempt =
            |engine: &mut Engine<Platform>| engine.attempt_work(targets::token(key), operation);
        match core.engine(attempt) {
            Some(id) => Some(Self { core, id, key, state: RequestState::Detachable }),
            None => {
                core.targets.remove(key);
                None
            }
        }
    }

    /// Reads from a file. Dropping the request cancels the read.
    #[inline]
    pub fn read(core: Rc<Core>, read: FileRead) -> Result<Self> {
        let key = core.targets.insert_future();
        let submitted = core.engine(|engine| engine.submit_read(targets::token(key), read));
        Self::submitted(core, key, submitted, RequestState::Read)
    }

    /// Submits work to the pool. `make` may reuse the allocation of earlier work.
    pub fn submit(
        core: Rc<Core>,
        lane: Lane,
        make: impl FnOnce(&mut BoxCache) -> Task,
    ) -> Result<Self> {
        let task = core.targets.make_task(make);
        let key = core.targets.insert_future();
        let submit =
            |engine: &mut Engine<Platform>| engine.submit_work(targets::token(key), lane, task);
        let submitted = core.engine_result(submit);
        Self::submitted(core, key, submitted, RequestState::Detachable)
    }

    /// The request, if it was submitted.
    #[inline]
    fn submitted(
        core: Rc<Core>,
        key: usize,
        submitted: Result<RequestId>,
        state: RequestState,
    ) -> Result<Self> {
        match submitted {
            Ok(id) => Ok(Self { core, id, key, state }),
            Err(error) => {
                core.targets.remove(key);
                Err(error)
            }
        }
    }

    /// Cancels the request if no thread has started it. Its completion is still delivered. `EBUSY`
    /// if it was started.
    pub fn cancel(&self) -> Result<()> {
        self.core.engine_result(|engine| engine.cancel_work(self.id))
    }

    /// A handle that cancels the request.
    pub fn abort_handle(&self) -> AbortHandle {
        AbortHandle::of_work(&self.core, self.id)
    }

    /// Whether the completion was delivered.
    pub fn is_completed(&self) -> bool {
        self.state == RequestState::Completed
    }

    /// Takes the buffer of a finished read.
    #[inline]
    pub fn take_read(&self) -> Option<Vec<u8>> {
        self.core.try_engine(|engine| engine.take_read(self.id)).flatten()
    }

    /// Caches the allocation of finished work, after its result was taken.
    pub fn recycle(&self, work: Box<dyn Work>) {
        debug_assert!(self.is_completed(), "work in flight cannot be recycled");
        self.core.targets.cache_work(work);
    }

    /// Polls for the outcome by reference, so that the caller can use the request afterwards.
    #[inline(always)] // Copying an outcome that was just written causes a store-forwarding stall.
    pub fn poll_outcome(&mut self, context: &Context<'_>) -> Poll<Outcome> {
        assert!(!self.is_completed(), "`Request` polled after completion");
        let Core { targets, executor, .. } = &*self.core;
        match targets.poll_request(self.key, context, executor) {
            Some(outcome) => {
                self.state = RequestState::Completed;
                Poll::Ready(outcome)
            }
            None if self.core.is_closed() => Poll::Ready(Outcome::LoopClosed),
            None => {
                self.core.assert_current("a request");
                Poll::Pending
            }
        }
    }

    /// Handles the drop of a request in flight.
    #[cold]
    fn abandon(&self) {
        self.core.targets.detach_future(self.key);
        if self.state == RequestState::Read {
            self.core.try_engine(|engine| engine.discard_read(self.id));
        }
    }
}

impl Future for Request {
    type Output = Outcome;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Outcome> {
        self.poll_outcome(context)
    }
}

impl Drop for Request {
    #[inline]
    fn drop(&mut self) {
        if !self.is_completed() {
            self.abandon();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::sync::Arc;

    use mauve_sys::Errno;
    use mauve_sys::fs::read_write::Position;

    use super::*;
    use crate::Loop;
    use crate::core::current;

    #[test]
    fn dropping_a_read_discards_its_buffer() {
        let lp: Loop = Loop::new().unwrap();
        let zeros = Arc::new(File::open("/dev/zero").unwrap());
        lp.block_on(async {
            let core = current();
            let read = || {
                let position = Position::At(0);
                let read = FileRead::owned(zeros.clone(), position, 10, Vec::new());
                Request::read(core.clone(), read).unwrap()
            };
            let (queued, mut first, attempted) = (read(), read(), read());
            let ids = [queued.id, attempted.id];
            drop(queued);
            assert!(matches!((&mut first).await, Outcome::Read(_)));
            assert_eq!(attempted.cancel(), Err(Errno::EBUSY));
            drop(attempted);
            for id in ids {
                assert_eq!(core.engine(|engine| engine.take_read(id)), None);
            }
            assert_eq!(first.take_read(), Some(vec![0; 10]));
        });
        lp.close().unwrap();
    }
}
