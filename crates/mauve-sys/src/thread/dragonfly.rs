//! Attributes of threads on DragonFly BSD.

use std::ffi::{CStr, c_int};

pub use libc::{pthread_getschedparam, pthread_setschedparam};

pub use super::cpu_bits::CpuSet;
pub use super::cpuset::*;
pub use super::getname_np::name;
pub use super::no_backtrace::{Activity, activity_of};
pub(crate) use super::priority::{priority, set_priority};
pub use super::process_nice::*;

/// The maximum length of a thread name, without the null terminator.
pub const MAX_NAME: usize = 16;

/// Sets the name of the calling thread. Returns an error number.
pub fn set_own_name(name: &CStr) -> c_int {
    // SAFETY: the calling thread exists, and the name is null-terminated.
    unsafe { libc::pthread_set_name_np(libc::pthread_self(), name.as_ptr()) };
    0
}

unsafe extern "C" {
    // Not declared by the crate libc.
    fn lwp_gettid() -> libc::lwpid_t;
    fn lwp_kill(process: libc::pid_t, thread: libc::lwpid_t, signal: c_int) -> c_int;
}

/// The system's id of the calling thread. The first thread of a process has the id zero or one, which
/// depends on the release, so one is added.
pub fn own_id() -> u32 {
    // SAFETY: takes no arguments.
    unsafe { lwp_gettid() }.cast_unsigned() + 1
}

/// Whether this process has a thread with this id.
pub fn exists(id: u64) -> bool {
    let Ok(id @ 1..) = libc::lwpid_t::try_from(id) else { return false };
    // SAFETY: takes numbers. Signal 0 only checks whether the thread exists.
    unsafe { lwp_kill(libc::getpid(), id - 1, 0) == 0 }
}
