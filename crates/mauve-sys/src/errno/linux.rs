//! The error numbers of Linux.

pub use libc::*;

/// The address of the thread's `errno`.
pub use libc::__errno_location as location;

/// Not a number of this system: that of libuv.
pub const EFTYPE: i32 = 4028;
