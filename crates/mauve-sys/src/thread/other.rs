//! Attributes of threads on systems without files of their own: none.

use std::cell::Cell;
use std::ffi::{CStr, c_int};
use std::sync::atomic::{AtomicU32, Ordering};

pub use super::cpu_bits::CpuSet;
pub use super::no_affinity::*;
pub use super::no_backtrace::{Activity, activity_of};
use crate::thread::Priority;
use crate::{Errno, Result};

/// The maximum length of a thread name, without the null terminator.
pub const MAX_NAME: usize = 15;

/// `ENOSYS`: threads have no names.
///
/// # Safety
/// Safe to call; on other systems the thread must exist.
pub unsafe fn name(_: libc::pthread_t, _: &mut [u8]) -> c_int {
    libc::ENOSYS
}

/// `ENOSYS`: threads have no names.
pub fn set_own_name(_: &CStr) -> c_int {
    libc::ENOSYS
}

/// The system does not report it.
pub fn current_cpu() -> usize {
    0
}

/// A number of the calling thread. Not zero.
pub fn own_id() -> u32 {
    static LAST: AtomicU32 = AtomicU32::new(0);
    thread_local! {
        static OWN: Cell<u32> = const { Cell::new(0) };
    }
    OWN.with(|own| {
        if own.get() == 0 {
            own.set(LAST.fetch_add(1, Ordering::Relaxed) + 1);
        }
        own.get()
    })
}

/// The system cannot check that.
pub fn exists(id: u64) -> bool {
    id != 0
}

/// `ENOSYS`: threads have no priorities.
///
/// # Safety
/// Safe to call; on other systems the thread must exist.
pub(crate) unsafe fn priority(_: libc::pthread_t, _is_current: bool) -> Result<i32> {
    Err(Errno::ENOSYS)
}

/// `ENOSYS`: threads have no priorities.
///
/// # Safety
/// Safe to call; on other systems the thread must exist.
pub(crate) unsafe fn set_priority(
    _: libc::pthread_t,
    _is_current: bool,
    _: Priority,
) -> Result<()> {
    Err(Errno::ENOSYS)
}
