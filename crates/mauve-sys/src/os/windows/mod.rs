//! The host on Windows.

use std::ffi::{CString, c_void};
use std::mem::MaybeUninit;
use std::path::PathBuf;
use std::ptr::null_mut;
use std::time::Duration;

use windows_sys::Wdk::System::SystemServices::RtlGetVersion;
use windows_sys::Win32::Foundation::{
    CloseHandle, ERROR_INVALID_PARAMETER, FILETIME, GetLastError, HANDLE, INVALID_HANDLE_VALUE,
};
use windows_sys::Win32::Networking::WinSock::GetHostNameW;
use windows_sys::Win32::Security::Cryptography::{
    BCRYPT_USE_SYSTEM_PREFERRED_RNG, BCryptGenRandom,
};
use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, PROCESSENTRY32W, Process32FirstW, Process32NextW, TH32CS_SNAPPROCESS,
};
use windows_sys::Win32::System::ProcessStatus::{K32GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS};
use windows_sys::Win32::System::SystemInformation::{
    GetNativeSystemInfo, GlobalMemoryStatusEx, MEMORYSTATUSEX, OSVERSIONINFOW,
    PROCESSOR_ARCHITECTURE_AMD64, PROCESSOR_ARCHITECTURE_ARM64, PROCESSOR_ARCHITECTURE_INTEL,
    SYSTEM_INFO,
};
use windows_sys::Win32::System::Threading::{
    ABOVE_NORMAL_PRIORITY_CLASS, BELOW_NORMAL_PRIORITY_CLASS, GetActiveProcessorCount,
    GetCurrentProcess, GetCurrentProcessId, GetCurrentThread, GetPriorityClass, GetProcessTimes,
    GetThreadTimes, HIGH_PRIORITY_CLASS, IDLE_PRIORITY_CLASS, NORMAL_PRIORITY_CLASS, OpenProcess,
    PROCESS_QUERY_LIMITED_INFORMATION, PROCESS_SET_INFORMATION, REALTIME_PRIORITY_CLASS,
    SetPriorityClass,
};

use super::machine::Uname;
use super::memory::MemoryLimit;
use super::process::{ResourceUsage, UsageScope};
use crate::clock::{self, Clock};
use crate::net::start;
use crate::thread::Thread;
use crate::{Errno, Result};

mod cpus;
pub mod credentials;
pub mod names;
mod registry;
pub mod time_zone;
pub mod users;

pub(crate) use cpus::cpus;

/// `ALL_PROCESSOR_GROUPS`.
const ALL_GROUPS: u16 = 0xffff;

pub(crate) fn uname() -> Result<Uname> {
    // SAFETY: all bits of the struct may be zero.
    let mut version: OSVERSIONINFOW = unsafe { std::mem::zeroed() };
    version.dwOSVersionInfoSize = size_of_val(&version) as u32;
    // SAFETY: the struct has the size that it names. The call cannot fail.
    unsafe { RtlGetVersion(&raw mut version) };
    let OSVERSIONINFOW { dwMajorVersion, dwMinorVersion, dwBuildNumber, .. } = version;
    let text = |text: String| CString::new(text).unwrap_or_default();
    // SAFETY: all bits of the struct may be zero.
    let mut info: SYSTEM_INFO = unsafe { std::mem::zeroed() };
    // SAFETY: fills a local variable.
    unsafe { GetNativeSystemInfo(&raw mut info) };
    // SAFETY: the architecture is one of the meanings of the union.
    let machine = match unsafe { info.Anonymous.Anonymous.wProcessorArchitecture } {
        PROCESSOR_ARCHITECTURE_AMD64 => c"x86_64",
        PROCESSOR_ARCHITECTURE_ARM64 => c"arm64",
        PROCESSOR_ARCHITECTURE_INTEL => c"i686",
        _ => c"unknown",
    };
    Ok(Uname {
        system: c"Windows_NT".to_owned(),
        release: text(format!("{dwMajorVersion}.{dwMinorVersion}.{dwBuildNumber}")),
        version: text(product(&version)),
        machine: machine.to_owned(),
    })
}

/// The name of the system, with its service pack.
fn product(version: &OSVERSIONINFOW) -> String {
    let key = r"SOFTWARE\Microsoft\Windows NT\CurrentVersion";
    let mut name = registry::text(key, "ProductName").unwrap_or_default();
    // Windows 11 has the name of Windows 10 there.
    if version.dwBuildNumber >= 22_000 {
        name = name.replacen("Windows 10", "Windows 11", 1);
    }
    let pack = String::from_utf16_lossy(&version.szCSDVersion);
    let pack = pack.split('\0').next().unwrap_or_default();
    if pack.is_empty() { name } else { format!("{name} {pack}") }
}

