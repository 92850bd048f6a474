//! The CPUs: their times from the kernel, and their description from the registry.

use std::time::Duration;

use windows_sys::Wdk::System::SystemInformation::{
    NtQuerySystemInformation, SystemProcessorPerformanceInformation,
};
use windows_sys::Win32::System::WindowsProgramming::SYSTEM_PROCESSOR_PERFORMANCE_INFORMATION;

use super::registry;
use crate::errno::from_status;
use crate::os::cpu::{CpuInfo, CpuTimes};
use crate::{Errno, Result};

/// All CPUs of the group of this process.
pub(crate) fn cpus() -> Result<Vec<CpuInfo>> {
    let count = super::online_cpus();
    // SAFETY: all bits of the struct may be zero.
    let mut all: Vec<SYSTEM_PROCESSOR_PERFORMANCE_INFORMATION> =
        vec![unsafe { std::mem::zeroed() }; count];
    let (at, size, mut written) = (all.as_mut_ptr().cast(), size_of_val(&*all) as u32, 0);
    // SAFETY: there is room for that many bytes, and the number of those that were written is stored in a
    // local variable.
    let status = unsafe {
        NtQuerySystemInformation(SystemProcessorPerformanceInformation, at, size, &raw mut written)
    };
    if status < 0 {
        return Err(from_status(status));
    }
    all.truncate(written as usize / size_of::<SYSTEM_PROCESSOR_PERFORMANCE_INFORMATION>());
    if all.is_empty() {
        return Err(Errno::EIO);
    }
    Ok(all.iter().enumerate().map(|(index, times)| describe(index, times)).collect())
}

fn describe(index: usize, info: &SYSTEM_PROCESSOR_PERFORMANCE_INFORMATION) -> CpuInfo {
    let key = format!(r"HARDWARE\DESCRIPTION\System\CentralProcessor\{index}");
    // In units of 100 ns.
    let time = |units: i64| Duration::from_nanos(units.max(0).cast_unsigned().saturating_mul(100));
    CpuInfo {
        model: registry::text(&key, "ProcessorNameString").unwrap_or_else(|| "unknown".to_owned()),
        speed: registry::number(&key, "~MHz").unwrap_or(0),
        times: CpuTimes {
            user: time(info.UserTime),
            nice: Duration::ZERO,
            // The time in the kernel contains the idle time.
            system: time(info.KernelTime - info.IdleTime),
            idle: time(info.IdleTime),
            // The time of interrupts follows that of deferred calls.
            interrupts: time(info.Reserved1[1]),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cpu_has_been_busy_or_idle() {
        let cpus = cpus().unwrap();
        assert_eq!(cpus.len(), super::super::online_cpus());
        assert!(cpus.iter().all(|cpu| cpu.times.idle + cpu.times.user > Duration::ZERO));
        assert!(cpus.iter().all(|cpu| !cpu.model.contains('\0')));
    }
}
