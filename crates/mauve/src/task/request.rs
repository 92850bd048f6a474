//! A request of the engine, awaited.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use mauve_core::pool::{Lane, Task, Work};
use mauve_core::{Engine, RequestId};
use mauve_sys::Result;
use mauve_sys::driver::Platform;
use mauve_sys::fs::read_batch::FileRead;

use super::News;
use crate::core::{Core, future_token};
use crate::spare::Spare;

/// What comes of a request, when its completion is there.
pub(crate) struct Request {
    core: Rc<Core>,
    id: RequestId,
    key: usize,
    stage: Stage,
}

/// How far a request has come, and what happens if nobody waits for it any more.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// It goes on.
    Begun,
    /// It is a read: it is cancelled, or its buffer discarded.
    Reading,
    /// Nothing: its completion has been told.
    Ended,
}

impl Request {
    /// Performs an operation that does not block, if it is its turn. It returns whether it is done.
    pub fn attempt(core: Rc<Core>, operation: impl FnOnce() -> bool) -> Option<Self> {
        let key = core.futures.reserve();
        let attempt =
            |engine: &mut Engine<Platform>| engine.attempt_work(future_token(key), operation);
        match core.engine(attempt) {
            Some(id) => Some(Self { core, id, key, stage: Stage::Begun }),
            None => {
                core.futures.release(key);
                None
            }
        }
    }

    /// Reads from a file. The read is cancelled if the request is dropped.
    #[inline]
    pub fn read(core: Rc<Core>, read: FileRead) -> Self {
        let key = core.futures.reserve();
        let id = core.engine(|engine| engine.submit_read(future_token(key), read));
        Self { core, id, key, stage: Stage::Reading }
    }

    /// Has work done by the pool, which is made of the memory of the last, if there is any.
    pub fn submit(
        core: Rc<Core>,
        lane: Lane,
        make: impl FnOnce(&mut Spare) -> Task,
    ) -> Result<Self> {
        let (key, task) = core.futures.reserve_for_work(make);
        match core.engine(|engine| engine.submit_work(future_token(key), lane, task)) {
            Ok(id) => Ok(Self { core, id, key, stage: Stage::Begun }),
            Err(error) => {
                core.futures.release(key);
                Err(error)
            }
        }
    }

    /// Takes the request back; its completion still comes. `EBUSY` if it is too late.
    pub fn cancel(&self) -> Result<()> {
        self.core.engine(|engine| engine.cancel_work(self.id))
    }

    /// Whether its completion has been told.
    pub fn has_ended(&self) -> bool {
        self.stage == Stage::Ended
    }

    /// The buffer of a read that has ended, if it has not been taken yet.
    #[inline]
    pub fn take_read(&self) -> Option<Vec<u8>> {
        self.core.engine(|engine| engine.take_read(self.id))
    }

    /// Leaves the memory of work that has come back, and was looked at, to the next.
    pub fn leave(&self, work: Box<dyn Work>) {
        debug_assert!(self.has_ended(), "what is under way comes back later");
        self.core.futures.keep(self.key, work);
    }

    /// What comes of it, for those who want to keep the request.
    #[inline(always)] // So that news are not copied where they were just written, which stalls.
    pub fn poll_end(&mut self, context: &Context<'_>) -> Poll<News> {
        assert!(!self.has_ended(), "polled after it was ready");
        let Core { futures, executor, .. } = &*self.core;
        match futures.poll_last(self.key, context, executor) {
            Some(news) => {
                self.stage = Stage::Ended;
                Poll::Ready(news)
            }
            None => Poll::Pending,
        }
    }

    /// Nobody waits for it any more.
    #[cold]
    fn abandon(&self) {
        self.core.futures.forget(self.key);
        if self.stage == Stage::Reading {
            self.core.engine(|engine| engine.discard_read(self.id));
        }
    }
}

impl Future for Request {
    type Output = News;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<News> {
        self.poll_end(context)
    }
}

impl Drop for Request {
    #[inline]
    fn drop(&mut self) {
        if !self.has_ended() {
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
    fn a_read_that_is_dropped_leaves_no_buffer_behind() {
        let lp: Loop = Loop::new().unwrap();
        let zeros = Arc::new(File::open("/dev/zero").unwrap());
        lp.block_on(async {
            let core = current();
            let read = || {
                let position = Position::At(0);
                let read = FileRead::owned(zeros.clone(), position, 10, Vec::new());
                Request::read(core.clone(), read)
            };
            let (queued, mut first, attempted) = (read(), read(), read());
            let ids = [queued.id, attempted.id];
            drop(queued);
            assert!(matches!((&mut first).await, News::Read(_)));
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
