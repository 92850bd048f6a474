//! Sets of CPUs, as the scheduler takes them.

/// A set of CPUs.
#[derive(Clone, Copy)]
pub struct CpuSet(pub(super) libc::cpu_set_t);

impl CpuSet {
    /// How many CPUs a set can tell apart.
    #[doc(alias = "uv_cpumask_size")]
    pub const CAPACITY: usize = libc::CPU_SETSIZE as usize;

    /// A set without any CPU.
    pub fn empty() -> Self {
        // SAFETY: an array of integers; all zero is the empty set.
        Self(unsafe { std::mem::zeroed() })
    }

    /// Whether the CPU is in the set.
    pub fn contains(&self, cpu: usize) -> bool {
        // SAFETY: looks at one bit, after checking the index.
        cpu < Self::CAPACITY && unsafe { libc::CPU_ISSET(cpu, &self.0) }
    }

    /// Adds a CPU. One beyond [`CpuSet::CAPACITY`] is left out.
    pub fn insert(&mut self, cpu: usize) {
        if cpu < Self::CAPACITY {
            // SAFETY: sets one bit, within the set.
            unsafe { libc::CPU_SET(cpu, &mut self.0) }
        }
    }

    /// How many CPUs are in the set.
    pub fn len(&self) -> usize {
        // SAFETY: counts bits.
        unsafe { libc::CPU_COUNT(&self.0) as usize }
    }

    /// Whether no CPU is in the set.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl FromIterator<usize> for CpuSet {
    fn from_iter<I: IntoIterator<Item = usize>>(cpus: I) -> Self {
        let mut set = Self::empty();
        cpus.into_iter().for_each(|cpu| set.insert(cpu));
        set
    }
}
