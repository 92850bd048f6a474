//! The loop that a value belongs to, for values that are `Send` and `Sync`.
//!
//! Such a value cannot own an `Rc` of its loop. It has the loop's number instead: the loop that runs on
//! this thread is compared with it, and others are found in a table of the thread.

use std::cell::RefCell;
use std::rc::{Rc, Weak};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::core::{Core, try_current};
use crate::task::RemoteQueue;

/// Identifies a loop of this process. Never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Home(u64);

thread_local! {
    /// The loops of this thread.
    static LOOPS: RefCell<Vec<Weak<Core>>> = const { RefCell::new(Vec::new()) };
}

/// The queues of the loops of all threads.
static QUEUES: Mutex<Vec<(Home, Arc<RemoteQueue>)>> = Mutex::new(Vec::new());

fn queues() -> MutexGuard<'static, Vec<(Home, Arc<RemoteQueue>)>> {
    QUEUES.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Home {
    /// The number of a new loop.
    pub fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// Enters a loop into the tables.
    pub fn register(core: &Rc<Core>) {
        // While the thread exits, its values are used only if the loop runs.
        let _ = LOOPS.try_with(|loops| {
            let mut loops = loops.borrow_mut();
            loops.retain(|core| core.strong_count() > 0);
            loops.push(Rc::downgrade(core));
        });
        queues().push((core.home, core.executor.remote().clone()));
    }

    /// Removes a loop that is dropped.
    pub fn unregister(self) {
        queues().retain(|(home, _)| *home != self);
    }

    /// Calls `action` with the loop, if it runs on this thread.
    #[inline]
    pub fn if_current<R>(self, action: impl FnOnce(&Core) -> R) -> Option<R> {
        // Owned, because the action may drop wakers: foreign code, which may run another loop.
        let core = try_current().filter(|core| core.home == self)?;
        Some(action(&core))
    }

    /// The loop, if it is one of this thread.
    pub fn find(self) -> Option<Rc<Core>> {
        let find = |loops: &RefCell<Vec<Weak<Core>>>| {
            loops.borrow().iter().filter_map(Weak::upgrade).find(|core| core.home == self)
        };
        LOOPS.try_with(find).ok().flatten()
    }

    /// Lets the loop call `action` on its own thread, unless it was dropped.
    pub fn post(self, action: impl FnOnce(&Core) + Send + 'static) {
        let queue = queues().iter().find(|(home, _)| *home == self).map(|(_, queue)| queue.clone());
        if let Some(queue) = queue {
            queue.spawn(Box::new(move || {
                self.if_current(action);
            }));
        }
    }
}
