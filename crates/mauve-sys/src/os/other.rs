//! The host on systems without files of their own: what `sysconf` and devices provide.

use std::ffi::c_int;
use std::fs::File;
use std::io::Read as _;
use std::mem::MaybeUninit;

use rustix::process::Resource;

pub(crate) use super::unix::*;
use crate::os::cpu::CpuInfo;
use crate::thread::stack::page_size;
use crate::{Errno, Result};

/// `getrusage` has no usage of a thread.
pub(crate) const THREAD_USAGE: Option<c_int> = None;

/// The maximum resident set size is taken to be in kilobytes.
pub(crate) fn max_resident(kilobytes: u64) -> u64 {
    kilobytes
}

/// The resource limits that limit the memory of the process.
pub(crate) const MEMORY_LIMITS: &[Resource] = &[Resource::As, Resource::Data];

/// Whether the program runs with more rights than its user has.
pub(crate) fn is_secure() -> bool {
    // SAFETY: they take no arguments.
    unsafe { libc::getuid() != libc::geteuid() || libc::getgid() != libc::getegid() }
}

/// Zeros: the system does not report it.
pub(crate) fn load_average() -> [f64; 3] {
    [0.0; 3]
}

fn pages(name: c_int) -> u64 {
    // SAFETY: `sysconf` takes and returns a number.
    u64::try_from(unsafe { libc::sysconf(name) }).unwrap_or(0) * page_size() as u64
}

pub(crate) fn total_memory() -> u64 {
    pages(libc::_SC_PHYS_PAGES)
}

pub(crate) fn free_memory() -> u64 {
    pages(libc::_SC_AVPHYS_PAGES)
}

pub(crate) fn resident_memory() -> Result<usize> {
    Err(Errno::ENOSYS)
}

pub(crate) fn cpus() -> Result<Vec<CpuInfo>> {
    Err(Errno::ENOSYS)
}

/// Fills `buffer` with random bytes.
pub(crate) fn fill_random(buffer: &mut [MaybeUninit<u8>]) -> Result<()> {
    let mut bytes = vec![0; buffer.len()];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    for (to, from) in buffer.iter_mut().zip(bytes) {
        to.write(from);
    }
    Ok(())
}
