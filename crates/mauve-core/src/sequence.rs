//! Sequence numbers of handles, by index. The number grows with every handle that is created.
//!
//! A program that starts a million timers creates them with consecutive numbers. A block of
//! consecutive numbers is stored as its first number.

/// Indices per block.
const BLOCK: usize = 256;

/// The sequence numbers of all handles in one slab.
#[derive(Default)]
pub(crate) struct SequenceNumbers {
    blocks: Vec<Block>,
    /// The number of indices that were ever set.
    len: usize,
}

enum Block {
    /// Consecutive numbers; this is the number of the first index.
    Consecutive(u64),
    /// One number for each index.
    Each(Vec<u64>),
}

impl SequenceNumbers {
    /// Sets the number of an index that was set before, or of the next new index.
    #[inline]
    pub fn set(&mut self, index: u32, sequence: u64) {
        let (block, offset) = split(index);
        match self.blocks.get_mut(block) {
            Some(Block::Consecutive(first)) if *first + offset as u64 == sequence => {}
            Some(Block::Each(numbers)) if offset < numbers.len() => numbers[offset] = sequence,
            _ => self.extend(block, offset, sequence),
        }
        self.len = self.len.max(index as usize + 1);
    }

    /// The number of an index that was set.
    #[inline]
    pub fn get(&self, index: u32) -> u64 {
        let (block, offset) = split(index);
        match &self.blocks[block] {
            Block::Consecutive(first) => first + offset as u64,
            Block::Each(numbers) => numbers[offset],
        }
    }

    #[cold]
    fn extend(&mut self, block: usize, offset: usize, sequence: u64) {
        let Some(found) = self.blocks.get_mut(block) else {
            debug_assert_eq!((block, offset), (self.blocks.len(), 0));
            self.blocks.push(Block::Consecutive(sequence));
            return;
        };
        if let Block::Consecutive(first) = *found {
            let len = BLOCK.min(self.len - block * BLOCK) as u64;
            *found = Block::Each((first..first + len).collect());
        }
        let Block::Each(numbers) = found else { return };
        match numbers.get_mut(offset) {
            Some(old) => *old = sequence,
            None => numbers.push(sequence),
        }
    }
}

fn split(index: u32) -> (usize, usize) {
    (index as usize / BLOCK, index as usize % BLOCK)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(numbers: &SequenceNumbers) -> Vec<u64> {
        (0..numbers.len as u32).map(|index| numbers.get(index)).collect()
    }

    #[test]
    fn consecutive_numbers_are_stored_once_per_block() {
        let mut numbers = SequenceNumbers::default();
        (0..1000).for_each(|index| numbers.set(index, 5000 + u64::from(index)));
        assert_eq!(all(&numbers), (5000..6000).collect::<Vec<u64>>());
        assert!(numbers.blocks.iter().all(|block| matches!(block, Block::Consecutive(_))));
    }

    #[test]
    fn numbers_with_gaps_and_reused_indices_are_exact() {
        let mut numbers = SequenceNumbers::default();
        let mut expected = Vec::new();
        for index in 0..1000_u32 {
            let sequence = u64::from(index) * if index < 600 { 1 } else { 3 };
            numbers.set(index, sequence);
            expected.push(sequence);
        }
        for (sequence, index) in [(9000, 3), (9001, 999), (9002, 3), (9003, 300)] {
            numbers.set(index, sequence);
            expected[index as usize] = sequence;
        }
        numbers.set(1000, 9004);
        expected.push(9004);
        assert_eq!(all(&numbers), expected);
    }
}
