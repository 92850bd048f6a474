//! The error numbers of Linux.

pub use libc::*;

/// The address of the thread's `errno`.
pub use libc::__errno_location as location;

/// The number that Linux has reserved for it. The C library may not define it yet.
pub const EFTYPE: i32 = match () {
    () if cfg!(any(target_arch = "mips", target_arch = "mips64")) => 169,
    () if cfg!(any(target_arch = "sparc", target_arch = "sparc64")) => 136,
    () => 134,
};
