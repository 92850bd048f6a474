//! The timer wheel: starts, stops and fires timers in constant time, in libuv's order. It is a
//! hierarchical timing wheel with lazy deletion.
//!
//! Eleven levels of 64 slots cover 64 bits of milliseconds, six bits a level. A timer is on the
//! level of the highest six-bit digit in which its due time differs from the wheel's time, in the
//! slot of that digit. Two facts follow from this alignment:
//!
//! * Everything on a lower level is due before everything on a higher one, so the next slot is the
//!   first occupied one of the lowest occupied level.
//! * The slot of a timer is a function of its due time and the wheel's time, at any moment. A slot
//!   of a higher level is spread over the lower ones exactly when the wheel's time enters it, and
//!   no timer could have been inserted there before. Slots are queues, so timers with the same
//!   due time fire in the order in which they were started.
//!
//! A slot is a queue of *entries* ([`entries`]). Stopping a timer does not remove its entry. It clears
//! the position that the timer stores, which makes the entry stale. So stopping writes only to the
//! timer, and scanning a slot is scanning an array. Stale entries are dropped by a scan, with the last
//! live entry of their slot, or by a sweep when they outnumber the live ones.

mod earliest;
mod entries;

use std::mem;

use earliest::Earliest;
pub(crate) use entries::LAST_POSITION;
use entries::{Blocks, ENTRIES_PER_BLOCK, Queue};

const LEVELS: usize = 11;
const SLOTS: usize = 64;
const DIGIT_BITS: u32 = 6;

/// Extra stale entries before a sweep, so that small wheels are never swept.
const SWEEP_SLACK: usize = 1024;

/// A slot with more live entries than this gets a heap when its earliest timer was stopped.
const HEAP_THRESHOLD: u32 = 64;

/// The running timers.
#[derive(Default)]
pub(crate) struct Wheel {
    /// No running timer is due before this time.
    time: u64,
    /// For each level, a bit for each slot with live entries.
    occupied: [u64; LEVELS],
    /// The slots of each level, allocated when the level is first used.
    levels: [Vec<Slot>; LEVELS],
    blocks: Blocks,
    earliest: Earliest,
    live: usize,
    stale: usize,
}

#[derive(Clone)]
struct Slot {
    queue: Queue,
    live: u32,
    /// No live entry of this slot is due before this time.
    earliest: u64,
    /// Whether `earliest` is the due time of a live entry, not just a bound.
    exact: bool,
    /// Whether the slot has a heap in [`Earliest`].
    has_heap: bool,
}

/// The wheel's access to the timers.
pub(crate) trait Timers {
    /// The position of a timer's current entry. A timer that is not on the wheel has a position that
    /// no entry has.
    fn position(&self, timer: u32) -> u32;

    /// The due time of a timer on the wheel.
    fn due(&self, timer: u32) -> u64;

    /// Stores the position of a timer's current entry.
    fn set_position(&mut self, timer: u32, position: u32);

    /// Marks a timer as due. It is off the wheel.
    fn set_ready(&mut self, timer: u32);
}

impl Wheel {
    pub fn is_empty(&self) -> bool {
        self.live == 0
    }

    /// Inserts a timer and returns the position of its entry, for the caller to store.
    pub fn insert(&mut self, timer: u32, due: u64, timers: &mut impl Timers) -> u32 {
        if self.stale > self.live + SWEEP_SLACK {
            self.sweep(timers);
        }
        self.live += 1;
        self.push(timer, due)
    }

    /// Removes a timer with this due time. The caller clears the position that the timer stores.
    pub fn remove(&mut self, due: u64) {
        let at = slot_index(due, self.time);
        self.live -= 1;
        self.stale += 1;
        let slot = self.slot(at);
        slot.live -= 1;
        if slot.live == 0 {
            self.clear(at);
        } else if due == slot.earliest {
            slot.exact = false;
        }
    }

