//! A blocking operation on a thread of the pool, for values that poll it again after a future was
//! dropped.
//!
//! Unlike a [`BlockingTask`], a transfer does not refer to its loop. So a file stays `Send`, and may
//! be moved to another loop between two operations.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use mauve_core::pool::Lane;

use crate::BlockingTask;
use crate::core::current;

/// A transfer in flight. That of a read or write owns its buffer.
pub(crate) struct Transfer<T = (Vec<u8>, u64)>(Arc<Mutex<TransferState<T>>>);

struct TransferState<T> {
    waker: Option<Waker>,
    /// The result, when the transfer has ended.
    end: Option<io::Result<T>>,
}

impl<T: Send + 'static> Transfer<T> {
    /// Starts `work` on a thread of the pool.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    pub fn start(lane: Lane, work: impl FnOnce() -> io::Result<T> + Send + 'static) -> Self {
        let state = Arc::new(Mutex::new(TransferState { waker: None, end: None }));
        let end = EndGuard(Arc::clone(&state));
        let run = move || {
            let result = work();
            lock(&end.0).end = Some(result);
            drop(end);
        };
        // Dropping the task does not stop the work.
        drop(BlockingTask::new(current(), lane, run));
        Self(state)
    }

    /// Waits for the end.
    pub fn poll(&mut self, context: &Context<'_>) -> Poll<io::Result<T>> {
        let mut state = lock(&self.0);
        match state.end.take() {
            Some(result) => Poll::Ready(result),
            None => {
                let before = state.waker.replace(context.waker().clone());
                // A waker is foreign code: not under the lock.
                drop(state);
                drop(before);
                Poll::Pending
            }
        }
    }
}

impl Transfer {
    /// Starts a read or write. `work` returns the number of bytes.
    pub fn start_with_buffer(
        lane: Lane,
        mut buffer: Vec<u8>,
        work: impl FnOnce(&mut Vec<u8>) -> io::Result<u64> + Send + 'static,
    ) -> Self {
        Self::start(lane, move || {
            let count = work(&mut buffer)?;
            Ok((buffer, count))
        })
    }
}

impl<T> fmt::Debug for Transfer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transfer").finish_non_exhaustive()
    }
}

/// Ends a transfer when it is dropped, even if its work was never run.
struct EndGuard<T>(Arc<Mutex<TransferState<T>>>);

impl<T> Drop for EndGuard<T> {
    fn drop(&mut self) {
        let mut state = lock(&self.0);
        let cancelled = || Err(io::Error::other("the operation was cancelled"));
        state.end.get_or_insert_with(cancelled);
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

fn lock<T>(state: &Mutex<TransferState<T>>) -> MutexGuard<'_, TransferState<T>> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
