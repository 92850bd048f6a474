//! The error numbers of Apple's systems.

pub use libc::*;

/// The address of the thread's `errno`.
pub use libc::__error as location;

// Not numbers of this system: those of libuv.
pub const ENONET: i32 = 4056;
pub const EREMOTEIO: i32 = 4030;
pub const EUNATCH: i32 = 4023;