    /// Advances the wheel to `now` and appends all timers due by then to `ready`, in firing order.
    pub fn advance(&mut self, now: u64, timers: &mut impl Timers, ready: &mut Vec<u32>) {
        while let Some((level, slot)) = self.first_slot() {
            let begins = self.begin_of(level, slot);
            if begins > now {
                break;
            }
            self.time = begins;
            if level == 0 {
                self.take(slot, timers, |_, timers, timer, _| {
                    timers.set_ready(timer);
                    ready.push(timer);
                });
            } else {
                self.take(level * SLOTS + slot, timers, Self::push_again);
            }
        }
        self.time = self.time.max(now);
    }

    /// The due time of the next timer.
    ///
    /// It is exact. If the earliest timer of the first slot was stopped, the slot is scanned, which
    /// also drops its stale entries. A crowded slot is scanned once and has a heap from then on.
    pub fn next_due(&mut self, timers: &mut impl Timers) -> Option<u64> {
        let (level, slot) = self.first_slot()?;
        if level == 0 {
            return Some(self.begin_of(0, slot));
        }
        let at = level * SLOTS + slot;
        if !self.slot(at).exact {
            self.find_earliest(at, timers);
        }
        Some(self.slot(at).earliest)
    }

    #[cold]
    fn find_earliest(&mut self, at: usize, timers: &mut impl Timers) {
        if !self.slot(at).has_heap {
            let crowded = self.slot(at).live > HEAP_THRESHOLD;
            // Called after the slot was emptied and before it is refilled.
            self.rewrite(at, timers, |wheel| {
                if crowded {
                    wheel.slot(at).has_heap = true;
                    wheel.earliest.open(at);
                }
            });
            return;
        }
        let earliest = self.earliest.query(at, timers);
        let slot = self.slot(at);
        (slot.earliest, slot.exact) = (earliest, true);
    }

    fn first_slot(&self) -> Option<(usize, usize)> {
        let level = self.occupied.iter().position(|slots| *slots != 0)?;
        Some((level, self.occupied[level].trailing_zeros() as usize))
    }

    /// The first millisecond of a slot.
    fn begin_of(&self, level: usize, slot: usize) -> u64 {
        let shift = level as u32 * DIGIT_BITS;
        let above = u64::MAX.checked_shl(shift + DIGIT_BITS).unwrap_or(0);
        (self.time & above) | (slot as u64) << shift
    }

    #[inline]
    fn slot(&mut self, at: usize) -> &mut Slot {
        &mut self.levels[at / SLOTS][at % SLOTS]
    }

    /// Appends an entry to the slot of its due time.
    #[inline(always)]
    fn push(&mut self, timer: u32, due: u64) -> u32 {
        let at = slot_index(due, self.time);
        let level = &mut self.levels[at / SLOTS];
        if level.is_empty() {
            *level = vec![Slot::EMPTY; SLOTS];
        }
        let slot = &mut level[at % SLOTS];
        let position = self.blocks.push(&mut slot.queue, timer);
        slot.live += 1;
        if due <= slot.earliest {
            slot.exact = true;
            slot.earliest = due;
        }
        if slot.has_heap {
            self.earliest.push(at, due, timer, position);
        }
        self.occupied[at / SLOTS] |= 1 << (at % SLOTS);
        position
    }

    /// Appends a new entry for a timer whose entry was taken.
    #[inline(never)]
    fn push_again<T: Timers>(&mut self, timers: &mut T, timer: u32, due: u64) {
        self.live += 1;
        let position = self.push(timer, due);
        timers.set_position(timer, position);
    }

    /// Empties a slot and passes every live timer to `receive`, in order.
    fn take<T: Timers>(
        &mut self,
        at: usize,
        timers: &mut T,
        mut receive: impl FnMut(&mut Self, &mut T, u32, u64),
    ) {
        let mut queue = self.vacate(at);
        while let Some(part) = self.blocks.first(&queue) {
            // Reads all timers of a block before it handles any. They are spread over memory, so the
            // processor overlaps the cache misses.
            let mut positions = [0; ENTRIES_PER_BLOCK];
            let entries = &part.entries[..part.fill];
            for (position, timer) in positions.iter_mut().zip(entries) {
                *position = timers.position(*timer);
            }
            for (offset, (position, timer)) in positions.into_iter().zip(entries).enumerate() {
                if position == part.position(offset) {
                    let due = timers.due(*timer);
                    receive(self, timers, *timer, due);
                } else {
                    self.stale -= 1;
                }
            }
            self.blocks.release(&mut queue);
        }
    }

