//! The CPUs: their times from the kernel, and their description from the registry.

use std::ffi::c_void;
use std::ptr::null_mut;
use std::time::Duration;

use windows_sys::Wdk::System::SystemInformation::{
    NtQuerySystemInformation, SystemProcessorPerformanceInformation,
};
use windows_sys::Win32::System::Registry::{
    HKEY_LOCAL_MACHINE, RRF_RT_REG_DWORD, RRF_RT_REG_SZ, RegGetValueW,
};
use windows_sys::Win32::System::WindowsProgramming::SYSTEM_PROCESSOR_PERFORMANCE_INFORMATION;

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
    let key = wide(&format!(r"HARDWARE\DESCRIPTION\System\CentralProcessor\{index}"));
    // In units of 100 ns.
    let time = |units: i64| Duration::from_nanos(units.max(0).cast_unsigned().saturating_mul(100));
    CpuInfo {
        model: model(&key).unwrap_or_else(|| "unknown".to_owned()),
        speed: speed(&key).unwrap_or(0),
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

fn model(key: &[u16]) -> Option<String> {
    let mut text = [0u16; 128];
    let size = value(key, "ProcessorNameString", RRF_RT_REG_SZ, text.as_mut_ptr().cast(), 256)?;
    let text = String::from_utf16_lossy(&text[..size / 2]);
    Some(text.trim_end_matches('\0').trim().to_owned())
}

fn speed(key: &[u16]) -> Option<u32> {
    let mut speed = 0u32;
    value(key, "~MHz", RRF_RT_REG_DWORD, (&raw mut speed).cast(), 4)?;
    Some(speed)
}

/// Reads a value of at most `size` bytes of the registry to `at`. Returns its size.
fn value(key: &[u16], name: &str, kind: u32, at: *mut c_void, size: u32) -> Option<usize> {
    let (name, mut size) = (wide(name), size);
    let key = key.as_ptr();
    // SAFETY: both names end with a zero, and the caller has room for that many bytes.
    let result = unsafe {
        let (root, none) = (HKEY_LOCAL_MACHINE, null_mut());
        RegGetValueW(root, key, name.as_ptr(), kind, none, at, &raw mut size)
    };
    (result == 0).then_some(size as usize)
}

fn wide(text: &str) -> Vec<u16> {
    text.encode_utf16().chain([0]).collect()
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
