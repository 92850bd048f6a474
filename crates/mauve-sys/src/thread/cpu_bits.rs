//! CPU affinity masks of systems without a type for them.

/// A set of CPUs.
#[derive(Clone, Copy)]
pub struct CpuSet([u64; Self::CAPACITY / 64]);

impl CpuSet {
    /// The number of CPUs that a set can represent.
    #[doc(alias = "uv_cpumask_size")]
    pub const CAPACITY: usize = 1024;

    /// Whether the CPU is in the set.
    pub fn contains(&self, cpu: usize) -> bool {
        cpu < Self::CAPACITY && self.0[cpu / 64] & 1 << (cpu % 64) != 0
    }

    /// How many CPUs are in the set.
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
}

impl FromIterator<usize> for CpuSet {
    /// Ignores numbers from [`CpuSet::CAPACITY`] on.
    fn from_iter<I: IntoIterator<Item = usize>>(cpus: I) -> Self {
        let mut set = Self([0; Self::CAPACITY / 64]);
        for cpu in cpus.into_iter().filter(|cpu| *cpu < Self::CAPACITY) {
            set.0[cpu / 64] |= 1 << (cpu % 64);
        }
        set
    }
}
