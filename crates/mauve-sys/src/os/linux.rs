//! The host on Linux: procfs, sysfs and control groups.

use std::mem::MaybeUninit;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::io::Errno as SystemError;
use rustix::process::Resource;
use rustix::rand::{GetRandomFlags, getrandom};
use rustix::system::sysinfo;

use super::cgroup::Cgroup;
use crate::clock::{self, Clock};
use crate::os::cpu::{CpuInfo, CpuTimes};
use crate::os::device::read_device;
use crate::os::memory::MemoryLimit;
use crate::{Errno, Result, decimal};

/// The argument of `getrusage` for the calling thread.
pub(crate) const THREAD_USAGE: Option<libc::c_int> = Some(libc::RUSAGE_THREAD);

/// The maximum resident set size is in kilobytes.
pub(crate) fn max_resident(kilobytes: u64) -> u64 {
    kilobytes
}

/// The resource limits that limit the memory of the process.
pub(crate) const MEMORY_LIMITS: &[Resource] = &[Resource::As, Resource::Data];

/// Whether the program runs with more rights than its user has.
pub(crate) fn is_secure() -> bool {
    // SAFETY: reads a number that the kernel has passed to the process.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}

pub(crate) fn current_exe() -> Result<PathBuf> {
    Ok(std::fs::read_link("/proc/self/exe")?)
}

/// Reads a file of procfs or sysfs.
pub(super) fn read(path: impl AsRef<Path>) -> Result<String> {
    Ok(std::fs::read_to_string(path)?)
}

pub(crate) fn uptime() -> Duration {
    // A container may have an uptime of its own here.
    let text = read("/proc/uptime").ok();
    let seconds = text.as_deref().and_then(|text| decimal::parse(text.split(' ').next()?));
    seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).unwrap_or_else(|| {
        let (seconds, nanoseconds) = clock::now(Clock::Boottime);
        Duration::new(seconds as u64, nanoseconds)
    })
}

pub(crate) fn load_average() -> [f64; 3] {
    let text = read("/proc/loadavg").ok();
    // `sysinfo` returns fixed-point numbers with 16 fractional bits.
    text.as_deref()
        .and_then(parse_load)
        .unwrap_or_else(|| sysinfo().loads.map(|load| load as f64 / 65536.0))
}

fn parse_load(text: &str) -> Option<[f64; 3]> {
    let mut numbers = text.split(' ').map(decimal::parse);
    let mut next = || numbers.next()?;
    Some([next()?, next()?, next()?])
}

pub(crate) fn total_memory() -> u64 {
    meminfo("MemTotal").unwrap_or_else(|| {
        let info = sysinfo();
        info.totalram as u64 * u64::from(info.mem_unit)
    })
}

/// Includes reclaimable caches.
pub(crate) fn free_memory() -> u64 {
    meminfo("MemAvailable").unwrap_or_else(|| {
        let info = sysinfo();
        info.freeram as u64 * u64::from(info.mem_unit)
    })
}

/// The limit of the control group.
pub(crate) fn group_memory_limit() -> MemoryLimit {
    let group = Cgroup::of_this_process("memory");
    group.map_or(MemoryLimit::Unknown, |group| group.memory_limit())
}

/// What is left to the control group. As in libuv nothing if `/proc` cannot be read, because the group
/// is unknown then.
pub(crate) fn group_available_memory() -> Option<u64> {
    if meminfo("MemAvailable").is_none() {
        return Some(0);
    }
    Cgroup::of_this_process("memory").and_then(|group| group.available_memory())
}

pub(crate) fn resident_memory() -> Result<usize> {
    let pages = read("/proc/self/statm")?;
    let pages = pages.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok());
    pages.map(|pages| pages * crate::thread::stack::page_size()).ok_or(Errno::EIO)
}

fn meminfo(name: &str) -> Option<u64> {
    parse_meminfo(&read("/proc/meminfo").ok()?, name)
}

/// Parses lines of the form `name: number kB`.
fn parse_meminfo(text: &str, name: &str) -> Option<u64> {
    let mut lines = text.lines().filter_map(|line| line.split_once(':'));
    let (_, value) = lines.find(|(found, _)| *found == name)?;
    let kilobytes: u64 = value.trim().strip_suffix("kB")?.trim_end().parse().ok()?;
    Some(kilobytes * 1024)
}

/// The number of CPUs in the affinity mask of the calling thread. Calls the function that libuv calls,
/// because tools replace it.
pub(crate) fn allowed_cpus() -> Option<usize> {
    // SAFETY: all zeros are the empty set.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    // SAFETY: the set has the size that is passed. The thread 0 is the calling one.
    let result = unsafe { libc::sched_getaffinity(0, size_of_val(&set), &raw mut set) };
    // SAFETY: reads the set.
    (result == 0).then(|| unsafe { libc::CPU_COUNT(&set) } as usize)
}

