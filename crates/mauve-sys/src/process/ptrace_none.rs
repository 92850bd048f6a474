//! Systems on which a thread of another process cannot be stopped.

use crate::{Errno, Result};

/// Runs `action` while a thread of another process is stopped. `ENOSYS`.
pub fn with_stopped_thread<R>(_thread: i32, _action: impl FnOnce() -> R) -> Result<R> {
    Err(Errno::ENOSYS)
}
