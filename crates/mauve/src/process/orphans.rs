//! Children whose loop was dropped while they ran.
//!
//! No loop waits for them any more. They are reaped when the process next starts a child, or when
//! another loop is created, dropped, or reports the exit of a child. So their number stays small.

use std::sync::{Mutex, MutexGuard, PoisonError};

use mauve_sys::child_exit::ChildWatch;
use mauve_sys::fork::PerProcess;
use mauve_sys::{Errno, Result};

/// A forked child has none: they belong to its parent.
static ORPHANS: PerProcess<Mutex<Vec<ChildWatch>>> = PerProcess::new();

/// Adds children, and reaps those that have exited.
pub(crate) fn adopt(children: Vec<ChildWatch>) {
    if !children.is_empty() {
        lock(ORPHANS.get_or_init(Mutex::default)).extend(children);
    }
    reap();
}

/// Reaps the children that have exited.
pub(crate) fn reap() {
    if let Some(orphans) = ORPHANS.get() {
        lock(orphans).retain(|child| child.try_wait().is_none());
    }
}

/// Sends a signal to one of the children. `ESRCH` if it was reaped.
pub(super) fn kill(pid: i32, signal: i32) -> Result<()> {
    let orphans = ORPHANS.get().ok_or(Errno::ESRCH)?;
    let orphans = lock(orphans);
    orphans.iter().find(|child| child.pid() == pid).ok_or(Errno::ESRCH)?.kill(signal)
}

fn lock(orphans: &Mutex<Vec<ChildWatch>>) -> MutexGuard<'_, Vec<ChildWatch>> {
    orphans.lock().unwrap_or_else(PoisonError::into_inner)
}