/// The quota of the control group.
pub(crate) fn cpu_quota() -> Option<usize> {
    Cgroup::of_this_process("cpu").and_then(|group| group.cpu_limit())
}

/// All online CPUs.
pub(crate) fn cpus() -> Result<Vec<CpuInfo>> {
    let stat = read("/proc/stat")?;
    // Some containers do not have this file.
    let descriptions = read("/proc/cpuinfo").unwrap_or_default();
    let cpus = times(&stat, ticks_per_second()).map(|(number, times)| {
        let model = model(&descriptions, number).unwrap_or("unknown").to_owned();
        CpuInfo { model, speed: highest_speed(number).unwrap_or(0), times }
    });
    Ok(cpus.collect())
}

/// The highest frequency of a CPU in MHz. As in libuv, `/proc/cpuinfo` is not considered.
fn highest_speed(number: usize) -> Option<u32> {
    let path = format!("/sys/devices/system/cpu/cpu{number}/cpufreq/scaling_max_freq");
    let kilohertz: u32 = read(path).ok()?.trim().parse().ok()?;
    Some(kilohertz / 1000)
}

/// Parses lines of the form `cpu<number> <user> <nice> <system> <idle> <iowait> <irq> ...`, in
/// ticks. The line without a number is the sum.
fn times(stat: &str, ticks_per_second: u64) -> impl Iterator<Item = (usize, CpuTimes)> {
    let time = move |ticks: u64| Duration::from_millis(ticks * 1000 / ticks_per_second);
    stat.lines().filter_map(move |line| {
        let mut fields = line.strip_prefix("cpu")?.split(' ');
        let number = fields.next()?.parse().ok()?;
        let mut next =
            || fields.next().and_then(|field| field.parse().ok()).map_or(Duration::ZERO, time);
        let (user, nice, system, idle, _iowait) = (next(), next(), next(), next(), next());
        Some((number, CpuTimes { user, nice, system, idle, interrupts: next() }))
    })
}

fn ticks_per_second() -> u64 {
    // SAFETY: `sysconf` takes and returns a number.
    u64::try_from(unsafe { libc::sysconf(libc::_SC_CLK_TCK) }).unwrap_or(100)
}

/// The model of a CPU. Each CPU has a paragraph with lines `name : value`.
fn model(descriptions: &str, number: usize) -> Option<&str> {
    let number = number.to_string();
    let paragraph =
        descriptions.split("\n\n").find(|text| value(text, "processor") == Some(&number))?;
    // The field depends on the architecture: x86, MIPS, POWER.
    ["model name", "cpu model", "cpu"].iter().find_map(|name| value(paragraph, name))
}

fn value<'a>(paragraph: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = paragraph.lines().filter_map(|line| line.split_once(':'));
    lines.find(|(found, _)| found.trim() == name).map(|(_, value)| value.trim())
}

/// Fills `buffer` with random bytes.
pub(crate) fn fill_random(buffer: &mut [MaybeUninit<u8>]) -> Result<()> {
    let mut rest = buffer;
    while !rest.is_empty() {
        match getrandom(&mut *rest, GetRandomFlags::empty()) {
            Ok((filled, _)) => {
                let filled = filled.len();
                rest = &mut rest[filled..];
            }
            Err(SystemError::INTR) => {}
            // Some sandboxes do not allow `getrandom`.
            Err(SystemError::NOSYS | SystemError::PERM) => return read_device(rest),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_load_average_is_the_first_three_numbers() {
        assert_eq!(parse_load("0.59 0.31 0.34 3/85 27703\n"), Some([0.59, 0.31, 0.34]));
        assert_eq!(parse_load("0.59 x"), None);
    }

    #[test]
    fn a_line_of_meminfo_is_found_by_its_full_name() {
        let text = "MemTotal:       2048 kB\nMemFree: 1 kB\nHugePages_Total:       0\n";
        assert_eq!(parse_meminfo(text, "MemTotal"), Some(2 << 20));
        assert_eq!(parse_meminfo(text, "Mem"), None);
    }

    const STAT: &str = "cpu  3 0 0 0 0 0\ncpu0 100 2 3 4 5 6 7\ncpu2 1\nintr 9\n";

    #[test]
    fn a_line_with_a_number_is_a_cpu() {
        let found: Vec<_> = times(STAT, 100).collect();
        let ms = Duration::from_millis;
        let first = CpuTimes {
            user: ms(1000),
            nice: ms(20),
            system: ms(30),
            idle: ms(40),
            interrupts: ms(60),
        };
        assert_eq!(found, [(0, first), (2, CpuTimes { user: ms(10), ..CpuTimes::default() })]);
    }

    #[test]
    fn the_model_of_a_cpu_is_in_the_paragraph_with_its_number() {
        let text = "processor\t: 0\nmodel name\t: A\n\nprocessor\t: 1\nmodel name\t: B: c\n";
        assert_eq!(model(text, 1), Some("B: c"));
        assert_eq!(model(text, 0), Some("A"));
        assert_eq!(model(text, 7), None);
    }
}
