//! The error numbers of NetBSD and OpenBSD.

pub use libc::*;

/// The address of the thread's `errno`.
pub use libc::__errno as location;

// Not numbers of these systems: those of libuv.
pub const ENONET: i32 = 4056;
pub const EREMOTEIO: i32 = 4030;
pub const EUNATCH: i32 = 4023;
pub const ENODATA: i32 = 4024;
