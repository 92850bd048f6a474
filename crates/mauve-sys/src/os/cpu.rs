//! The CPUs of the host, and the available parallelism.

use std::time::Duration;

use super::{common, system};
use crate::Result;

/// Information about a CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CpuInfo {
    /// The model name, or "unknown".
    pub model: String,
    /// The frequency in MHz; 0 if it is unknown.
    pub speed: u32,
    /// The time that the CPU has spent in each state since boot.
    pub times: CpuTimes,
}

/// The time that a CPU has spent in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CpuTimes {
    /// In user mode.
    pub user: Duration,
    /// In user mode with low priority (nice).
    pub nice: Duration,
    /// In kernel mode.
    pub system: Duration,
    /// Idle.
    pub idle: Duration,
    /// Serving interrupts.
    pub interrupts: Duration,
}

/// The number of threads that can run in parallel: the CPUs in the affinity mask of the calling
/// thread, limited by the quota of the control group where the system has them.
#[doc(alias = "uv_available_parallelism")]
pub fn available_parallelism() -> usize {
    let allowed = system::allowed_cpus().unwrap_or_else(common::online_cpus);
    allowed.min(system::cpu_quota().unwrap_or(usize::MAX)).max(1)
}

/// All online CPUs.
#[doc(alias = "uv_cpu_info")]
pub fn list() -> Result<Vec<CpuInfo>> {
    system::cpus()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(windows, ignore = "the CPUs are not described")]
    fn this_host_has_a_cpu() {
        assert!(!list().unwrap().is_empty());
        assert!((1..=common::online_cpus()).contains(&available_parallelism()));
    }
}