pub(crate) fn hostname() -> Result<CString> {
    start();
    let mut name = [0u16; 256];
    // SAFETY: the buffer has the size that is passed.
    unsafe { GetHostNameW(name.as_mut_ptr(), name.len() as i32) };
    let end = name.iter().position(|unit| *unit == 0).unwrap_or_default();
    Ok(CString::new(String::from_utf16_lossy(&name[..end])).unwrap_or_default())
}

pub(crate) fn parent_id() -> i32 {
    let found = parent_of_current();
    found.map_or(0, u32::cast_signed)
}

fn parent_of_current() -> Option<u32> {
    // SAFETY: takes numbers. Opens a handle if it succeeds.
    let snapshot = unsafe { CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0) };
    if snapshot == INVALID_HANDLE_VALUE {
        return None;
    }
    // SAFETY: all bits of the struct may be zero.
    let mut entry: PROCESSENTRY32W = unsafe { std::mem::zeroed() };
    entry.dwSize = size_of_val(&entry) as u32;
    // SAFETY: takes no arguments.
    let own = unsafe { GetCurrentProcessId() };
    // SAFETY: the snapshot is open, and the entry has the size that it names.
    let mut more = unsafe { Process32FirstW(snapshot, &raw mut entry) } != 0;
    while more && entry.th32ProcessID != own {
        // SAFETY: as above.
        more = unsafe { Process32NextW(snapshot, &raw mut entry) } != 0;
    }
    // SAFETY: it was opened above, and is not used afterwards.
    unsafe { CloseHandle(snapshot) };
    more.then_some(entry.th32ParentProcessID)
}

/// Calls `action` with a handle of a process. Zero means this process.
fn with_process<T>(pid: i32, access: u32, action: impl FnOnce(HANDLE) -> Result<T>) -> Result<T> {
    if pid == 0 {
        // SAFETY: takes no arguments. The result is no handle that has to be closed.
        return action(unsafe { GetCurrentProcess() });
    }
    // SAFETY: takes numbers. Opens a handle if it succeeds.
    let process = unsafe { OpenProcess(access, 0, pid.cast_unsigned()) };
    if process.is_null() {
        // SAFETY: takes no arguments.
        let unknown = unsafe { GetLastError() } == ERROR_INVALID_PARAMETER;
        return Err(if unknown { Errno::ESRCH } else { Errno::last() });
    }
    let result = action(process);
    // SAFETY: it was opened above, and is not used afterwards.
    unsafe { CloseHandle(process) };
    result
}

/// The priority classes, and the nice values that stand for them in libuv (`UV_PRIORITY_*`).
const PRIORITIES: [(u32, i32); 6] = [
    (REALTIME_PRIORITY_CLASS, -20),
    (HIGH_PRIORITY_CLASS, -14),
    (ABOVE_NORMAL_PRIORITY_CLASS, -7),
    (NORMAL_PRIORITY_CLASS, 0),
    (BELOW_NORMAL_PRIORITY_CLASS, 10),
    (IDLE_PRIORITY_CLASS, 19),
];

pub(crate) fn priority(pid: i32) -> Result<i32> {
    with_process(pid, PROCESS_QUERY_LIMITED_INFORMATION, |process| {
        // SAFETY: the handle is open.
        let class = unsafe { GetPriorityClass(process) };
        if class == 0 {
            return Err(Errno::last());
        }
        let found = PRIORITIES.iter().find(|(known, _)| *known == class);
        Ok(found.map_or(0, |(_, nice)| *nice))
    })
}

/// Sets the class with the highest nice value that is not greater.
pub(crate) fn set_priority(pid: i32, priority: i32) -> Result<()> {
    let fitting = PRIORITIES.iter().rev().find(|(_, nice)| *nice <= priority);
    let (class, _) = fitting.ok_or(Errno::EINVAL)?;
    with_process(pid, PROCESS_SET_INFORMATION, |process| {
        // SAFETY: the handle is open.
        if unsafe { SetPriorityClass(process, *class) } == 0 { Err(Errno::last()) } else { Ok(()) }
    })
}

pub(crate) fn resource_usage(scope: UsageScope) -> Result<ResourceUsage> {
    // SAFETY: all bits of the structs may be zero.
    let mut times: [FILETIME; 4] = unsafe { std::mem::zeroed() };
    let [created, ended, kernel, user] = &mut times;
    // SAFETY: the handles are constants for the calling thread and process. The calls fill local variables.
    let done = unsafe {
        match scope {
            UsageScope::Process => {
                GetProcessTimes(GetCurrentProcess(), created, ended, kernel, user)
            }
            UsageScope::Thread => GetThreadTimes(GetCurrentThread(), created, ended, kernel, user),
        }
    };
    if done == 0 {
        return Err(Errno::last());
    }
    let duration = |time: &FILETIME| {
        let units = u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime);
        Duration::from_nanos(units * 100)
    };
    let mut usage = ResourceUsage {
        user_time: duration(user),
        system_time: duration(kernel),
        ..ResourceUsage::default()
    };
    // The system counts these only for the process.
    if scope == UsageScope::Process {
        let counters = memory_counters()?;
        usage.max_resident = (counters.PeakWorkingSetSize / 1024) as u64;
        usage.major_faults = counters.PageFaultCount.into();
    }
    Ok(usage)
}

