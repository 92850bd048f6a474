//! Attributes of threads on Windows.

use std::ffi::{CStr, c_int};
use std::ptr::null_mut;

use windows_sys::Win32::Foundation::{CloseHandle, HANDLE, LocalFree, WAIT_TIMEOUT};
use windows_sys::Win32::System::SystemInformation::GROUP_AFFINITY;
use windows_sys::Win32::System::Threading::{
    GetCurrentProcessId, GetCurrentProcessorNumber, GetCurrentThread, GetCurrentThreadId,
    GetProcessIdOfThread, GetThreadDescription, GetThreadGroupAffinity, GetThreadPriority,
    OpenThread, SetThreadAffinityMask, SetThreadDescription, SetThreadPriority,
    THREAD_QUERY_LIMITED_INFORMATION, THREAD_SYNCHRONIZE, WaitForSingleObject,
};

pub use super::no_backtrace::{Activity, activity_of};
use crate::thread::Priority;
use crate::{Errno, Result};

pub mod stack;

/// A handle of a thread, as a number.
pub type RawThread = usize;

/// What `GetThreadPriority` returns if it fails: `THREAD_PRIORITY_ERROR_RETURN`.
const PRIORITY_ERROR: c_int = c_int::MAX;

/// The maximum length of a thread name, without the null terminator.
pub const MAX_NAME: usize = 32_766;

/// The calling thread: a constant that every thread uses for itself.
pub(super) fn current() -> RawThread {
    // SAFETY: takes no arguments. The result is no handle that has to be closed.
    unsafe { GetCurrentThread() as RawThread }
}

/// Does nothing: a thread cannot be cancelled.
#[inline]
pub fn cancellation_point() {}

/// Stores the name of a thread. Returns an error number.
///
/// # Safety
/// The thread exists.
pub unsafe fn name(thread: RawThread, buffer: &mut [u8]) -> c_int {
    let mut text = null_mut();
    // SAFETY: the caller promises a thread. The call stores a string that it has allocated.
    let result = unsafe { GetThreadDescription(thread as HANDLE, &raw mut text) };
    if result < 0 {
        return Errno::last().raw();
    }
    // SAFETY: the call has stored a null-terminated string.
    let length = (0..).find(|at| unsafe { *text.add(*at) } == 0).unwrap_or(0);
    // SAFETY: the string has that many characters.
    let name = String::from_utf16_lossy(unsafe { std::slice::from_raw_parts(text, length) });
    // SAFETY: the call has allocated it, and it is not used afterwards.
    unsafe { LocalFree(text.cast()) };
    let room = buffer.len().saturating_sub(1);
    let end = (0..=name.len().min(room)).rev().find(|end| name.is_char_boundary(*end));
    let bytes = &name.as_bytes()[..end.unwrap_or(0)];
    buffer[..bytes.len()].copy_from_slice(bytes);
    buffer[bytes.len()] = 0;
    0
}

/// Sets the name of the calling thread. Returns an error number.
pub fn set_own_name(name: &CStr) -> c_int {
    let wide: Vec<u16> = name.to_string_lossy().encode_utf16().chain([0]).collect();
    // SAFETY: the calling thread exists, and the name is null-terminated.
    match unsafe { SetThreadDescription(GetCurrentThread(), wide.as_ptr()) } {
        ..0 => Errno::last().raw(),
        _ => 0,
    }
}

pub fn current_cpu() -> usize {
    // SAFETY: takes no arguments.
    unsafe { GetCurrentProcessorNumber() as usize }
}

/// The system's id of the calling thread. Not zero.
pub fn own_id() -> u32 {
    // SAFETY: takes no arguments.
    unsafe { GetCurrentThreadId() }
}

