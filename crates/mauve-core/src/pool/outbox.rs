//! Where finished jobs wait for their loop.

use mauve_sys::Result;

use crate::id::{HandleId, RequestId};
use crate::signals::Signals;
use crate::sync::{Arc, Mutex, lock};

/// A job that has ended, or was cancelled.
#[derive(Clone, Copy, Debug)]
pub struct Finished {
    /// The request it was submitted under.
    pub request: RequestId,
    /// `Ok`, or `ECANCELED`.
    pub result: Result<()>,
}

/// The finished jobs of one loop. The first one wakes the loop; the loop takes all at once.
pub struct Outbox {
    finished: Mutex<Vec<Finished>>,
    signals: Arc<Signals>,
    /// The loop's own async handle.
    bell: HandleId,
}

impl Outbox {
    pub(crate) fn new(signals: Arc<Signals>, bell: HandleId) -> Self {
        Self { finished: Mutex::new(Vec::new()), signals, bell }
    }

    /// The handle that rings when something has finished.
    pub(crate) fn bell(&self) -> HandleId {
        self.bell
    }

    /// Called by pool threads, and by the loop itself for cancelled jobs.
    pub(crate) fn put(&self, finished: Finished) {
        let mut list = lock(&self.finished);
        let first = list.is_empty();
        list.push(finished);
        drop(list);
        if first {
            // The bell is closed only with the loop, which is not while a request is in flight.
            let _ = self.signals.send(self.bell);
        }
    }

    /// The outbox of a forked child. What had finished before goes to `finished`, unless a thread
    /// of the parent was just at it: its lock is then held for ever, and so this one is not used
    /// again.
    pub(crate) fn after_fork(&self, finished: &mut Vec<Finished>) -> Self {
        if let Ok(mut list) = self.finished.try_lock() {
            // They are taken from the end.
            finished.splice(0..0, list.drain(..).rev());
        }
        Self::new(self.signals.clone(), self.bell)
    }

    /// Swaps the finished jobs for the empty list `taken`.
    pub(crate) fn take(&self, taken: &mut Vec<Finished>) {
        debug_assert!(taken.is_empty());
        std::mem::swap(&mut *lock(&self.finished), taken);
    }
}
