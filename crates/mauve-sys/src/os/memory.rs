//! The memory of the host, and the limits and usage of this process.

use super::{common, system};
use crate::Result;

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
    #[allow(dead_code)] // Only some platforms use it.
    pub(crate) fn min(self, other: Self) -> Self {
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
    system::total_memory()
}

/// The memory that is available without swapping, in bytes. Includes reclaimable caches.
#[doc(alias = "uv_get_free_memory")]
pub fn free() -> u64 {
    system::free_memory()
}

/// The memory limit of this process: the minimum of its control group and its resource limits.
#[doc(alias = "uv_get_constrained_memory")]
pub fn constrained() -> MemoryLimit {
    common::memory_limit()
}

/// The memory that this process can still allocate, in bytes: the free memory, limited by what is
/// left to its control group.
#[doc(alias = "uv_get_available_memory")]
pub fn available() -> u64 {
    free().min(system::group_available_memory().unwrap_or(u64::MAX))
}

/// The resident set size of this process in bytes.
#[doc(alias = "uv_resident_set_memory")]
pub fn resident() -> Result<usize> {
    system::resident_memory()
}

#[cfg(test)]
mod tests {
    use super::*;

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
