//! Processes on macOS, the BSDs, illumos and Solaris.

pub use libc::SA_NOCLDWAIT;

pub use super::fork::*;

/// The size of the longest path, with its terminating zero.
pub const PATH_MAX: usize = libc::PATH_MAX as usize;
