//! Attributes of threads on Apple's systems.

use std::ffi::{CStr, c_int};

pub use libc::{pthread_getschedparam, pthread_setschedparam};

pub use super::cpu_bits::CpuSet;
pub use super::getname_np::name;
pub use super::no_affinity::*;
pub use super::no_backtrace::{Activity, activity_of};
pub(crate) use super::priority::{priority, set_priority};
pub use super::process_nice::*;

/// The maximum length of a thread name, without the null terminator.
pub const MAX_NAME: usize = 63;

/// Sets the name of the calling thread. Returns an error number.
pub fn set_own_name(name: &CStr) -> c_int {
    // SAFETY: the calling thread exists, and the name is null-terminated.
    unsafe { libc::pthread_setname_np(name.as_ptr()) }
}

pub fn current_cpu() -> usize {
    0
}

/// The system's id of the calling thread. Not zero.
pub fn own_id() -> u32 {
    let mut id = 0;
    // SAFETY: zero means the calling thread, whose id is stored in a local variable.
    unsafe { libc::pthread_threadid_np(0, &raw mut id) };
    // The numbers begin at the start of the system, and 32 bits are enough to tell threads apart.
    (id as u32).max(1)
}

/// Whether this process has a thread with this id.
pub fn exists(id: u64) -> bool {
    // The system cannot check that.
    id != 0
}
