//! Attributes of threads on illumos and Solaris.

use std::ffi::{CStr, c_int};

pub use super::cpu_bits::CpuSet;
pub use super::getname_np::name;
pub use super::no_affinity::*;
pub use super::no_backtrace::{Activity, activity_of};
pub(crate) use super::priority::{priority, set_priority};
pub use super::process_nice::*;

unsafe extern "C" {
    // Not declared by the crate libc.
    pub fn pthread_getschedparam(
        thread: libc::pthread_t,
        policy: *mut c_int,
        parameters: *mut libc::sched_param,
    ) -> c_int;
    pub fn pthread_setschedparam(
        thread: libc::pthread_t,
        policy: c_int,
        parameters: *const libc::sched_param,
    ) -> c_int;
}

/// The maximum length of a thread name, without the null terminator.
pub const MAX_NAME: usize = 31;

/// Sets the name of the calling thread. Returns an error number.
pub fn set_own_name(name: &CStr) -> c_int {
    // SAFETY: the calling thread exists, and the name is null-terminated.
    unsafe { libc::pthread_setname_np(libc::pthread_self(), name.as_ptr()) }
}

pub fn current_cpu() -> usize {
    unsafe extern "C" {
        fn getcpuid() -> c_int;
    }
    // SAFETY: takes no arguments.
    usize::try_from(unsafe { getcpuid() }).unwrap_or(0)
}

/// The system's id of the calling thread. Not zero.
pub fn own_id() -> u32 {
    // SAFETY: takes no arguments. The id of a thread is a small number.
    unsafe { libc::pthread_self() as u32 }
}

/// Whether this process has a thread with this id.
pub fn exists(id: u64) -> bool {
    unsafe extern "C" {
        fn _lwp_kill(thread: libc::c_uint, signal: c_int) -> c_int;
    }
    let Ok(id) = libc::c_uint::try_from(id) else { return false };
    // SAFETY: takes numbers. Signal 0 only checks whether the thread exists.
    unsafe { _lwp_kill(id, 0) == 0 }
}
