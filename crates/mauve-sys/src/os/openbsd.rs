//! The host on OpenBSD: `sysctl`.

use std::ffi::c_int;
use std::time::Duration;

use rustix::process::Resource;

pub(crate) use super::arc4random::*;
use super::sysctl;
use crate::Result;
use crate::os::cpu::{CpuInfo, CpuTimes};
use crate::thread::stack::page_size;

/// The argument of `getrusage` for the calling thread.
pub(crate) const THREAD_USAGE: Option<c_int> = Some(libc::RUSAGE_THREAD);

/// The maximum resident set size is in kilobytes.
pub(crate) fn max_resident(kilobytes: u64) -> u64 {
    kilobytes
}

/// The resource limits that limit the memory of the process.
pub(crate) const MEMORY_LIMITS: &[Resource] = &[Resource::Data];

pub(crate) fn total_memory() -> u64 {
    // SAFETY: every number is valid.
    unsafe { sysctl::value::<i64>(&[libc::CTL_HW, libc::HW_PHYSMEM64]) }.unwrap_or(0) as u64
}

pub(crate) fn free_memory() -> u64 {
    // SAFETY: `sysconf` takes and returns a number.
    let pages = unsafe { libc::sysconf(libc::_SC_AVPHYS_PAGES) };
    u64::try_from(pages).unwrap_or(0) * page_size() as u64
}

pub(crate) fn resident_memory() -> Result<usize> {
    let size = size_of::<libc::kinfo_proc>() as c_int;
    // SAFETY: takes no arguments.
    let own = unsafe { libc::getpid() };
    let name = [libc::CTL_KERN, libc::KERN_PROC, libc::KERN_PROC_PID, own, size, 1];
    // SAFETY: the struct consists of integers.
    let process: libc::kinfo_proc = unsafe { sysctl::value(&name) }?;
    Ok(process.p_vm_rssize as usize * page_size())
}

pub(crate) fn cpus() -> Result<Vec<CpuInfo>> {
    let model = sysctl::text(&[libc::CTL_HW, libc::HW_MODEL]);
    let model = model.unwrap_or_else(|_| "unknown".to_owned());
    // SAFETY: every number is valid.
    let speed = unsafe { sysctl::value::<c_int>(&[libc::CTL_HW, libc::HW_CPUSPEED]) };
    let speed = speed.unwrap_or(0).unsigned_abs();
    // SAFETY: `sysconf` takes and returns a number.
    let ticks = u64::try_from(unsafe { libc::sysconf(libc::_SC_CLK_TCK) }).unwrap_or(100);
    // SAFETY: every number is valid.
    let count = unsafe { sysctl::value::<c_int>(&[libc::CTL_HW, libc::HW_NCPU]) }?;
    let time = |ticks_so_far: u64| Duration::from_millis(ticks_so_far * 1000 / ticks);
    let mut cpus = Vec::new();
    for number in 0..count {
        // SAFETY: every number is valid. The states are user, nice, system, spinning, interrupts, idle.
        let found =
            unsafe { sysctl::value::<[u64; 6]>(&[libc::CTL_KERN, libc::KERN_CPTIME2, number]) };
        // A processor that is turned off has no times.
        let Ok([user, nice, system, spinning, interrupts, idle]) = found else { continue };
        let times = CpuTimes {
            user: time(user),
            nice: time(nice),
            system: time(system + spinning),
            interrupts: time(interrupts),
            idle: time(idle),
        };
        cpus.push(CpuInfo { model: model.clone(), speed, times });
    }
    Ok(cpus)
}
