//! The timer wheel: starts, stops and fires timers in constant time, in libuv's order.
//!
//! Eleven levels of 64 slots cover 64 bits of milliseconds, six bits a level. A timer is on the
//! level of the highest six-bit digit in which its due time differs from the wheel's time, in the
//! slot of that digit. Two facts follow from this alignment:
//!
//! * Everything on a lower level is due before everything on a higher one, so the next slot is the
//!   first occupied one of the lowest occupied level.
//! * The slot of a timer is a function of its due time and the wheel's time, at any moment. A slot
//!   of a higher level is spread over the lower ones exactly when the wheel's time enters it, and
//!   no timer could have been inserted there before. Slots are queues; hence timers with the same
//!   due time fire in the order in which they were started.
//!
//! A slot is a queue of *notes* ([`notes`]). Stopping a timer does not remove its note; it makes the
//! note dead by clearing the position that the timer stores. So stopping touches the timer alone,
//! and a walk over a slot is a walk over an array. Dead notes are dropped when a walk meets them,
//! with the last living note of a slot, and by a sweep when they outnumber the living ones.

mod earliest;
mod notes;

use std::mem;

use earliest::Earliest;
pub(crate) use notes::LAST_POSITION;
use notes::{Blocks, NOTES, Queue};

const LEVELS: usize = 11;
const SLOTS: usize = 64;
const DIGIT_BITS: u32 = 6;

/// The number of dead notes that is always tolerated: small wheels are never swept.
const SWEEP_SLACK: usize = 1024;

/// A slot with more living notes gets a heap when its earliest timer is stopped.
const CROWD: u32 = 64;

/// The running timers.
#[derive(Default)]
pub(crate) struct Wheel {
    /// No running timer is due before this time.
    time: u64,
    /// For each level, a bit for each slot with living notes.
    occupied: [u64; LEVELS],
    /// The slots of each level, allocated when the level is first used.
    levels: [Vec<Slot>; LEVELS],
    blocks: Blocks,
    earliest: Earliest,
    living: usize,
    dead: usize,
}

#[derive(Clone)]
struct Slot {
    queue: Queue,
    living: u32,
    /// No living note of this slot is due before.
    earliest: u64,
    /// Whether `earliest` is the due time of a living note, not just a bound.
    exact: bool,
    /// Whether the slot has a heap in [`Earliest`].
    has_heap: bool,
}

/// The timers, as the wheel uses them.
pub(crate) trait Timers {
    /// The position of a timer's current note. A timer that is not on the wheel has a position that
    /// no note has.
    fn position(&self, timer: u32) -> u32;

    /// The due time of a timer on the wheel.
    fn due(&self, timer: u32) -> u64;

    /// Stores the position of a timer's current note.
    fn set_position(&mut self, timer: u32, position: u32);

    /// Marks a timer as due. It is off the wheel.
    fn set_ready(&mut self, timer: u32);
}

impl Wheel {
    pub fn is_empty(&self) -> bool {
        self.living == 0
    }

    /// Inserts a timer and returns the position of its note, for the caller to store.
    pub fn insert(&mut self, timer: u32, due: u64, timers: &mut impl Timers) -> u32 {
        if self.dead > self.living + SWEEP_SLACK {
            self.sweep(timers);
        }
        self.living += 1;
        self.push(timer, due)
    }

    /// Removes a waiting timer. The caller forgets the position of its note.
    pub fn remove(&mut self, due: u64) {
        let at = place(due, self.time);
        self.living -= 1;
        self.dead += 1;
        let slot = self.slot(at);
        slot.living -= 1;
        if slot.living == 0 {
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
    /// also drops its dead notes. A crowded slot is scanned once and has a heap from then on.
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
            let crowded = self.slot(at).living > CROWD;
            // The slot is taken below, so this heap belongs to its successor.
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

    /// Appends a note to the slot of its due time.
    #[inline(always)]
    fn push(&mut self, timer: u32, due: u64) -> u32 {
        let at = place(due, self.time);
        let level = &mut self.levels[at / SLOTS];
        if level.is_empty() {
            *level = vec![Slot::EMPTY; SLOTS];
        }
        let slot = &mut level[at % SLOTS];
        let position = self.blocks.push(&mut slot.queue, timer);
        slot.living += 1;
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

    /// Appends a new note for a timer whose note was taken.
    #[inline(never)]
    fn push_again<T: Timers>(&mut self, timers: &mut T, timer: u32, due: u64) {
        self.living += 1;
        let position = self.push(timer, due);
        timers.set_position(timer, position);
    }

    /// Empties a slot and passes every living timer to `receive`, in order.
    fn take<T: Timers>(
        &mut self,
        at: usize,
        timers: &mut T,
        mut receive: impl FnMut(&mut Self, &mut T, u32, u64),
    ) {
        let mut queue = self.vacate(at);
        while let Some(part) = self.blocks.first(&queue) {
            // All timers of a block are read before any is handled. They are anywhere in memory, and
            // the processor fetches them in parallel.
            let mut positions = [0; NOTES];
            let notes = &part.notes[..part.fill];
            for (position, timer) in positions.iter_mut().zip(notes) {
                *position = timers.position(*timer);
            }
            for (offset, (position, timer)) in positions.into_iter().zip(notes).enumerate() {
                if position == part.position(offset) {
                    let due = timers.due(*timer);
                    receive(self, timers, *timer, due);
                } else {
                    self.dead -= 1;
                }
            }
            self.blocks.release(&mut queue);
        }
    }

    /// Drops the notes of a slot without living ones.
    fn clear(&mut self, at: usize) {
        let mut queue = self.vacate(at);
        while let Some(dead) = self.blocks.release(&mut queue) {
            self.dead -= dead;
        }
    }

    /// Marks a slot as empty and returns its notes. The living ones are no longer counted.
    fn vacate(&mut self, at: usize) -> Queue {
        let slot = mem::replace(self.slot(at), Slot::EMPTY);
        self.occupied[at / SLOTS] &= !(1 << (at % SLOTS));
        self.living -= slot.living as usize;
        if slot.has_heap {
            self.earliest.close(at);
        }
        slot.queue
    }

    /// Drops all dead notes. The stops and restarts that made them pay for it.
    fn sweep(&mut self, timers: &mut impl Timers) {
        for at in 0..LEVELS * SLOTS {
            if self.occupied[at / SLOTS] & 1 << (at % SLOTS) != 0 {
                self.rewrite(at, timers, |_| {});
            }
        }
    }

    /// Empties a slot, calls `prepare`, and inserts the living timers again: in the same slot, since
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
        Self { queue: Queue::EMPTY, living: 0, earliest: u64::MAX, exact: false, has_heap: false };
}

/// The slot of a timer due at `due` when the wheel's time is `time`.
fn place(due: u64, time: u64) -> usize {
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
    fn a_timer_due_at_the_end_of_time_waits_for_it() {
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
        for round in 0..100_000 {
            timers.start(&mut wheel, round % 100, 60_000 + u64::from(round));
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

    /// Stopping the nearest timer and asking for the next one must not scan a crowded slot each
    /// time: this takes hours if it does.
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