fn memory_counters() -> Result<PROCESS_MEMORY_COUNTERS> {
    // SAFETY: all bits of the struct may be zero.
    let mut counters: PROCESS_MEMORY_COUNTERS = unsafe { std::mem::zeroed() };
    let size = size_of_val(&counters) as u32;
    // SAFETY: the struct has the size that is passed.
    match unsafe { K32GetProcessMemoryInfo(GetCurrentProcess(), &raw mut counters, size) } {
        0 => Err(Errno::last()),
        _ => Ok(counters),
    }
}

/// Whether the program runs with more rights than its user has: not on Windows.
pub(crate) fn is_secure() -> bool {
    false
}

/// Jobs are not examined.
pub(crate) fn memory_limit() -> MemoryLimit {
    MemoryLimit::Unknown
}

fn memory_status() -> MEMORYSTATUSEX {
    // SAFETY: all bits of the struct may be zero.
    let mut status: MEMORYSTATUSEX = unsafe { std::mem::zeroed() };
    status.dwLength = size_of_val(&status) as u32;
    // SAFETY: the struct has the size that it names.
    unsafe { GlobalMemoryStatusEx(&raw mut status) };
    status
}

pub(crate) fn total_memory() -> u64 {
    memory_status().ullTotalPhys
}

pub(crate) fn free_memory() -> u64 {
    memory_status().ullAvailPhys
}

pub(crate) fn resident_memory() -> Result<usize> {
    memory_counters().map(|counters| counters.WorkingSetSize)
}

/// There are no control groups.
pub(crate) fn group_available_memory() -> Option<u64> {
    None
}

/// There are no control groups.
pub(crate) fn cpu_quota() -> Option<usize> {
    None
}

/// The number of CPUs in the affinity mask of the calling thread.
pub(crate) fn allowed_cpus() -> Option<usize> {
    Thread::current().affinity().ok().map(|set| set.len())
}

pub(crate) fn online_cpus() -> usize {
    // SAFETY: takes a number.
    unsafe { GetActiveProcessorCount(ALL_GROUPS) as usize }
}

pub(crate) fn current_exe() -> Result<PathBuf> {
    Ok(std::env::current_exe()?)
}

pub(crate) fn uptime() -> Duration {
    let (seconds, nanoseconds) = clock::now(Clock::Boottime);
    Duration::new(seconds.cast_unsigned(), nanoseconds)
}

/// Zeros: Windows has no load average.
pub(crate) fn load_average() -> [f64; 3] {
    [0.0; 3]
}

/// Fills `buffer` with random bytes.
pub(crate) fn fill_random(buffer: &mut [MaybeUninit<u8>]) -> Result<()> {
    for chunk in buffer.chunks_mut(1 << 30) {
        let (at, size) = (chunk.as_mut_ptr().cast(), chunk.len() as u32);
        // SAFETY: without an algorithm, the system chooses its own. The buffer has the size that is passed.
        let status = unsafe {
            BCryptGenRandom(null_mut::<c_void>(), at, size, BCRYPT_USE_SYSTEM_PREFERRED_RNG)
        };
        if status < 0 {
            return Err(crate::errno::from_status(status));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parent_of_a_process_is_found() {
        const PARENT: &str = "MAUVE_TEST_PARENT";
        if let Some(parent) = std::env::var_os(PARENT) {
            assert_eq!(parent_id().to_string().as_str(), parent);
            return;
        }
        let child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "os::windows::tests::the_parent_of_a_process_is_found"])
            .env(PARENT, std::process::id().to_string())
            .output()
            .unwrap();
        assert!(child.status.success(), "{child:?}");
    }

    #[test]
    fn a_priority_is_that_of_its_class() {
        let before = priority(0).unwrap();
        set_priority(0, 12).unwrap();
        assert_eq!(priority(0), Ok(10));
        set_priority(0, before).unwrap();
        assert_eq!(priority(i32::MAX), Err(Errno::ESRCH));
    }

    #[test]
    fn the_system_has_a_name_and_a_release() {
        let names = uname().unwrap();
        assert_eq!(names.system.as_c_str(), c"Windows_NT");
        assert!(names.release.to_bytes().contains(&b'.'));
        assert!(names.version.to_str().unwrap().contains("Windows "));
    }
}
