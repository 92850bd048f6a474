//! The earliest due time of a crowded slot whose earliest timer was stopped.
//!
//! Scanning such a slot each time would make a loop that stops its nearest timer in each iteration
//! quadratic. So the first scan puts all entries into a heap, and each later query removes the stale
//! ones from its top. An entry enters and leaves a heap once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Timers;

/// The heaps of the slots that have one. There are few: slots are queried one after the other.
#[derive(Default)]
pub(super) struct Earliest {
    heaps: Vec<(usize, BinaryHeap<Reverse<Start>>)>,
}

/// One start of one timer, ordered by due time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Start {
    due: u64,
    timer: u32,
    position: u32,
}

impl Earliest {
    /// Adds a heap for a slot without one.
    pub fn open(&mut self, slot: usize) {
        self.heaps.push((slot, BinaryHeap::new()));
    }

    /// Adds an entry of a slot with a heap.
    pub fn push(&mut self, slot: usize, due: u64, timer: u32, position: u32) {
        self.heap(slot).push(Reverse(Start { due, timer, position }));
    }

    /// The earliest due time of a slot with a heap and with live entries.
    pub fn query(&mut self, slot: usize, timers: &impl Timers) -> u64 {
        let heap = self.heap(slot);
        while let Some(Reverse(start)) = heap.peek().copied() {
            if timers.position(start.timer) == start.position {
                return start.due;
            }
            heap.pop();
        }
        u64::MAX
    }

    /// Drops the heap of a slot.
    pub fn close(&mut self, slot: usize) {
        self.heaps.retain(|(of, _)| *of != slot);
    }

    fn heap(&mut self, slot: usize) -> &mut BinaryHeap<Reverse<Start>> {
        let found = self.heaps.iter_mut().find(|(of, _)| *of == slot);
        &mut found.expect("a slot that is marked has a heap").1
    }
}
