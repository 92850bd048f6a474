//! The error numbers of illumos and Solaris.

pub use libc::*;

/// The address of the thread's `errno`.
pub use libc::___errno as location;

// Not numbers of this system: those of libuv.
pub const EREMOTEIO: i32 = 4030;
pub const EFTYPE: i32 = 4028;
