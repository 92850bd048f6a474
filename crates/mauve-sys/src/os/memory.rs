//! Memory: what the machine has, what this process may have and what it uses.

use rustix::process::{Resource, getrlimit};
use rustix::system::sysinfo;

use super::cgroup::Group;
use crate::{Errno, Result};

/// A bound that somebody set, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// There is no means to set one, or it cannot be read.
    Unknown,
    /// There is such a means, and it is not used.
    None,
    /// This many bytes.
    Bytes(u64),
}

impl Limit {
    /// Of two limits that both hold, the one that is felt first.
    pub(super) fn tighter(self, other: Self) -> Self {
        match (self, other) {
            (Self::Bytes(one), Self::Bytes(two)) => Self::Bytes(one.min(two)),
            (Self::Bytes(bytes), _) | (_, Self::Bytes(bytes)) => Self::Bytes(bytes),
            (Self::None, _) | (_, Self::None) => Self::None,
            (Self::Unknown, Self::Unknown) => Self::Unknown,
        }
    }
}

/// How many bytes of memory the machine has.
#[doc(alias = "uv_get_total_memory")]
pub fn total() -> u64 {
    meminfo("MemTotal").unwrap_or_else(|| {
        let info = sysinfo();
        info.totalram as u64 * u64::from(info.mem_unit)
    })
}

/// How many bytes programs could get without swapping, caches that can be dropped included.
#[doc(alias = "uv_get_free_memory")]
pub fn free() -> u64 {
    meminfo("MemAvailable").unwrap_or_else(|| {
        let info = sysinfo();
        info.freeram as u64 * u64::from(info.mem_unit)
    })
}

/// How many bytes this process is allowed to use, by its control group and its resource limits.
#[doc(alias = "uv_get_constrained_memory")]
pub fn constrained() -> Limit {
    let group = Group::of_this_process("memory");
    let group = group.map_or(Limit::Unknown, |group| group.memory_limit());
    let own = [Resource::As, Resource::Data].into_iter().filter_map(|of| getrlimit(of).current);
    own.map(Limit::Bytes).fold(group, Limit::tighter)
}

/// How many bytes this process can still get: what is free, or less if its control group is
/// near its limit.
#[doc(alias = "uv_get_available_memory")]
pub fn available() -> u64 {
    let left = Group::of_this_process("memory").and_then(|group| group.memory_left());
    free().min(left.unwrap_or(u64::MAX))
}

/// How many bytes of this process are in memory now.
#[doc(alias = "uv_resident_set_memory")]
pub fn resident() -> Result<usize> {
    let pages = super::read("/proc/self/statm")?;
    let pages = pages.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok());
    pages.map(|pages| pages * crate::thread::stack::page_size()).ok_or(Errno::EIO)
}

fn meminfo(name: &str) -> Option<u64> {
    parse_meminfo(&super::read("/proc/meminfo").ok()?, name)
}

/// Lines are `name: number kB`.
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
    fn a_line_of_meminfo_is_found_by_its_whole_name() {
        let text = "MemTotal:       2048 kB\nMemFree: 1 kB\nHugePages_Total:       0\n";
        assert_eq!(parse_meminfo(text, "MemTotal"), Some(2 << 20));
        assert_eq!(parse_meminfo(text, "Mem"), None);
    }

    #[test]
    fn the_figures_of_this_machine_agree() {
        assert!(free() <= total());
        assert!(available() <= free() + (64 << 20));
        assert!((1..total() as usize).contains(&resident().unwrap()));
    }

    #[test]
    fn a_number_is_tighter_than_no_limit_and_that_says_more_than_nothing() {
        assert_eq!(Limit::Bytes(1).tighter(Limit::None), Limit::Bytes(1));
        assert_eq!(Limit::Unknown.tighter(Limit::None), Limit::None);
    }
}
