//! The host on NetBSD: `sysctl`.

use std::ffi::{CStr, c_int};
use std::time::Duration;

use rustix::process::Resource;

pub(crate) use super::arc4random::*;
use super::sysctl;
use crate::os::cpu::{CpuInfo, CpuTimes};
use crate::thread::stack::page_size;
use crate::{Errno, Result};

/// `getrusage` has no usage of a thread.
pub(crate) const THREAD_USAGE: Option<c_int> = None;

/// The maximum resident set size is in kilobytes.
pub(crate) fn max_resident(kilobytes: u64) -> u64 {
    kilobytes
}

/// The resource limits that limit the memory of the process.
pub(crate) const MEMORY_LIMITS: &[Resource] = &[Resource::As, Resource::Data];

/// Reads one value by name.
///
/// # Safety
/// Every bit pattern is a valid `T`.
unsafe fn by_name<T: Copy>(name: &CStr) -> Result<T> {
    let mut value = std::mem::MaybeUninit::<T>::zeroed();
    let mut size = size_of::<T>();
    // SAFETY: the name is null-terminated, and the buffer has the size that is passed.
    let failed = unsafe {
        let at = value.as_mut_ptr().cast();
        libc::sysctlbyname(name.as_ptr(), at, &raw mut size, std::ptr::null(), 0)
    } == -1;
    // A larger value than the buffer is an error, but is stored in part.
    if failed && Errno::last() != Errno::ENOMEM {
        return Err(Errno::last());
    }
    // SAFETY: zeroed or written, and the caller promises that every bit pattern is valid.
    Ok(unsafe { value.assume_init() })
}

pub(crate) fn total_memory() -> u64 {
    // SAFETY: every number is valid.
    unsafe { by_name::<u64>(c"hw.physmem64") }.unwrap_or(0)
}

pub(crate) fn free_memory() -> u64 {
    // The first fields of `struct uvmexp_sysctl`: the page size, and from the fifth on the number of
    // free pages.
    // SAFETY: every number is valid.
    let fields = unsafe { by_name::<[i64; 5]>(c"vm.uvmexp2") };
    fields.map_or(0, |[size, .., free]| size as u64 * free as u64)
}

pub(crate) fn resident_memory() -> Result<usize> {
    let size = size_of::<libc::kinfo_proc2>() as c_int;
    // SAFETY: takes no arguments.
    let own = unsafe { libc::getpid() };
    // The system stores as much of the struct as this size.
    let name = [libc::CTL_KERN, libc::KERN_PROC2, libc::KERN_PROC_PID, own, size, 1];
    // SAFETY: the struct consists of integers.
    let process: libc::kinfo_proc2 = unsafe { sysctl::value(&name) }?;
    Ok(process.p_vm_rssize as usize * page_size())
}

pub(crate) fn cpus() -> Result<Vec<CpuInfo>> {
    // SAFETY: every byte is valid.
    let model = unsafe { by_name::<[u8; 256]>(c"machdep.cpu_brand") };
    let model = model.ok().and_then(|bytes| {
        Some(CStr::from_bytes_until_nul(&bytes).ok()?.to_string_lossy().into_owned())
    });
    let model = model.unwrap_or_else(|| "unknown".to_owned());
    // SAFETY: `sysconf` takes and returns a number.
    let ticks = u64::try_from(unsafe { libc::sysconf(libc::_SC_CLK_TCK) }).unwrap_or(100);
    // SAFETY: `sysconf` takes and returns a number.
    let count = usize::try_from(unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) }).unwrap_or(1);
    // SAFETY: every number is valid.
    let numbers: Vec<u64> =
        unsafe { sysctl::list(&[libc::CTL_KERN, libc::KERN_CP_TIME], 5 * count) }?;
    let time = |ticks_so_far: u64| Duration::from_millis(ticks_so_far * 1000 / ticks);
    let cpus = numbers.chunks_exact(5).map(|numbers| {
        // CP_USER, CP_NICE, CP_SYS, CP_INTR, CP_IDLE.
        let times = CpuTimes {
            user: time(numbers[0]),
            nice: time(numbers[1]),
            system: time(numbers[2]),
            interrupts: time(numbers[3]),
            idle: time(numbers[4]),
        };
        CpuInfo { model: model.clone(), speed: 0, times }
    });
    Ok(cpus.collect())
}
