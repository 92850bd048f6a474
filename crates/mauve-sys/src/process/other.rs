//! Processes on systems without files of their own.

pub use super::fork::*;

/// The system may discard the exit status of children only if `SIGCHLD` is ignored.
pub const SA_NOCLDWAIT: libc::c_int = 0;

/// The size of the longest path. Some systems have no limit.
pub const PATH_MAX: usize = usize::MAX;
