//! The memory of the host, and the limits and usage of this process.

use rustix::process::{Resource, getrlimit};
use rustix::system::sysinfo;

use super::cgroup::Cgroup;
use crate::{Errno, Result};

/// A limit of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryLimit {
    /// The limit cannot be determined.
    Unknown,
    /// No limit is set.
    None,
    /// This many bytes.
    Bytes(u64),
}

impl MemoryLimit {
    /// The smaller of two limits.
    pub(super) fn min(self, other: Self) -> Self {
        match (self, other) {
            (Self::Bytes(one), Self::Bytes(two)) => Self::Bytes(one.min(two)),
            (Self::Bytes(bytes), _) | (_, Self::Bytes(bytes)) => Self::Bytes(bytes),
            (Self::None, _) | (_, Self::None) => Self::None,
            (Self::Unknown, Self::Unknown) => Self::Unknown,
        }
    }
}

/// The total memory of the host in bytes.
#[doc(alias = "uv_get_total_memory")]
pub fn total() -> u64 {
    meminfo("MemTotal").unwrap_or_else(|| {
        let info = sysinfo();
        info.totalram as u64 * u64::from(info.mem_unit)
    })
}

/// The memory that is available without swapping, in bytes. Includes reclaimable caches.
#[doc(alias = "uv_get_free_memory")]
pub fn free() -> u64 {
    meminfo("MemAvailable").unwrap_or_else(|| {
        let info = sysinfo();
        info.freeram as u64 * u64::from(info.mem_unit)
    })
}

/// The memory limit of this process: the minimum of its control group and its resource limits.
#[doc(alias = "uv_get_constrained_memory")]
pub fn constrained() -> MemoryLimit {
    let group = Cgroup::of_this_process("memory");
    let group = group.map_or(MemoryLimit::Unknown, |group| group.memory_limit());
    let own = [Resource::As, Resource::Data].into_iter().filter_map(|of| getrlimit(of).current);
    own.map(MemoryLimit::Bytes).fold(group, MemoryLimit::min)
}

/// The memory that this process can still allocate, in bytes: the free memory, limited by what is
/// left to its control group.
#[doc(alias = "uv_get_available_memory")]
pub fn available() -> u64 {
    let available = Cgroup::of_this_process("memory").and_then(|group| group.available_memory());
    free().min(available.unwrap_or(u64::MAX))
}

/// The resident set size of this process in bytes.
#[doc(alias = "uv_resident_set_memory")]
pub fn resident() -> Result<usize> {
    let pages = super::read("/proc/self/statm")?;
    let pages = pages.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok());
    pages.map(|pages| pages * crate::thread::stack::page_size()).ok_or(Errno::EIO)
}

fn meminfo(name: &str) -> Option<u64> {
    parse_meminfo(&super::read("/proc/meminfo").ok()?, name)
}

/// Parses lines of the form `name: number kB`.
fn parse_meminfo(text: &str, name: &str) -> Option<u64> {
    let mut lines = text.lines().filter_map(|line| line.split_once(':'));
    let (_, value) = lines.find(|(found, _)| *found == name)?;
    let kilobytes: u64 = value.trim().strip_suffix("kB")?.trim_end().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_meminfo_is_found_by_its_full_name() {
        let text = "MemTotal:       2048 kB\nMemFree: 1 kB\nHugePages_Total:       0\n";
        assert_eq!(parse_meminfo(text, "MemTotal"), Some(2 << 20));
        assert_eq!(parse_meminfo(text, "Mem"), None);
    }

    #[test]
    fn the_values_of_this_host_are_consistent() {
        assert!(free() <= total());
        assert!(available() <= free() + (64 << 20));
        assert!((1..total() as usize).contains(&resident().unwrap()));
    }

    #[test]
    fn a_number_is_less_than_no_limit_and_no_limit_is_less_than_unknown() {
        assert_eq!(MemoryLimit::Bytes(1).min(MemoryLimit::None), MemoryLimit::Bytes(1));
        assert_eq!(MemoryLimit::Unknown.min(MemoryLimit::None), MemoryLimit::None);
    }
}
