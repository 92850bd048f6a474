//! A table of reusable slots.

use std::ops::{Index, IndexMut};

use crate::growth::make_room;

/// A growing array with a free list.
///
/// A freed slot keeps its value, so that the next user can reuse its memory or read its generation.
/// The user defines how a stale key is detected.
#[derive(Debug)]
pub struct Slots<T> {
    slots: Vec<T>,
    free: Vec<u32>,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Slots<T> {
    /// An empty table.
    pub const fn new() -> Self {
        Self { slots: Vec::new(), free: Vec::new() }
    }

    /// Takes the slot that was freed last. If none is free, appends one with the value that `fresh`
    /// returns for its index.
    #[inline]
    pub fn take(&mut self, fresh: impl FnOnce(usize) -> T) -> usize {
        match self.free.pop() {
            Some(index) => index as usize,
            None => {
                let index = self.slots.len();
                assert!(index < u32::MAX as usize, "fewer than 2^32 slots");
                make_room(&mut self.slots, 1);
                self.slots.push(fresh(index));
                index
            }
        }
    }

    /// Frees a slot that was taken.
    #[inline]
    pub fn free(&mut self, index: usize) {
        self.free.push(index as u32);
    }

    /// How many slots there are, taken and free.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether no slot was ever taken.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// How many slots are taken.
    pub fn taken(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// The value of the slot at an index, if it exists.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&T> {
        self.slots.get(index)
    }

    /// As [`get`](Self::get), mutably.
    #[inline]
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        self.slots.get_mut(index)
    }

    /// All slots, taken and free.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.slots.iter()
    }

    /// As [`iter`](Self::iter), mutably.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.slots.iter_mut()
    }
}

impl<T> Index<usize> for Slots<T> {
    type Output = T;

    #[inline]
    fn index(&self, index: usize) -> &T {
        &self.slots[index]
    }
}

impl<T> IndexMut<usize> for Slots<T> {
    #[inline]
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut self.slots[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_freed_slot_is_taken_next_and_keeps_its_value() {
        let mut slots = Slots::new();
        let keys: Vec<_> = (0..3).map(|_| slots.take(|index| index * 10)).collect();
        assert_eq!(keys, [0, 1, 2]);
        slots.free(0);
        slots.free(2);
        assert_eq!((slots.len(), slots.taken()), (3, 1));
        assert_eq!(slots.take(|_| unreachable!()), 2);
        assert_eq!(slots[2], 20);
        assert_eq!(slots.take(|_| unreachable!()), 0);
        assert_eq!(slots.take(|_| 7), 3);
        assert_eq!((slots.get(3), slots.get(4)), (Some(&7), None));
    }
}
