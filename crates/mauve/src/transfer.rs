//! A blocking read or write on a thread of the pool, for types with futures-io's traits.
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

/// A transfer in flight. It owns its buffer.
pub(crate) struct Transfer(Arc<Mutex<TransferState>>);

#[derive(Default)]
struct TransferState {
    waker: Option<Waker>,
    /// The buffer and the result, when the transfer has ended.
    end: Option<(Vec<u8>, io::Result<u64>)>,
}

impl Transfer {
    /// Starts `work` on a thread of the pool.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    pub fn start(
        lane: Lane,
        mut buffer: Vec<u8>,
        work: impl FnOnce(&mut Vec<u8>) -> io::Result<u64> + Send + 'static,
    ) -> Self {
        let state = Arc::default();
        let end = EndGuard(Arc::clone(&state));
        let run = move || {
            let result = work(&mut buffer);
            lock(&end.0).end = Some((buffer, result));
            drop(end);
        };
        // Dropping the task does not stop the work.
        drop(BlockingTask::new(current(), lane, run));
        Self(state)
    }

    /// Waits for the end. Returns the buffer and the result.
    pub fn poll(&mut self, context: &Context<'_>) -> Poll<(Vec<u8>, io::Result<u64>)> {
        let mut state = lock(&self.0);
        match state.end.take() {
            Some(end) => Poll::Ready(end),
            None => {
                state.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl fmt::Debug for Transfer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transfer").finish_non_exhaustive()
    }
}

/// Ends a transfer when it is dropped, even if its work was never run.
struct EndGuard(Arc<Mutex<TransferState>>);

impl Drop for EndGuard {
    fn drop(&mut self) {
        let mut state = lock(&self.0);
        let cancelled = || (Vec::new(), Err(io::Error::other("the operation was cancelled")));
        state.end.get_or_insert_with(cancelled);
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

fn lock(state: &Mutex<TransferState>) -> MutexGuard<'_, TransferState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
