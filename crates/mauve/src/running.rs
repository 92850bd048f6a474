//! Counts what runs on other threads for a loop.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// The number of writes or jobs of a loop that run on other threads.
#[derive(Debug, Default)]
pub(crate) struct Running {
    count: Mutex<usize>,
    none: Condvar,
}

impl Running {
    /// Counts one more, until the guard is dropped.
    pub fn enter(self: &Arc<Self>) -> RunningGuard {
        *self.count.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        RunningGuard(self.clone())
    }

    /// Blocks until none runs.
    pub fn wait(&self) {
        let count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.none.wait_while(count, |count| *count > 0);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }
}

#[derive(Debug)]
pub(crate) struct RunningGuard(Arc<Running>);

impl Drop for RunningGuard {
    fn drop(&mut self) {
        let mut count = self.0.count.lock().unwrap_or_else(PoisonError::into_inner);
        *count -= 1;
        if *count == 0 {
            self.0.none.notify_all();
        }
    }
}
