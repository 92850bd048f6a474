//! Creation numbers of handles, by index. The number grows with every handle of the engine.
//!
//! A program that starts a million timers creates them with consecutive numbers. Such a run is
//! stored once per block.

/// Indices per block.
const BLOCK: usize = 256;

#[derive(Default)]
pub(crate) struct Births {
    blocks: Vec<Block>,
    /// The number of indices that were ever set.
    len: usize,
}

enum Block {
    /// The birth of the first index; each following index has a birth one larger.
    Run(u64),
    Each(Vec<u64>),
}

impl Births {
    /// Sets the birth of an index: one that was set before, or the next one.
    #[inline]
    pub fn set(&mut self, index: u32, born: u64) {
        let (block, offset) = split(index);
        match self.blocks.get_mut(block) {
            Some(Block::Run(first)) if *first + offset as u64 == born => {}
            Some(Block::Each(births)) if offset < births.len() => births[offset] = born,
            _ => self.extend(block, offset, born),
        }
        self.len = self.len.max(index as usize + 1);
    }

    /// The birth of an index that was set.
    #[inline]
    pub fn get(&self, index: u32) -> u64 {
        let (block, offset) = split(index);
        match &self.blocks[block] {
            Block::Run(first) => first + offset as u64,
            Block::Each(births) => births[offset],
        }
    }

    #[cold]
    fn extend(&mut self, block: usize, offset: usize, born: u64) {
        let Some(found) = self.blocks.get_mut(block) else {
            debug_assert_eq!((block, offset), (self.blocks.len(), 0));
            self.blocks.push(Block::Run(born));
            return;
        };
        if let Block::Run(first) = *found {
            let len = BLOCK.min(self.len - block * BLOCK) as u64;
            *found = Block::Each((first..first + len).collect());
        }
        let Block::Each(births) = found else { return };
        match births.get_mut(offset) {
            Some(old) => *old = born,
            None => births.push(born),
        }
    }
}

fn split(index: u32) -> (usize, usize) {
    (index as usize / BLOCK, index as usize % BLOCK)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(births: &Births) -> Vec<u64> {
        (0..births.len as u32).map(|index| births.get(index)).collect()
    }

    #[test]
    fn consecutive_births_are_stored_once_per_block() {
        let mut births = Births::default();
        (0..1000).for_each(|index| births.set(index, 5000 + u64::from(index)));
        assert_eq!(all(&births), (5000..6000).collect::<Vec<u64>>());
        assert!(births.blocks.iter().all(|block| matches!(block, Block::Run(_))));
    }

    #[test]
    fn births_with_gaps_and_reused_indices_are_exact() {
        let mut births = Births::default();
        let mut expected = Vec::new();
        for index in 0..1000_u32 {
            let born = u64::from(index) * if index < 600 { 1 } else { 3 };
            births.set(index, born);
            expected.push(born);
        }
        for (born, index) in [(9000, 3), (9001, 999), (9002, 3), (9003, 300)] {
            births.set(index, born);
            expected[index as usize] = born;
        }
        births.set(1000, 9004);
        expected.push(9004);
        assert_eq!(all(&births), expected);
    }
}