    /// Drops the entries of a slot without live ones.
    fn clear(&mut self, at: usize) {
        let mut queue = self.vacate(at);
        while let Some(stale) = self.blocks.release(&mut queue) {
            self.stale -= stale;
        }
    }

    /// Marks a slot as empty and returns its entries. The live ones are no longer counted.
    fn vacate(&mut self, at: usize) -> Queue {
        let slot = mem::replace(self.slot(at), Slot::EMPTY);
        self.occupied[at / SLOTS] &= !(1 << (at % SLOTS));
        self.live -= slot.live as usize;
        if slot.has_heap {
            self.earliest.close(at);
        }
        slot.queue
    }

    /// Drops all stale entries. Constant time, amortised over the stops and restarts.
    fn sweep(&mut self, timers: &mut impl Timers) {
        for at in 0..LEVELS * SLOTS {
            if self.occupied[at / SLOTS] & 1 << (at % SLOTS) != 0 {
                self.rewrite(at, timers, |_| {});
            }
        }
    }

    /// Empties a slot, calls `prepare`, and inserts the live timers again: in the same slot, since
    /// the wheel's time has not changed.
    fn rewrite<T: Timers>(&mut self, at: usize, timers: &mut T, prepare: impl FnOnce(&mut Self)) {
        let mut prepare = Some(prepare);
        self.take(at, timers, |wheel, timers, timer, due| {
            if let Some(prepare) = prepare.take() {
                prepare(wheel);
            }
            wheel.push_again(timers, timer, due);
        });
    }
}

impl Slot {
    const EMPTY: Self =
        Self { queue: Queue::EMPTY, live: 0, earliest: u64::MAX, exact: false, has_heap: false };
}

