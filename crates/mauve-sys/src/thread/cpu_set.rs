//! CPU affinity masks.

/// A set of CPUs (`cpu_set_t`).
#[derive(Clone, Copy)]
pub struct CpuSet(pub(crate) libc::cpu_set_t);

impl CpuSet {
    /// The number of CPUs that a set can represent.
    #[doc(alias = "uv_cpumask_size")]
    pub const CAPACITY: usize = libc::CPU_SETSIZE as usize;

    /// A set without any CPU.
    pub(crate) fn empty() -> Self {
        // SAFETY: `cpu_set_t` is an array of integers, and all zeros are the empty set.
        Self(unsafe { std::mem::zeroed() })
    }

    /// Whether the CPU is in the set.
    pub fn contains(&self, cpu: usize) -> bool {
        // SAFETY: the index is checked first.
        cpu < Self::CAPACITY && unsafe { libc::CPU_ISSET(cpu, &self.0) }
    }

    /// Adds a CPU. Ignores numbers from [`CpuSet::CAPACITY`] on.
    fn insert(&mut self, cpu: usize) {
        if cpu < Self::CAPACITY {
            // SAFETY: the index is within the set.
            unsafe { libc::CPU_SET(cpu, &mut self.0) }
        }
    }
}

impl FromIterator<usize> for CpuSet {
    fn from_iter<I: IntoIterator<Item = usize>>(cpus: I) -> Self {
        let mut set = Self::empty();
        cpus.into_iter().for_each(|cpu| set.insert(cpu));
        set
    }
}
