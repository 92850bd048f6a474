//! Systems whose threads have no nice value of their own.

use crate::Result;

/// The nice value of the calling thread: `None`, because it belongs to the process.
pub fn nice() -> Option<Result<i32>> {
    None
}

/// Sets the nice value of the calling thread: `None`, because it belongs to the process.
pub fn set_nice(_nice: i32) -> Option<Result<()>> {
    None
}
