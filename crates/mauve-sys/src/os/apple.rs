//! The host on Apple's systems: Mach and `sysctl`.

#![allow(deprecated)] // The crate libc refers to another crate for the functions of Mach.

use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::time::Duration;

use rustix::process::Resource;

pub(crate) use super::arc4random::*;
use super::{sysctl, sysctl_names};
use crate::os::cpu::{CpuInfo, CpuTimes};
use crate::thread::stack::page_size;
use crate::{Errno, Result};

/// `getrusage` has no usage of a thread.
pub(crate) const THREAD_USAGE: Option<c_int> = None;

/// Converts the maximum resident set size to kilobytes.
pub(crate) fn max_resident(bytes: u64) -> u64 {
    bytes / 1024
}

/// The resource limits that limit the memory of the process.
pub(crate) const MEMORY_LIMITS: &[Resource] = &[Resource::As, Resource::Data];

pub(crate) fn total_memory() -> u64 {
    let number = sysctl_names::number(c"hw.memsize");
    // SAFETY: every number is valid.
    number.and_then(|number| unsafe { sysctl::value::<u64>(&number) }).unwrap_or(0)
}

pub(crate) fn free_memory() -> u64 {
    let mut statistics = MaybeUninit::<libc::vm_statistics64>::zeroed();
    let mut count = libc::HOST_VM_INFO64_COUNT;
    // SAFETY: the count is that of the integers of the struct, of which all bit patterns are valid.
    let found = unsafe {
        let at = statistics.as_mut_ptr().cast();
        libc::host_statistics64(libc::mach_host_self(), libc::HOST_VM_INFO64, at, &raw mut count);
        statistics.assume_init()
    };
    u64::from(found.free_count + found.inactive_count) * page_size() as u64
}

pub(crate) fn resident_memory() -> Result<usize> {
    let mut info = MaybeUninit::<libc::proc_taskinfo>::zeroed();
    let size = size_of::<libc::proc_taskinfo>() as c_int;
    // SAFETY: the buffer has the size that is passed.
    let written = unsafe {
        let at = info.as_mut_ptr().cast();
        libc::proc_pidinfo(libc::getpid(), libc::PROC_PIDTASKINFO, 0, at, size)
    };
    if written != size {
        return Err(Errno::last());
    }
    // SAFETY: the call has filled the struct, which consists of integers.
    Ok(unsafe { info.assume_init() }.pti_resident_size as usize)
}

pub(crate) fn cpus() -> Result<Vec<CpuInfo>> {
    let text = |name| sysctl_names::number(name).and_then(|number| sysctl::text(&number));
    let model = text(c"machdep.cpu.brand_string").unwrap_or_else(|_| "unknown".to_owned());
    // Not available on Apple's processors.
    let frequency = sysctl_names::number(c"hw.cpufrequency");
    // SAFETY: every number is valid.
    let frequency = frequency.and_then(|number| unsafe { sysctl::value::<u64>(&number) });
    let speed = (frequency.unwrap_or(0) / 1_000_000) as u32;
    let (mut count, mut list, mut length) = (0, std::ptr::null_mut(), 0);
    // SAFETY: the call stores a list of integers, which is deallocated below.
    let result = unsafe {
        libc::host_processor_info(
            libc::mach_host_self(),
            libc::PROCESSOR_CPU_LOAD_INFO,
            &raw mut count,
            &raw mut list,
            &raw mut length,
        )
    };
    if result != libc::KERN_SUCCESS {
        return Err(Errno::EIO);
    }
    // SAFETY: `sysconf` takes and returns a number.
    let ticks = u64::try_from(unsafe { libc::sysconf(libc::_SC_CLK_TCK) }).unwrap_or(100);
    // SAFETY: the call has stored this many integers.
    let numbers = unsafe { std::slice::from_raw_parts(list, length as usize) };
    let states = libc::CPU_STATE_MAX as usize;
    let cpus = numbers.chunks_exact(states).map(|numbers| {
        let time = |state: c_int| {
            Duration::from_millis(u64::from(numbers[state as usize].cast_unsigned()) * 1000 / ticks)
        };
        let times = CpuTimes {
            user: time(libc::CPU_STATE_USER),
            nice: time(libc::CPU_STATE_NICE),
            system: time(libc::CPU_STATE_SYSTEM),
            idle: time(libc::CPU_STATE_IDLE),
            interrupts: Duration::ZERO,
        };
        CpuInfo { model: model.clone(), speed, times }
    });
    let cpus = cpus.collect();
    let size = length as usize * size_of::<c_int>();
    // SAFETY: the call has allocated this memory for us, and it is not used afterwards.
    unsafe { libc::vm_deallocate(libc::mach_task_self(), list as libc::vm_address_t, size) };
    Ok(cpus)
}
