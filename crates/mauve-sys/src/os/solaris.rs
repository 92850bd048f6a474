//! The host on illumos and Solaris: kstat and procfs.

use std::ffi::{CStr, c_char, c_int, c_long, c_void};
use std::fs::File;
use std::mem::offset_of;
use std::os::unix::fs::FileExt as _;
use std::time::Duration;

use rustix::process::Resource;

pub(crate) use super::arc4random::*;
use crate::os::cpu::{CpuInfo, CpuTimes};
use crate::thread::stack::page_size;
use crate::{Errno, Result};

/// The argument of `getrusage` for the calling thread (`RUSAGE_LWP`).
pub(crate) const THREAD_USAGE: Option<c_int> = Some(1);

/// Converts the maximum resident set size, which is in pages, to kilobytes.
pub(crate) fn max_resident(pages: u64) -> u64 {
    pages * (page_size() as u64 / 1024)
}

/// The resource limits that limit the memory of the process.
pub(crate) const MEMORY_LIMITS: &[Resource] = &[Resource::As, Resource::Data];

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

/// The beginning of `struct psinfo`, which the crate libc does not declare.
#[repr(C)]
struct ProcessInfo {
    /// Flags, number of threads, ids of the process and of its users and groups.
    ids: [c_int; 10],
    address: usize,
    kilobytes: usize,
    resident_kilobytes: usize,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(offset_of!(ProcessInfo, resident_kilobytes) == 56);

pub(crate) fn resident_memory() -> Result<usize> {
    let offset = offset_of!(ProcessInfo, resident_kilobytes) as u64;
    let mut kilobytes = [0; size_of::<usize>()];
    File::open("/proc/self/psinfo")?.read_exact_at(&mut kilobytes, offset)?;
    Ok(usize::from_ne_bytes(kilobytes) * 1024)
}

pub(crate) fn cpus() -> Result<Vec<CpuInfo>> {
    let control = Control::open()?;
    // SAFETY: `sysconf` takes and returns a number.
    let ticks = u64::try_from(unsafe { libc::sysconf(libc::_SC_CLK_TCK) }).unwrap_or(100);
    // SAFETY: `sysconf` takes and returns a number.
    let highest = unsafe { libc::sysconf(libc::_SC_CPUID_MAX) };
    let cpus = (0..=highest).filter_map(|number| {
        let times = control.find(c"cpu", number, c"sys")?;
        let time =
            |name: &CStr| Duration::from_millis(times.number(name).unwrap_or(0) * 1000 / ticks);
        let info = control.find(c"cpu_info", number, std::ptr::null());
        let model = info.as_ref().and_then(|info| info.text(c"brand"));
        let speed = info.as_ref().and_then(|info| info.number(c"clock_MHz")).unwrap_or(0);
        Some(CpuInfo {
            model: model.unwrap_or_else(|| "unknown".to_owned()),
            speed: speed as u32,
            times: CpuTimes {
                user: time(c"cpu_ticks_user"),
                system: time(c"cpu_ticks_kernel"),
                idle: time(c"cpu_ticks_idle"),
                ..CpuTimes::default()
            },
        })
    });
    Ok(cpus.collect())
}

/// The statistics of the kernel.
struct Control(*mut c_void);

/// One set of named values, which belongs to a [`Control`].
struct Statistics<'a>(*mut c_void, std::marker::PhantomData<&'a Control>);

/// The name of a set; null for the first one of the module.
trait SetName {
    fn pointer(self) -> *const c_char;
}

impl SetName for &CStr {
    fn pointer(self) -> *const c_char {
        self.as_ptr()
    }
}

impl SetName for *const c_char {
    fn pointer(self) -> *const c_char {
        self
    }
}

impl Control {
    fn open() -> Result<Self> {
        // SAFETY: takes no arguments.
        let control = unsafe { kstat_open() };
        if control.is_null() { Err(Errno::last()) } else { Ok(Self(control)) }
    }

    /// Finds and reads a set of values.
    fn find(&self, module: &CStr, instance: c_long, name: impl SetName) -> Option<Statistics<'_>> {
        let instance = c_int::try_from(instance).ok()?;
        // SAFETY: the control is open, and the names are null-terminated or null.
        let found = unsafe { kstat_lookup(self.0, module.as_ptr(), instance, name.pointer()) };
        // SAFETY: the set was just found, and null means that its data are stored in it.
        let read =
            !found.is_null() && unsafe { kstat_read(self.0, found, std::ptr::null_mut()) } != -1;
        read.then_some(Statistics(found, std::marker::PhantomData))
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        // SAFETY: it was opened by `open`, and is closed once.
        unsafe { kstat_close(self.0) };
    }
}

/// `struct kstat_named`, whose value is a union.
#[repr(C)]
struct Named {
    name: [c_char; 31],
    kind: u8,
    value: [u64; 2],
}

const _: () = assert!(size_of::<Named>() == 48 && offset_of!(Named, value) == 32);

impl Statistics<'_> {
    fn named(&self, name: &CStr) -> Option<&Named> {
        // SAFETY: the set was read, and the name is null-terminated. The result is null or a value of
        // the set, which lives as long as the control.
        unsafe { kstat_data_lookup(self.0, name.as_ptr()).as_ref() }
    }

    fn number(&self, name: &CStr) -> Option<u64> {
        const INT32: u8 = 1;
        const UINT64: u8 = 4;
        let found = self.named(name)?;
        match found.kind {
            // SAFETY: a 32-bit number is stored at the beginning of the union.
            INT32..=2 => Some(unsafe { *(&raw const found.value).cast::<u32>() }.into()),
            3..=UINT64 => Some(found.value[0]),
            _ => None,
        }
    }

    fn text(&self, name: &CStr) -> Option<String> {
        const STRING: u8 = 9;
        let found = self.named(name).filter(|found| found.kind == STRING)?;
        let pointer = found.value[0] as usize as *const c_char;
        // SAFETY: a string is a pointer to a null-terminated text of the set.
        let text = unsafe { (!pointer.is_null()).then(|| CStr::from_ptr(pointer)) }?;
        Some(text.to_string_lossy().into_owned())
    }
}

#[link(name = "kstat")]
unsafe extern "C" {
    fn kstat_open() -> *mut c_void;
    fn kstat_close(control: *mut c_void) -> c_int;
    fn kstat_lookup(
        control: *mut c_void,
        module: *const c_char,
        instance: c_int,
        name: *const c_char,
    ) -> *mut c_void;
    fn kstat_read(control: *mut c_void, set: *mut c_void, data: *mut c_void) -> c_int;
    fn kstat_data_lookup(set: *mut c_void, name: *const c_char) -> *mut Named;
}
