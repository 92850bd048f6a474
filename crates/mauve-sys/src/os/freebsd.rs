//! The host on FreeBSD: `sysctl`.

use std::ffi::{CStr, c_int, c_long, c_uint, c_ulong};
use std::time::Duration;

use rustix::process::Resource;

pub(crate) use super::arc4random::*;
use super::{sysctl, sysctl_names};
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
pub(crate) const MEMORY_LIMITS: &[Resource] = &[Resource::As, Resource::Data];

fn number(name: &CStr) -> u64 {
    let number = sysctl_names::number(name);
    // SAFETY: every number is valid.
    let value = number.and_then(|number| unsafe { sysctl::value::<c_uint>(&number) });
    value.map_or(0, u64::from)
}

pub(crate) fn total_memory() -> u64 {
    let number = sysctl_names::number(c"hw.physmem");
    // SAFETY: every number is valid.
    number.and_then(|number| unsafe { sysctl::value::<c_ulong>(&number) }).unwrap_or(0)
}

/// Includes pages that are not in use any more.
pub(crate) fn free_memory() -> u64 {
    let pages = number(c"vm.stats.vm.v_free_count") + number(c"vm.stats.vm.v_inactive_count");
    pages * page_size() as u64
}

// The size that the system reports in `ki_structsize`.
#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<libc::kinfo_proc>() == 1088);

pub(crate) fn resident_memory() -> Result<usize> {
    // SAFETY: takes no arguments.
    let own = unsafe { libc::getpid() };
    let name = [libc::CTL_KERN, libc::KERN_PROC, libc::KERN_PROC_PID, own];
    // SAFETY: the struct consists of integers and pointers, which are not followed.
    let process: libc::kinfo_proc = unsafe { sysctl::value(&name) }?;
    Ok(process.ki_rssize as usize * page_size())
}

pub(crate) fn cpus() -> Result<Vec<CpuInfo>> {
    let model = sysctl_names::number(c"hw.model").and_then(|number| sysctl::text(&number));
    let model = model.unwrap_or_else(|_| "unknown".to_owned());
    let speed = number(c"hw.clockrate") as u32;
    // SAFETY: `sysconf` takes and returns a number.
    let ticks = u64::try_from(unsafe { libc::sysconf(libc::_SC_CLK_TCK) }).unwrap_or(128);
    let name = sysctl_names::number(c"kern.cp_times")?;
    // SAFETY: every number is valid.
    let numbers: Vec<c_long> = unsafe { sysctl::list(&name, 5 * 1024) }?;
    let time = |ticks_so_far: c_long| Duration::from_millis(ticks_so_far as u64 * 1000 / ticks);
    let cpus = numbers.chunks_exact(5).map(|numbers| {
        // CP_USER, CP_NICE, CP_SYS, CP_INTR, CP_IDLE.
        let times = CpuTimes {
            user: time(numbers[0]),
            nice: time(numbers[1]),
            system: time(numbers[2]),
            interrupts: time(numbers[3]),
            idle: time(numbers[4]),
        };
        CpuInfo { model: model.clone(), speed, times }
    });
    Ok(cpus.collect())
}
