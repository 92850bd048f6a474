//! The host on all Unix systems.

use std::ffi::{CStr, CString, c_char};
use std::time::Duration;

use rustix::process::getrlimit;

use super::machine::Uname;
use super::memory::MemoryLimit;
use super::process::{ResourceUsage, UsageScope};
use super::system;
use crate::{Errno, Result, errno};

/// The names of the operating system and of the hardware.
pub fn uname() -> Result<Uname> {
    // SAFETY: a struct of byte arrays, which may be zero.
    let mut names: libc::utsname = unsafe { std::mem::zeroed() };
    // SAFETY: the call fills the struct with null-terminated names.
    if unsafe { libc::uname(&raw mut names) } == -1 {
        return Err(Errno::last());
    }
    Ok(Uname {
        system: name(&names.sysname),
        release: name(&names.release),
        version: name(&names.version),
        machine: name(&names.machine),
    })
}

/// The host name.
pub fn hostname() -> Result<CString> {
    let mut name = [0u8; 256];
    // SAFETY: the call writes at most the size of `name`.
    if unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1) } == -1 {
        return Err(Errno::last());
    }
    Ok(CStr::from_bytes_until_nul(&name).unwrap_or_default().into())
}

/// The name at the beginning of a field.
#[allow(clippy::unnecessary_cast)] // The type differs between architectures.
fn name(field: &[c_char]) -> CString {
    let bytes: Vec<_> =
        field.iter().map(|&byte| byte as u8).take_while(|&byte| byte != 0).collect();
    CString::new(bytes).unwrap_or_default()
}

/// The id of the parent process.
pub fn parent_id() -> i32 {
    // SAFETY: the call has no arguments and cannot fail.
    unsafe { libc::getppid() }
}

/// The nice value of a process, from -20 (highest priority) to 19. 0 means this process.
pub fn priority(pid: i32) -> Result<i32> {
    let pid = existing(pid)?;
    // SAFETY: takes numbers. The address of `errno` is valid.
    let (priority, error) = unsafe {
        *errno::location() = 0;
        (libc::getpriority(libc::PRIO_PROCESS, pid as _), *errno::location())
    };
    // -1 is also a priority.
    if priority == -1 && error != 0 { Err(Errno::from_raw(error)) } else { Ok(priority) }
}

/// Sets the nice value of a process. 0 means this process.
pub fn set_priority(pid: i32, priority: i32) -> Result<()> {
    let pid = existing(pid)?;
    // SAFETY: takes numbers.
    match unsafe { libc::setpriority(libc::PRIO_PROCESS, pid as _, priority) } {
        -1 => Err(Errno::last()),
        _ => Ok(()),
    }
}

/// Converts a process id. `ESRCH` if it is negative. The type that the calls take differs between the systems.
fn existing(pid: i32) -> Result<u32> {
    u32::try_from(pid).map_err(|_| Errno::ESRCH)
}

/// The resource usage so far. Linux does not maintain the other fields of `struct rusage`. `ENOSYS`
/// for a thread where the system has no such usage.
pub fn resource_usage(scope: UsageScope) -> Result<ResourceUsage> {
    let who = match scope {
        UsageScope::Process => libc::RUSAGE_SELF,
        UsageScope::Thread => system::THREAD_USAGE.ok_or(Errno::ENOSYS)?,
    };
    let mut raw = std::mem::MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: `raw` has the size of a `rusage`, which the call fills if it succeeds.
    if unsafe { libc::getrusage(who, raw.as_mut_ptr()) } != 0 {
        return Err(Errno::last());
    }
    // SAFETY: the call has succeeded.
    let raw = unsafe { raw.assume_init() };
    let time = |time: libc::timeval| Duration::new(time.tv_sec as u64, time.tv_usec as u32 * 1000);
    Ok(ResourceUsage {
        user_time: time(raw.ru_utime),
        system_time: time(raw.ru_stime),
        max_resident: system::max_resident(raw.ru_maxrss as u64),
        minor_faults: raw.ru_minflt as u64,
        major_faults: raw.ru_majflt as u64,
        blocks_in: raw.ru_inblock as u64,
        blocks_out: raw.ru_oublock as u64,
        voluntary_switches: raw.ru_nvcsw as u64,
        involuntary_switches: raw.ru_nivcsw as u64,
    })
}

/// The minimum of the limits of the control group and of the process.
pub fn memory_limit() -> MemoryLimit {
    let own = system::MEMORY_LIMITS.iter().filter_map(|of| getrlimit(*of).current);
    own.map(MemoryLimit::Bytes).fold(system::group_memory_limit(), MemoryLimit::min)
}

/// The number of online CPUs.
pub fn online_cpus() -> usize {
    // SAFETY: `sysconf` takes and returns a number.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) }).unwrap_or(1)
}
