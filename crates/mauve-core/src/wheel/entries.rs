//! The storage of the wheel: queues of entries, in blocks that are linked by index.
//!
//! An entry is the index of a timer. It has a *position*, a number that no other entry has while its
//! block is in use. The timer stores the position of its current entry, so an entry whose timer has
//! another position is stale.

use crate::growth::make_room;

/// Entries of a block. With the link, a block fills two cache lines.
pub(super) const ENTRIES_PER_BLOCK: usize = 31;

/// Positions per block. A power of two, so that block and offset are bit fields of a position.
const STRIDE: u32 = 32;

/// The index of no block.
const NONE: u32 = u32::MAX;

/// The largest position that an entry can have. Larger numbers of 31 bits are free for other uses.
pub(crate) const LAST_POSITION: u32 = (1 << 31) - 1 - STRIDE;

/// The blocks of all queues.
#[derive(Default)]
pub(super) struct Blocks {
    blocks: Vec<Block>,
    free: Option<u32>,
}

struct Block {
    entries: [u32; ENTRIES_PER_BLOCK],
    /// The next block of its queue, or of the free list.
    next: u32,
}

/// A queue of entries.
#[derive(Clone, Copy)]
pub(super) struct Queue {
    first: u32,
    last: u32,
    /// Entries in the last block; all others are full. A queue without blocks counts as full.
    fill: u32,
}

/// A copy of the entries of one block.
pub(super) struct Part {
    pub entries: [u32; ENTRIES_PER_BLOCK],
    /// The number of entries.
    pub fill: usize,
    block: u32,
}

impl Part {
    /// The position of an entry.
    pub fn position(&self, offset: usize) -> u32 {
        self.block * STRIDE + offset as u32
    }
}

impl Queue {
    pub const EMPTY: Self = Self { first: NONE, last: NONE, fill: ENTRIES_PER_BLOCK as u32 };
}

impl Blocks {
    /// Appends an entry and returns its position.
    #[inline]
    pub fn push(&mut self, queue: &mut Queue, timer: u32) -> u32 {
        if queue.fill as usize == ENTRIES_PER_BLOCK {
            self.lengthen(queue);
        }
        let offset = queue.fill;
        self.blocks[queue.last as usize].entries[offset as usize] = timer;
        queue.fill += 1;
        queue.last * STRIDE + offset
    }

    /// Copies the first block of a queue that was taken off its slot. The block stays in use, so
    /// that its positions stay unique, until [`release`](Self::release).
    pub fn first(&self, queue: &Queue) -> Option<Part> {
        let block = self.blocks.get(queue.first as usize)?;
        let fill = if queue.first == queue.last { queue.fill as usize } else { ENTRIES_PER_BLOCK };
        Some(Part { entries: block.entries, fill, block: queue.first })
    }

    /// Frees the first block of a queue. Returns the number of its entries, or `None` if the queue is
    /// empty.
    pub fn release(&mut self, queue: &mut Queue) -> Option<usize> {
        let block = self.blocks.get_mut(queue.first as usize)?;
        let next = std::mem::replace(&mut block.next, self.free.unwrap_or(NONE));
        self.free = Some(queue.first);
        let fill = if queue.first == queue.last { queue.fill as usize } else { ENTRIES_PER_BLOCK };
        queue.first = next;
        Some(fill)
    }

    /// The number of blocks, used and free.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Appends an empty block to a queue.
    #[inline(never)]
    fn lengthen(&mut self, queue: &mut Queue) {
        let block = self.allocate();
        match self.blocks.get_mut(queue.last as usize) {
            Some(last) => last.next = block,
            None => queue.first = block,
        }
        queue.last = block;
        queue.fill = 0;
    }

    fn allocate(&mut self) -> u32 {
        if let Some(block) = self.free {
            let next = std::mem::replace(&mut self.blocks[block as usize].next, NONE);
            self.free = (next != NONE).then_some(next);
            return block;
        }
        make_room(&mut self.blocks, 1);
        self.blocks.push(Block { entries: [0; ENTRIES_PER_BLOCK], next: NONE });
        let block = self.blocks.len() as u32 - 1;
        assert!(block <= LAST_POSITION / STRIDE, "fewer than 2^31 entries");
        block
    }
}
