//! The timer wheel: starting, stopping and firing in constant time, in libuv's order.
//!
//! Eleven levels of 64 slots cover 64 bits of milliseconds, six bits a level. A timer stands on
//! the level of the highest six-bit digit in which its due time differs from the wheel's time,
//! in the slot of that digit. Two facts follow from this alignment:
//!
//! * Everything on a lower level is due before everything on a higher one, so the next slot to
//!   look at is the first one of the lowest level that has any.
//! * Where a timer stands is a function of its due time and the wheel's time, at any moment.
//!   A slot of a higher level is spread over the lower ones exactly when the wheel's time enters
//!   it, and no timer could have been put there before. Slots are queues; hence timers with the
//!   same due time fire in the order in which they were started.
//!
//! A slot is a chain of blocks of *notes*: due time, timer, and the serial number of the start.
//! Stopping a timer does not search its note; it only makes the serial number wrong. So stopping
//! touches the timer alone, and a walk over a slot is a walk over an array. Wrong notes are
//! dropped when a walk meets them, all at once when the last right one of a slot is gone, and by a
//! sweep when they outnumber the right ones.

use std::mem;

const LEVELS: usize = 11;
const SLOTS: usize = 64;
const DIGIT_BITS: u32 = 6;
const BLOCK: usize = 16;
const NO_BLOCK: u32 = u32::MAX;

/// So many wrong notes are always tolerated: small wheels are never swept.
const SWEEP_SLACK: usize = 1024;

/// How many notes [`Wheel::next_due`] looks at for a sharp answer before it settles for a bound.
pub(crate) const GLANCE: usize = 64;

/// The timers that wait for their time.
#[derive(Default)]
pub(crate) struct Wheel {
    /// Nothing due before this time is on the wheel.
    time: u64,
    /// For each level, a bit for each slot with living notes.
    occupied: [u64; LEVELS],
    /// Allocated with the first timer: many loops never start one.
    slots: Vec<Slot>,
    blocks: Vec<Block>,
    free_block: Option<u32>,
    living: usize,
    dead: usize,
    serial: u32,
}

/// One start of one timer.
#[derive(Clone, Copy, Default)]
struct Note {
    due: u64,
    timer: u32,
    serial: u32,
}

#[derive(Clone)]
struct Slot {
    first: u32,
    last: u32,
    /// Notes in the last block; all others are full. A slot without blocks counts as full.
    fill: u32,
    living: u32,
    /// No living note of this slot is due before.
    earliest: u64,
    /// Whether `earliest` is the due time of a living note, not just a bound.
    sharp: bool,
}

struct Block {
    notes: [Note; BLOCK],
    next: u32,
}

/// The timers, as the wheel sees them.
pub(crate) trait Timers {
    /// The serial number of a timer's current start, or zero if it is not waiting: so the wheel
    /// learns whether a note still holds.
    fn serial(&self, timer: u32) -> u32;

    /// The start of a waiting timer has another serial number now.
    fn set_serial(&mut self, timer: u32, serial: u32);

    /// The timer was found due and is off the wheel.
    fn set_ready(&mut self, timer: u32);
}

impl Wheel {
    pub fn is_empty(&self) -> bool {
        self.living == 0
    }

    /// Puts a timer on the wheel; returns the serial number that makes its note valid.
    pub fn insert(&mut self, timer: u32, due: u64, timers: &mut impl Timers) -> u32 {
        if self.slots.is_empty() {
            self.slots = vec![Slot::EMPTY; LEVELS * SLOTS];
        }
        if self.dead > self.living + SWEEP_SLACK || self.serial == u32::MAX {
            self.sweep(timers);
        }
        self.serial += 1;
        self.living += 1;
        self.push(Note { due, timer, serial: self.serial });
        self.serial
    }

    /// Takes a waiting timer off the wheel. The caller forgets the serial number.
    pub fn remove(&mut self, due: u64) {
        let at = place(due, self.time);
        self.living -= 1;
        self.dead += 1;
        let slot = &mut self.slots[at];
        slot.living -= 1;
        if slot.living == 0 {
            self.clear(at);
        } else if due == slot.earliest {
            slot.sharp = false;
        }
    }

