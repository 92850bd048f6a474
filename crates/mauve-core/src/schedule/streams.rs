//! How many bytes a read or a write takes. The kernel promises no more than one.

use std::io::IoSlice;

use super::{DecisionKind, LoopSchedule};

impl LoopSchedule {
    /// How many bytes of a buffer with this many a read may fill.
    pub fn read_length(&self, length: usize) -> usize {
        const LENGTHS: [usize; 8] = [usize::MAX, 1, 2, 3, 5, 13, 64, 1000];
        let subject = |choice: usize| format!("at most {} bytes", LENGTHS[choice].min(length));
        LENGTHS[self.decide(DecisionKind::Read, LENGTHS.len(), subject)].min(length)
    }

    /// The part of `slices` that a write takes.
    pub fn write_part<'a>(&self, slices: &'a [IoSlice<'a>]) -> Vec<IoSlice<'a>> {
        let total: usize = slices.iter().map(|slice| slice.len()).sum();
        let lengths = [total, 1, total / 2, total.saturating_sub(1)];
        let options = if total > 1 { lengths.len() } else { 1 };
        let subject = |choice: usize| format!("{} of {total} bytes", lengths[choice]);
        let mut left = lengths[self.decide(DecisionKind::Write, options, subject)];
        let part = slices.iter().map(|slice| {
            let length = slice.len().min(left);
            left -= length;
            IoSlice::new(&slice[..length])
        });
        part.filter(|slice| !slice.is_empty()).collect()
    }
}