/// Whether this process has a thread with this id that has not exited.
pub fn exists(id: u64) -> bool {
    let Ok(id) = u32::try_from(id) else { return false };
    let access = THREAD_QUERY_LIMITED_INFORMATION | THREAD_SYNCHRONIZE;
    // SAFETY: takes numbers. Opens a handle if it succeeds.
    let thread = unsafe { OpenThread(access, 0, id) };
    if thread.is_null() {
        return false;
    }
    // SAFETY: the handle is open, and is not used after it is closed.
    unsafe {
        let is_own = GetProcessIdOfThread(thread) == GetCurrentProcessId();
        let is_running = WaitForSingleObject(thread, 0) == WAIT_TIMEOUT;
        CloseHandle(thread);
        is_own && is_running
    }
}

/// The priority of a thread, from -15 to 15, in the priority class of the process.
///
/// # Safety
/// The thread exists.
pub(crate) unsafe fn priority(thread: RawThread, _is_current: bool) -> Result<i32> {
    // SAFETY: the caller promises a thread.
    match unsafe { GetThreadPriority(thread as HANDLE) } {
        PRIORITY_ERROR => Err(Errno::last()),
        priority => Ok(priority),
    }
}

/// # Safety
/// The thread exists.
pub(crate) unsafe fn set_priority(
    thread: RawThread,
    _is_current: bool,
    priority: Priority,
) -> Result<()> {
    // The numbers are those of Windows.
    // SAFETY: the caller promises a thread.
    match unsafe { SetThreadPriority(thread as HANDLE, priority as c_int) } {
        0 => Err(Errno::last()),
        _ => Ok(()),
    }
}

/// # Safety
/// The thread exists.
pub unsafe fn affinity(thread: RawThread) -> Result<CpuSet> {
    // SAFETY: all bits of the struct may be zero.
    let mut found: GROUP_AFFINITY = unsafe { std::mem::zeroed() };
    // SAFETY: the caller promises a thread. The call fills a local variable.
    match unsafe { GetThreadGroupAffinity(thread as HANDLE, &raw mut found) } {
        0 => Err(Errno::last()),
        _ => Ok(CpuSet(found.Mask)),
    }
}

/// # Safety
/// The thread exists.
pub unsafe fn set_affinity(thread: RawThread, set: &CpuSet) -> Result<()> {
    // SAFETY: the caller promises a thread.
    match unsafe { SetThreadAffinityMask(thread as HANDLE, set.0) } {
        0 => Err(Errno::last()),
        _ => Ok(()),
    }
}

/// A set of CPUs of one group.
#[derive(Clone, Copy)]
pub struct CpuSet(usize);

impl CpuSet {
    /// The number of CPUs that a set can represent.
    #[doc(alias = "uv_cpumask_size")]
    pub const CAPACITY: usize = usize::BITS as usize;

    /// Whether the CPU is in the set.
    pub fn contains(&self, cpu: usize) -> bool {
        cpu < Self::CAPACITY && self.0 & 1 << cpu != 0
    }

    /// How many CPUs are in the set.
    pub(crate) fn len(&self) -> usize {
        self.0.count_ones() as usize
    }
}

impl FromIterator<usize> for CpuSet {
    /// Ignores numbers from [`CpuSet::CAPACITY`] on.
    fn from_iter<I: IntoIterator<Item = usize>>(cpus: I) -> Self {
        let possible = cpus.into_iter().filter(|cpu| *cpu < Self::CAPACITY);
        Self(possible.fold(0, |mask, cpu| mask | 1 << cpu))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thread::{Thread, set_current_name};

    #[test]
    fn a_thread_has_a_name_a_priority_and_an_affinity() {
        std::thread::spawn(|| {
            let own = Thread::current();
            set_current_name(c"a näme").unwrap();
            assert_eq!(own.name().unwrap().as_c_str(), c"a näme");
            own.set_priority(Priority::BelowNormal).unwrap();
            assert_eq!(own.priority(), Ok(-1));
            let all = own.affinity().unwrap();
            let first = (0..CpuSet::CAPACITY).find(|cpu| all.contains(*cpu)).unwrap();
            own.set_affinity(&[first].into_iter().collect()).unwrap();
            assert_eq!(own.affinity().unwrap().len(), 1);
            assert_eq!(crate::thread::current_cpu(), first);
            own.set_affinity(&all).unwrap();
        })
        .join()
        .unwrap();
    }
}