    /// Advances the wheel to `now` and appends all timers due by then to `ready`, in the order in
    /// which they fire.
    pub fn advance(&mut self, now: u64, timers: &mut impl Timers, ready: &mut Vec<u32>) {
        while let Some((level, slot)) = self.first_slot() {
            let begins = self.begin_of(level, slot);
            if begins > now {
                break;
            }
            self.time = begins;
            if level == 0 {
                self.take(slot, timers, |_, timers, note| {
                    timers.set_ready(note.timer);
                    ready.push(note.timer);
                });
            } else {
                self.take(level * SLOTS + slot, timers, |wheel, _, note| {
                    wheel.living += 1;
                    wheel.push(note);
                });
            }
        }
        self.time = self.time.max(now);
    }

    /// When the next timer is due: never too late, and exact if that takes a look at no more than
    /// `limit` notes.
    pub fn next_due(&mut self, limit: usize, timers: &impl Timers) -> Option<u64> {
        let (level, slot) = self.first_slot()?;
        if level == 0 {
            return Some(self.begin_of(0, slot));
        }
        let at = level * SLOTS + slot;
        if !self.slots[at].sharp {
            self.sharpen(at, limit, timers);
        }
        Some(self.slots[at].earliest)
    }

    fn sharpen(&mut self, at: usize, limit: usize, timers: &impl Timers) {
        let slot = &self.slots[at];
        let mut earliest = u64::MAX;
        let mut looked = 0;
        let mut block = slot.first;
        while block != NO_BLOCK {
            let fill = if block == slot.last { slot.fill as usize } else { BLOCK };
            looked += fill;
            if looked > limit {
                return;
            }
            for note in &self.blocks[block as usize].notes[..fill] {
                if note.due < earliest && timers.serial(note.timer) == note.serial {
                    earliest = note.due;
                }
            }
            block = self.blocks[block as usize].next;
        }
        let slot = &mut self.slots[at];
        slot.earliest = earliest;
        slot.sharp = true;
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

    fn push(&mut self, note: Note) {
        let at = place(note.due, self.time);
        if self.slots[at].fill as usize == BLOCK {
            self.lengthen(at);
        }
        let slot = &mut self.slots[at];
        self.blocks[slot.last as usize].notes[slot.fill as usize % BLOCK] = note;
        slot.fill += 1;
        slot.living += 1;
        if note.due <= slot.earliest {
            slot.sharp = true;
            slot.earliest = note.due;
        }
        self.occupied[at / SLOTS] |= 1 << (at % SLOTS);
    }

    /// Appends an empty block to a slot.
    #[inline(never)]
    fn lengthen(&mut self, at: usize) {
        let block = self.new_block();
        let slot = &mut self.slots[at];
        match slot.first {
            NO_BLOCK => slot.first = block,
            _ => self.blocks[slot.last as usize].next = block,
        }
        slot.last = block;
        slot.fill = 0;
    }

    /// Empties a slot, giving every living note to `receive` in order.
    fn take<T: Timers>(
        &mut self,
        at: usize,
        timers: &mut T,
        mut receive: impl FnMut(&mut Self, &mut T, Note),
    ) {
        let slot = mem::replace(&mut self.slots[at], Slot::EMPTY);
        self.occupied[at / SLOTS] &= !(1 << (at % SLOTS));
        self.living -= slot.living as usize;
        let mut block = slot.first;
        while block != NO_BLOCK {
            let fill = if block == slot.last { slot.fill as usize } else { BLOCK };
            let notes = self.blocks[block as usize].notes;
            // All timers of a block are looked at before any is dealt with: they stand anywhere,
            // and the processor fetches them side by side.
            let mut serials = [0; BLOCK];
            for (serial, note) in serials.iter_mut().zip(&notes[..fill]) {
                *serial = timers.serial(note.timer);
            }
            for (serial, note) in serials.into_iter().zip(&notes[..fill]) {
                if serial == note.serial {
                    receive(self, timers, *note);
                } else {
                    self.dead -= 1;
                }
            }
            block = self.free(block);
        }
    }

    /// Drops the notes of a slot of which none is valid.
    fn clear(&mut self, at: usize) {
        let slot = mem::replace(&mut self.slots[at], Slot::EMPTY);
        self.occupied[at / SLOTS] &= !(1 << (at % SLOTS));
        let mut block = slot.first;
        while block != NO_BLOCK {
            self.dead -= if block == slot.last { slot.fill as usize } else { BLOCK };
            block = self.free(block);
        }
    }

    /// Drops all wrong notes. Its cost is paid by the restarts and stops that made them.
    fn sweep(&mut self, timers: &mut impl Timers) {
        self.rewrite(timers, |_, _, _| {});
        if self.serial > u32::MAX / 2 {
            // Now that there is no wrong note left that a low number could make right again, the
            // others are numbered anew: the numbers never run out.
            self.serial = 0;
            self.rewrite(timers, |wheel, timers, note| {
                wheel.serial += 1;
                note.serial = wheel.serial;
                timers.set_serial(note.timer, note.serial);
            });
        }
    }

    /// Empties every slot and fills it again, with its living notes as `change` leaves them.
    fn rewrite<T: Timers>(
        &mut self,
        timers: &mut T,
        change: impl Fn(&mut Self, &mut T, &mut Note),
    ) {
        for at in 0..self.slots.len() {
            if self.slots[at].living > 0 {
                self.take(at, timers, |wheel, timers, mut note| {
                    change(wheel, timers, &mut note);
                    wheel.living += 1;
                    wheel.push(note);
                });
            }
        }
    }

    fn new_block(&mut self) -> u32 {
        match self.free_block {
            Some(block) => {
                let next = mem::replace(&mut self.blocks[block as usize].next, NO_BLOCK);
                self.free_block = (next != NO_BLOCK).then_some(next);
                block
            }
            None => {
                self.blocks.push(Block { notes: [Note::default(); BLOCK], next: NO_BLOCK });
                self.blocks.len() as u32 - 1
            }
        }
    }

    /// Frees a block; returns the next one of its chain.
    fn free(&mut self, block: u32) -> u32 {
        let free = self.free_block.replace(block).unwrap_or(NO_BLOCK);
        mem::replace(&mut self.blocks[block as usize].next, free)
    }
}

impl Slot {
    const EMPTY: Self = Self {
        first: NO_BLOCK,
        last: NO_BLOCK,
        fill: BLOCK as u32,
        living: 0,
        earliest: u64::MAX,
        sharp: false,
    };
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
    use super::*;

