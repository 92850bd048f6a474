//! The host on DragonFly BSD: `sysctl`.

use std::ffi::{CStr, c_int};
use std::time::Duration;

use rustix::process::Resource;

pub(crate) use super::arc4random::*;
use super::{sysctl, sysctl_names};
use crate::Result;
use crate::os::cpu::{CpuInfo, CpuTimes};
use crate::thread::stack::page_size;

/// `getrusage` has no usage of a thread.
pub(crate) const THREAD_USAGE: Option<c_int> = None;

/// The maximum resident set size is in kilobytes.
pub(crate) fn max_resident(kilobytes: u64) -> u64 {
    kilobytes
}

/// The resource limits that limit the memory of the process.
pub(crate) const MEMORY_LIMITS: &[Resource] = &[Resource::As, Resource::Data];

/// Reads a number of 32 or 64 bits: which one depends on the release.
fn number(name: &CStr) -> u64 {
    let number = sysctl_names::number(name);
    // SAFETY: every number is valid.
    let halves = number.and_then(|number| unsafe { sysctl::list::<u32>(&number, 2) });
    match halves.as_deref() {
        Ok([low]) => (*low).into(),
        // The system only runs on little-endian processors.
        Ok([low, high]) => u64::from(*high) << 32 | u64::from(*low),
        _ => 0,
    }
}

pub(crate) fn total_memory() -> u64 {
    number(c"hw.physmem")
}

/// Includes pages that are not in use any more.
pub(crate) fn free_memory() -> u64 {
    let pages = number(c"vm.stats.vm.v_free_count") + number(c"vm.stats.vm.v_inactive_count");
    pages * page_size() as u64
}

pub(crate) fn resident_memory() -> Result<usize> {
    // SAFETY: takes no arguments.
    let own = unsafe { libc::getpid() };
    let name = [libc::CTL_KERN, libc::KERN_PROC, libc::KERN_PROC_PID, own];
    // SAFETY: the struct consists of integers and pointers, which are not followed.
    let process: libc::kinfo_proc = unsafe { sysctl::value(&name) }?;
    Ok(process.kp_vm_rssize as usize * page_size())
}

pub(crate) fn cpus() -> Result<Vec<CpuInfo>> {
    let model = sysctl_names::number(c"hw.model").and_then(|number| sysctl::text(&number));
    let model = model.unwrap_or_else(|_| "unknown".to_owned());
    let speed = (number(c"hw.tsc_frequency") / 1_000_000) as u32;
    let name = sysctl_names::number(c"kern.cputime")?;
    // SAFETY: the struct consists of numbers.
    let found: Vec<libc::kinfo_cputime> = unsafe { sysctl::list(&name, 256) }?;
    let cpus = found.into_iter().map(|found| {
        // The times are in microseconds.
        let times = CpuTimes {
            user: Duration::from_micros(found.cp_user),
            nice: Duration::from_micros(found.cp_nice),
            system: Duration::from_micros(found.cp_sys),
            interrupts: Duration::from_micros(found.cp_intr),
            idle: Duration::from_micros(found.cp_idle),
        };
        CpuInfo { model: model.clone(), speed, times }
    });
    Ok(cpus.collect())
}
