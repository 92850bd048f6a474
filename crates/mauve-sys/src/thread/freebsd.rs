//! Attributes of threads on FreeBSD.

use std::ffi::{CStr, c_int};

pub use libc::{pthread_getschedparam, pthread_setschedparam};

pub use super::cpu_bits::CpuSet;
pub use super::cpuset::*;
pub use super::getname_np::name;
pub use super::no_backtrace::{Activity, activity_of};
pub(crate) use super::priority::{priority, set_priority};
pub use super::process_nice::*;

/// The maximum length of a thread name, without the null terminator.
pub const MAX_NAME: usize = 19;

/// Sets the name of the calling thread. Returns an error number.
pub fn set_own_name(name: &CStr) -> c_int {
    // SAFETY: the calling thread exists, and the name is null-terminated.
    unsafe { libc::pthread_setname_np(libc::pthread_self(), name.as_ptr()) }
}

/// The system's id of the calling thread. Not zero.
pub fn own_id() -> u32 {
    // SAFETY: takes no arguments.
    unsafe { libc::pthread_getthreadid_np() }.cast_unsigned()
}

/// Whether this process has a thread with this id.
pub fn exists(id: u64) -> bool {
    let Ok(id) = libc::c_long::try_from(id) else { return false };
    // SAFETY: takes numbers. Signal 0 only checks whether the thread exists.
    unsafe { libc::thr_kill(id, 0) == 0 }
}
