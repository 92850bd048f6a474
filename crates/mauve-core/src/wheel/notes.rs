//! The storage of the wheel: queues of notes, in blocks that are linked by index.
//!
//! A note is the index of a timer. It has a *position*, a number that no other note has while its
//! block is in use. The timer stores the position of its current note, so a note whose timer has
//! another position is dead.

use crate::growth::make_room;

/// Notes of a block. With the link, a block fills two cache lines.
pub(super) const NOTES: usize = 31;

/// Positions of a block: a power of two, so that a position splits by bits.
const STRIDE: u32 = 32;

/// The index of no block.
const NONE: u32 = u32::MAX;

/// The largest position that a note can have. Larger numbers of 31 bits are free for other uses.
pub(crate) const LAST_POSITION: u32 = (1 << 31) - 1 - STRIDE;

/// The blocks of all queues.
#[derive(Default)]
pub(super) struct Blocks {
    blocks: Vec<Block>,
    free: Option<u32>,
}

struct Block {
    notes: [u32; NOTES],
    /// The next block of its queue, or of the free list.
    next: u32,
}

/// A queue of notes.
#[derive(Clone, Copy)]
pub(super) struct Queue {
    first: u32,
    last: u32,
    /// Notes in the last block; all others are full. A queue without blocks counts as full.
    fill: u32,
}

/// A part of a queue that was taken: the notes of one block.
pub(super) struct Part {
    pub notes: [u32; NOTES],
    /// The number of notes.
    pub fill: usize,
    block: u32,
}

impl Part {
    /// The position of a note.
    pub fn position(&self, offset: usize) -> u32 {
        self.block * STRIDE + offset as u32
    }
}

impl Queue {
    pub const EMPTY: Self = Self { first: NONE, last: NONE, fill: NOTES as u32 };
}

impl Blocks {
    /// Appends a note and returns its position.
    #[inline]
    pub fn push(&mut self, queue: &mut Queue, timer: u32) -> u32 {
        if queue.fill as usize == NOTES {
            self.lengthen(queue);
        }
        let offset = queue.fill;
        self.blocks[queue.last as usize].notes[offset as usize] = timer;
        queue.fill += 1;
        queue.last * STRIDE + offset
    }

    /// Copies the first block of a queue that was taken off its slot. The block stays in use, so
    /// that its positions stay unique, until [`release`](Self::release).
    pub fn first(&self, queue: &Queue) -> Option<Part> {
        let block = self.blocks.get(queue.first as usize)?;
        let fill = if queue.first == queue.last { queue.fill as usize } else { NOTES };
        Some(Part { notes: block.notes, fill, block: queue.first })
    }

    /// Frees the first block of a queue. Returns the number of its notes, or `None` if the queue is
    /// empty.
    pub fn release(&mut self, queue: &mut Queue) -> Option<usize> {
        let block = self.blocks.get_mut(queue.first as usize)?;
        let next = std::mem::replace(&mut block.next, self.free.unwrap_or(NONE));
        self.free = Some(queue.first);
        let fill = if queue.first == queue.last { queue.fill as usize } else { NOTES };
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
        self.blocks.push(Block { notes: [0; NOTES], next: NONE });
        let block = self.blocks.len() as u32 - 1;
        assert!(block <= LAST_POSITION / STRIDE, "fewer than 2^31 notes");
        block
    }
}