/// The slot of a timer due at `due` when the wheel's time is `time`.
fn slot_index(due: u64, time: u64) -> usize {
    let highest = 63 - ((due ^ time) | 1).leading_zeros();
    let level = highest / DIGIT_BITS;
    let digit = (due >> (level * DIGIT_BITS)) as usize % SLOTS;
    level as usize * SLOTS + digit
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The position of a timer that is not on the wheel.
    const NOWHERE: u32 = u32::MAX;

    /// The positions and due times of a plain list of timers.
    #[derive(Default)]
    struct List(Vec<(u32, u64)>);

    impl Timers for List {
        fn position(&self, timer: u32) -> u32 {
            self.0[timer as usize].0
        }

        fn due(&self, timer: u32) -> u64 {
            self.0[timer as usize].1
        }

        fn set_position(&mut self, timer: u32, position: u32) {
            self.0[timer as usize].0 = position;
        }

        fn set_ready(&mut self, timer: u32) {
            self.0[timer as usize].0 = NOWHERE;
        }
    }

    impl List {
        fn start(&mut self, wheel: &mut Wheel, timer: u32, due: u64) {
            self.stop(wheel, timer);
            let position = wheel.insert(timer, due, self);
            self.0[timer as usize] = (position, due);
        }

        fn stop(&mut self, wheel: &mut Wheel, timer: u32) {
            while self.0.len() <= timer as usize {
                self.0.push((NOWHERE, 0));
            }
            let (position, due) = self.0[timer as usize];
            self.0[timer as usize].0 = NOWHERE;
            if position != NOWHERE {
                wheel.remove(due);
            }
        }

        fn fire(&mut self, wheel: &mut Wheel, now: u64) -> Vec<u32> {
            let mut ready = Vec::new();
            wheel.advance(now, self, &mut ready);
            ready
        }
    }

    #[test]
    fn timers_fire_by_due_time_and_then_by_start_order_across_all_levels() {
        let (mut wheel, mut timers) = (Wheel::default(), List::default());
        let due = [70, 5, 70, 5000, 64, 300_000, 5, 63, 5000, 1 << 40, 70];
        for (timer, due) in due.into_iter().enumerate() {
            timers.start(&mut wheel, timer as u32, due);
        }
        assert_eq!(wheel.next_due(&mut timers), Some(5));
        assert_eq!(timers.fire(&mut wheel, 69), [1, 6, 7, 4]);
        timers.start(&mut wheel, 20, 70);
        assert_eq!(timers.fire(&mut wheel, 400_000), [0, 2, 10, 20, 3, 8, 5]);
        assert_eq!(wheel.next_due(&mut timers), Some(1 << 40));
        assert_eq!(timers.fire(&mut wheel, u64::MAX), [9]);
        assert!(wheel.is_empty());
    }

    #[test]
    fn a_timer_due_at_u64_max_fires_then_and_not_before() {
        let (mut wheel, mut timers) = (Wheel::default(), List::default());
        timers.start(&mut wheel, 0, u64::MAX);
        assert!(timers.fire(&mut wheel, u64::MAX - 1).is_empty());
        assert_eq!(timers.fire(&mut wheel, u64::MAX), [0]);
    }

    #[test]
    fn restarting_keeps_the_memory_of_the_wheel_bounded() {
        let (mut wheel, mut timers) = (Wheel::default(), List::default());
        for timer in 0..100 {
            timers.start(&mut wheel, timer, 60_000);
        }
        for number in 0..100_000 {
            timers.start(&mut wheel, number % 100, 60_000 + u64::from(number));
        }
        assert!(wheel.blocks.len() < 100, "{} blocks for 100 timers", wheel.blocks.len());
        assert_eq!(timers.fire(&mut wheel, 1 << 30).len(), 100);
    }

    #[test]
    fn the_next_due_time_is_exact_after_stops_in_a_crowded_slot() {
        let (mut wheel, mut timers) = (Wheel::default(), List::default());
        for timer in 0..1000 {
            timers.start(&mut wheel, timer, 10_000 + u64::from(timer));
        }
        for timer in 0..900 {
            timers.stop(&mut wheel, timer);
            assert_eq!(wheel.next_due(&mut timers), Some(10_001 + u64::from(timer)));
        }
        timers.start(&mut wheel, 0, 10_100);
        assert_eq!(wheel.next_due(&mut timers), Some(10_100));
        assert_eq!(timers.fire(&mut wheel, 20_000).len(), 101);
        assert!(wheel.is_empty() && wheel.next_due(&mut timers).is_none());
    }

    /// Stopping the earliest timer must not make each `next_due` scan a crowded slot. This test would
    /// take hours then.
    #[test]
    fn the_next_due_time_is_cheap_after_stops_in_a_crowded_slot() {
        let (mut wheel, mut timers) = (Wheel::default(), List::default());
        let count = 200_000;
        for timer in 0..count {
            timers.start(&mut wheel, timer, (1 << 40) + u64::from(timer));
        }
        for timer in 0..count - 1 {
            timers.start(&mut wheel, timer, (1 << 40) + u64::from(timer + count));
            assert_eq!(wheel.next_due(&mut timers), Some((1 << 40) + u64::from(timer + 1)));
        }
    }

    #[test]
    fn random_operations_agree_with_a_sorted_set() {
        let mut seed = 42_u64;
        let mut random = move |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        let (mut wheel, mut timers) = (Wheel::default(), List::default());
        let mut model: BTreeSet<(u64, u64, u32)> = BTreeSet::new();
        let (mut now, mut starts) = (0, 0);
        for _ in 0..60_000 {
            let timer = random(500) as u32;
            match random(20) {
                0..=9 => {
                    let digits = random(20);
                    let due = now + random(1 << digits);
                    timers.start(&mut wheel, timer, due);
                    model.retain(|start| start.2 != timer);
                    starts += 1;
                    model.insert((due, starts, timer));
                }
                10..=15 => {
                    timers.stop(&mut wheel, timer);
                    model.retain(|start| start.2 != timer);
                }
                16..=18 => {
                    let next = model.first().map(|start| start.0);
                    assert_eq!(wheel.next_due(&mut timers), next);
                }
                _ => {
                    let digits = random(16);
                    now += random(1 << digits);
                    let later = model.split_off(&(now + 1, 0, 0));
                    let due: Vec<u32> = model.iter().map(|start| start.2).collect();
                    model = later;
                    assert_eq!(timers.fire(&mut wheel, now), due);
                }
            }
            assert_eq!(wheel.is_empty(), model.is_empty());
        }
    }
}
