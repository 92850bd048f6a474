//! Writes that are accepted at once and performed on a thread of the pool, as in tokio.
//!
//! A write cannot be undone when its future is dropped. So `poll_write` copies the bytes and returns
//! their number: no future waits for a write that it has started. The next operation on the file or
//! stream waits for it, and the next write or flush returns its error.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker, ready};

use mauve_core::pool::Lane;

use crate::BlockingTask;
use crate::core::current;
use crate::running::RunningGuard;

/// The writes of one file or standard stream. One is in flight at a time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Writes(Arc<Mutex<WriteState>>);

#[derive(Debug, Default)]
struct WriteState {
    in_flight: bool,
    /// The error of a write. The next write or flush returns it.
    error: Option<io::Error>,
    /// Woken at the end of the write.
    wakers: Vec<Waker>,
}

impl Writes {
    /// Waits until no write is in flight.
    pub fn poll_idle(&self, context: &Context<'_>) -> Poll<()> {
        self.poll_state(context).map(drop)
    }

    /// Waits until no write is in flight. Returns the error of an earlier one.
    pub fn poll_flush(&self, context: &Context<'_>) -> Poll<io::Result<()>> {
        self.poll_state(context).map(|mut state| state.error.take().map_or(Ok(()), Err))
    }

    /// Starts the write that `prepare` returns, when no other is in flight. Returns the error of an earlier
    /// one instead. Loops of several threads may write: each starts its next write after its last one.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    pub fn poll_start<W>(
        &self,
        context: &Context<'_>,
        lane: Lane,
        prepare: impl FnOnce() -> W,
    ) -> Poll<io::Result<()>>
    where
        W: FnOnce() -> io::Result<()> + Send + 'static,
    {
        let core = current();
        let mut state = ready!(self.poll_state(context));
        if let Some(error) = state.error.take() {
            return Poll::Ready(Err(error));
        }
        state.in_flight = true;
        drop(state);
        let guard = EndGuard {
            writes: self.clone(),
            _accepted: core.writes.enter(),
            result: Err(io::ErrorKind::Other.into()),
        };
        let write = prepare();
        // Dropping the task does not stop the write.
        drop(BlockingTask::new(core, lane, move || {
            let mut guard = guard;
            guard.result = write();
        }));
        Poll::Ready(Ok(()))
    }

    /// Waits until no write is in flight. None is started while the state is locked.
    fn poll_state(&self, context: &Context<'_>) -> Poll<MutexGuard<'_, WriteState>> {
        // A waker is foreign code: it is cloned and dropped without the lock.
        let mut waker = None;
        loop {
            let mut state = lock(&self.0);
            match waker.take() {
                None if !state.in_flight => return Poll::Ready(state),
                Some(new) if state.in_flight => {
                    let is_new = !state.wakers.iter().any(|old| old.will_wake(&new));
                    let rest = if is_new {
                        state.wakers.push(new);
                        None
                    } else {
                        Some(new)
                    };
                    drop(state);
                    drop(rest);
                    return Poll::Pending;
                }
                before => {
                    drop(state);
                    waker = before.is_none().then(|| context.waker().clone());
                }
            }
        }
    }
}

/// Ends a write when it is dropped, even if it was never performed.
struct EndGuard {
    writes: Writes,
    /// Dropped last.
    _accepted: RunningGuard,
    result: io::Result<()>,
}

impl Drop for EndGuard {
    fn drop(&mut self) {
        let mut state = lock(&self.writes.0);
        state.in_flight = false;
        if let Err(error) = std::mem::replace(&mut self.result, Ok(())) {
            state.error = Some(error);
        }
        let wakers = std::mem::take(&mut state.wakers);
        drop(state);
        wakers.into_iter().for_each(Waker::wake);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