    /// The serial numbers of a plain list of timers.
    #[derive(Default)]
    struct List(Vec<(u32, u64)>);

    impl Timers for List {
        fn serial(&self, timer: u32) -> u32 {
            self.0[timer as usize].0
        }

        fn set_serial(&mut self, timer: u32, serial: u32) {
            self.0[timer as usize].0 = serial;
        }

        fn set_ready(&mut self, timer: u32) {
            self.0[timer as usize] = (0, 0);
        }
    }

    impl List {
        fn start(&mut self, wheel: &mut Wheel, timer: u32, due: u64) {
            self.stop(wheel, timer);
            let serial = wheel.insert(timer, due, self);
            self.0[timer as usize] = (serial, due);
        }

        fn stop(&mut self, wheel: &mut Wheel, timer: u32) {
            while self.0.len() <= timer as usize {
                self.0.push((0, 0));
            }
            let (serial, due) = mem::take(&mut self.0[timer as usize]);
            if serial != 0 {
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
        assert_eq!(wheel.next_due(usize::MAX, &timers), Some(5));
        assert_eq!(timers.fire(&mut wheel, 69), [1, 6, 7, 4]);
        timers.start(&mut wheel, 20, 70);
        assert_eq!(timers.fire(&mut wheel, 400_000), [0, 2, 10, 20, 3, 8, 5]);
        assert_eq!(wheel.next_due(usize::MAX, &timers), Some(1 << 40));
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
        assert!(wheel.blocks.len() < 200, "{} blocks for 100 timers", wheel.blocks.len());
        assert_eq!(timers.fire(&mut wheel, 1 << 30).len(), 100);
    }

    #[test]
    fn serial_numbers_do_not_run_out() {
        let (mut wheel, mut timers) = (Wheel::default(), List::default());
        timers.start(&mut wheel, 0, 50);
        timers.start(&mut wheel, 1, 5000);
        wheel.serial = u32::MAX;
        timers.start(&mut wheel, 1, 40);
        timers.start(&mut wheel, 2, 6000);
        assert!(wheel.serial < 10);
        assert_eq!(timers.fire(&mut wheel, 10_000), [1, 0, 2]);
    }

    #[test]
    fn the_next_due_time_is_never_too_late_and_sharp_when_asked() {
        let (mut wheel, mut timers) = (Wheel::default(), List::default());
        for timer in 0..1000 {
            timers.start(&mut wheel, timer, 10_000 + u64::from(timer));
        }
        timers.stop(&mut wheel, 0);
        assert_eq!(wheel.next_due(GLANCE, &timers), Some(10_000));
        assert_eq!(wheel.next_due(usize::MAX, &timers), Some(10_001));
    }
}
