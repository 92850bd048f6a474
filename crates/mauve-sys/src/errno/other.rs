//! The error numbers of systems without files of their own.

use std::ffi::c_int;

pub use libc::*;

unsafe extern "C" {
    /// The address of the thread's `errno`. Its function has different names.
    #[cfg_attr(target_os = "haiku", link_name = "_errnop")]
    #[cfg_attr(target_os = "nto", link_name = "__get_errno_ptr")]
    #[cfg_attr(target_os = "aix", link_name = "_Errno")]
    #[cfg_attr(target_os = "cygwin", link_name = "__errno")]
    #[cfg_attr(
        not(any(target_os = "haiku", target_os = "nto", target_os = "aix", target_os = "cygwin")),
        link_name = "__errno_location"
    )]
    pub fn location() -> *mut c_int;
}

// Not numbers of all systems: those of libuv.
pub const EFTYPE: i32 = 4028;
pub const ENONET: i32 = 4056;
pub const EREMOTEIO: i32 = 4030;
pub const ESOCKTNOSUPPORT: i32 = 4025;
pub const EUNATCH: i32 = 4023;
