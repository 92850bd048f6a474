//! Attributes of threads on NetBSD.

use std::ffi::{CStr, c_int};

pub use libc::{pthread_getschedparam, pthread_setschedparam};

pub use super::cpu_bits::CpuSet;
pub use super::getname_np::name;
pub use super::no_affinity::*;
pub use super::no_backtrace::{Activity, activity_of};
pub(crate) use super::priority::{priority, set_priority};
pub use super::process_nice::*;

/// The maximum length of a thread name, without the null terminator.
pub const MAX_NAME: usize = 31;

/// Sets the name of the calling thread. Returns an error number.
pub fn set_own_name(name: &CStr) -> c_int {
    // SAFETY: the calling thread exists, and the name is null-terminated.
    unsafe {
        // The name is a format, so it is passed as an argument.
        let argument = name.as_ptr().cast();
        libc::pthread_setname_np(libc::pthread_self(), c"%s".as_ptr(), argument)
    }
}

pub fn current_cpu() -> usize {
    0
}

/// The system's id of the calling thread. Not zero.
pub fn own_id() -> u32 {
    // SAFETY: takes no arguments.
    unsafe { libc::_lwp_self() }.cast_unsigned()
}

/// Whether this process has a thread with this id.
pub fn exists(id: u64) -> bool {
    unsafe extern "C" {
        fn _lwp_kill(thread: libc::c_int, signal: c_int) -> c_int;
    }
    let Ok(id) = libc::c_int::try_from(id) else { return false };
    // SAFETY: takes numbers. Signal 0 only checks whether the thread exists.
    unsafe { _lwp_kill(id, 0) == 0 }
}
