//! A read of a file, or a blocking operation on a thread of the pool, for values that poll it again
//! after a future was dropped.
//!
//! Unlike a [`BlockingTask`], a transfer does not refer to its loop. So a file stays `Send`, and may
//! be moved to another loop between two operations.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use mauve_core::pool::Lane;
use mauve_sys::fs::read_batch::FileRead;

use crate::BlockingTask;
use crate::core::current;
use crate::fs::read_with;

/// A transfer in flight.
pub(crate) struct Transfer<T>(Arc<Mutex<TransferState<T>>>);

struct TransferState<T> {
    waker: Option<Waker>,
    /// The result, when the transfer has ended.
    end: Option<io::Result<T>>,
}

impl<T: 'static> Transfer<T> {
    /// A new transfer, and the function that ends it.
    fn new() -> (Self, impl FnOnce(io::Result<T>) + use<T>) {
        let state = Arc::new(Mutex::new(TransferState { waker: None, end: None }));
        let guard = EndGuard(Arc::clone(&state));
        let end = move |result| {
            lock(&guard.0).end = Some(result);
            drop(guard);
        };
        (Self(state), end)
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

impl<T: Send + 'static> Transfer<T> {
    /// Starts `work` on a thread of the pool.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    pub fn start(lane: Lane, work: impl FnOnce() -> io::Result<T> + Send + 'static) -> Self {
        let (transfer, end) = Self::new();
        // Dropping the task does not stop the work.
        drop(BlockingTask::new(current(), lane, move || end(work())));
        transfer
    }
}

impl Transfer<Vec<u8>> {
    /// Starts a read of a file, which owns its buffer.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    pub fn read(read: FileRead) -> Self {
        let (transfer, end) = Self::new();
        let callback = move |result: mauve_sys::Result<_>| end(result.map_err(Into::into));
        if let Err(error) = read_with(&current(), read, callback) {
            lock(&transfer.0).end = Some(Err(error.into()));
        }
        transfer
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
