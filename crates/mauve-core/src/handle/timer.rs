//! Timers.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use mauve_sys::driver::Driver;
use mauve_sys::{Errno, Result};

use crate::Engine;
use crate::id::{HandleId, Token};
use crate::slab::{ActiveCounts, Entry, Head, Life, Slab};
use crate::wheel::{LAST_POSITION, Timers, Wheel};

const NANOS_PER_MILLI: u64 = 1_000_000;

/// The state of one timer. With its head it takes 24 bytes.
#[repr(C, packed(4))]
#[derive(Default)]
pub(crate) struct Timer {
    /// When the timer fires. Kept after it is stopped.
    due: u64,
    state: PackedState,
}

const _: () = assert!(size_of::<Entry<Timer>>() == 24, "a timer is larger than 24 bytes");

/// The running timers, and those that the current timers phase has found due.
#[derive(Default)]
pub(crate) struct TimerQueue {
    wheel: Wheel,
    /// The repeat values. Most timers have none.
    repeats: TimerValues,
    deadlines: Deadlines,
    due: DueTimers,
}

/// The timers with a deadline in nanoseconds.
///
/// Such a timer is on the wheel until the millisecond of its deadline. Then it is *near*: it waits
/// in a heap, and the poll phase waits for the nanosecond.
#[derive(Default)]
pub(crate) struct Deadlines {
    /// By timer. Zero for a timer without a deadline.
    nanos: TimerValues,
    /// Number of armed timers with a deadline.
    armed: usize,
    /// Near timers by deadline. An entry of a timer that was stopped is skipped when it is due.
    near: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Deadlines {
    /// Whether a timer with a deadline is armed.
    #[inline(always)]
    pub fn is_armed(&self) -> bool {
        self.armed > 0
    }

    fn set(&mut self, timer: u32, deadline: u64) {
        self.nanos.set(timer, deadline);
        self.armed += 1;
    }

    /// Called when a timer was stopped or has fired.
    #[inline]
    fn remove(&mut self, timer: u32) {
        if self.is_armed() && self.nanos.get(timer) != 0 {
            self.nanos.set(timer, 0);
            self.armed -= 1;
        }
    }

    /// The next near timer that is due at `now`, with its deadline.
    fn pop_due(&mut self, now: u64) -> Option<(u64, u32)> {
        let Reverse((deadline, timer)) = *self.near.peek()?;
        (deadline <= now).then(|| {
            self.near.pop();
            (deadline, timer)
        })
    }
}

/// The timers that a timers phase has found due.
#[derive(Default)]
pub(crate) struct DueTimers {
    indices: Vec<u32>,
    /// Position in `indices` of the next timer to report.
    next: usize,
}

impl TimerQueue {
    /// Whether the current timers phase has timers left to report.
    #[inline]
    pub fn is_pending(&self) -> bool {
        self.due.next < self.due.indices.len()
    }
}

/// The state of a timer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Stopped,
    /// On the wheel, with an entry at this position.
    Waiting(u32),
    /// Off the wheel in the millisecond of its deadline, which is not reached yet: see [`Deadlines`].
    Near,
    /// Found due by the current timers phase, and not reported yet. Such a timer is inactive
    /// already, and can still be stopped or restarted.
    Ready,
}

/// A [`State`], and a bit that says whether the timer was ever started.
#[derive(Clone, Copy)]
struct PackedState(u32);

const STARTED: u32 = 1 << 31;
const STOPPED: u32 = STARTED - 1;
const READY: u32 = STARTED - 2;
const NEAR: u32 = STARTED - 3;
const _: () = assert!(LAST_POSITION < NEAR);

impl Default for PackedState {
    fn default() -> Self {
        Self(STOPPED)
    }
}

impl PackedState {
    fn get(self) -> State {
        match self.0 & !STARTED {
            STOPPED => State::Stopped,
            READY => State::Ready,
            NEAR => State::Near,
            position => State::Waiting(position),
        }
    }

    fn set(&mut self, state: State) {
        self.0 = match state {
            State::Stopped => self.0 & STARTED | STOPPED,
            State::Ready => STARTED | READY,
            State::Near => STARTED | NEAR,
            State::Waiting(position) => STARTED | position,
        };
    }

    /// The position of the timer's wheel entry. No entry has the position of a timer that is not on
    /// the wheel.
    fn position(self) -> u32 {
        self.0 & !STARTED
    }

    fn was_started(self) -> bool {
        self.0 & STARTED != 0
    }
}

impl Timer {
    fn state(&self) -> State {
        { self.state }.get()
    }

    fn set_state(&mut self, state: State) {
        let mut packed = self.state;
        packed.set(state);
        self.state = packed;
    }
}

/// Values by timer. A block is allocated when one of its values is not zero.
#[derive(Default)]
struct TimerValues {
    blocks: Vec<Option<Box<[u64; VALUES]>>>,
}

const VALUES: usize = 64;

impl TimerValues {
    #[inline]
    fn get(&self, timer: u32) -> u64 {
        match self.blocks.get(timer as usize / VALUES) {
            Some(Some(block)) => block[timer as usize % VALUES],
            _ => 0,
        }
    }

    #[inline]
    fn set(&mut self, timer: u32, value: u64) {
        let block = timer as usize / VALUES;
        if let Some(Some(block)) = self.blocks.get_mut(block) {
            block[timer as usize % VALUES] = value;
        } else if value != 0 {
            self.allocate(block)[timer as usize % VALUES] = value;
        }
    }

    #[cold]
    fn allocate(&mut self, block: usize) -> &mut [u64; VALUES] {
        if self.blocks.len() <= block {
            self.blocks.resize_with(block + 1, || None);
        }
        self.blocks[block].insert(Box::new([0; VALUES]))
    }
}

/// The timers and the count of the active ones, for the wheel.
struct WheelTimers<'a> {
    timers: &'a mut Slab<Timer>,
    active: &'a mut ActiveCounts,
}

impl Timers for WheelTimers<'_> {
    #[inline]
    fn position(&self, timer: u32) -> u32 {
        { self.timers[timer].body.state }.position()
    }

    #[inline]
    fn due(&self, timer: u32) -> u64 {
        self.timers[timer].body.due
    }

    #[inline]
    fn set_position(&mut self, timer: u32, position: u32) {
        self.timers[timer].body.set_state(State::Waiting(position));
    }

    #[inline]
    fn set_ready(&mut self, timer: u32) {
        let Entry { head, body } = &mut self.timers[timer];
        body.set_state(State::Ready);
        head.deactivate(self.active);
    }
}

/// One timer, borrowed for one operation.
pub struct TimerMut<'a, D> {
    pub(super) engine: &'a mut Engine<D>,
    pub(super) index: u32,
}

impl TimerQueue {
    /// Whether a timer with a deadline is armed.
    #[inline(always)]
    pub fn has_deadlines(&self) -> bool {
        self.deadlines.is_armed()
    }

    /// Clears the repeat value that an earlier timer with the index of a new one has left.
    #[inline]
    pub fn forget_repeat(&mut self, id: HandleId) {
        self.repeats.set(id.index(), 0);
    }

    /// Takes the due timers that are not reported.
    pub fn suspend(&mut self) -> DueTimers {
        std::mem::take(&mut self.due)
    }

    /// Continues with due timers that were suspended.
    pub fn resume(&mut self, due: DueTimers) {
        self.due = due;
    }
}

impl<D: Driver> Engine<D> {
    /// Collects the timers that are due, for [`next_due_timer`](Self::next_due_timer).
    pub(crate) fn collect_due_timers(&mut self) {
        self.timers.due.indices.clear();
        self.timers.due.next = 0;
        let has_deadlines = self.timers.deadlines.is_armed();
        if has_deadlines {
            self.collect_near_timers();
        }
        if !self.timers.wheel.is_empty() {
            self.advance_wheel();
            if has_deadlines {
                self.move_near_timers();
            }
        }
    }

    /// Collects the near timers whose deadline has come.
    #[cold]
    fn collect_near_timers(&mut self) {
        let TimerQueue { deadlines, due, .. } = &mut self.timers;
        while let Some((deadline, index)) = deadlines.pop_due(self.clock.nanos()) {
            let Entry { head, body } = &mut self.table.timers[index];
            if body.state() == State::Near && deadlines.nanos.get(index) == deadline {
                body.set_state(State::Ready);
                head.deactivate(&mut self.active);
                due.indices.push(index);
            }
        }
    }

    /// Moves due timers whose deadline is not reached yet to the heap of near timers.
    #[cold]
    fn move_near_timers(&mut self) {
        let TimerQueue { deadlines, due, .. } = &mut self.timers;
        due.indices.retain(|&index| {
            let deadline = deadlines.nanos.get(index);
            let is_due = deadline <= self.clock.nanos();
            if !is_due {
                let Entry { head, body } = &mut self.table.timers[index];
                body.set_state(State::Near);
                head.activate(&mut self.active);
                deadlines.near.push(Reverse((deadline, index)));
            }
            is_due
        });
    }

    /// When the next timer is due, in nanoseconds.
    #[cold]
    pub fn next_deadline(&mut self) -> Option<u64> {
        let near = self.timers.deadlines.near.peek().map(|Reverse((deadline, _))| *deadline);
        let mut timers = WheelTimers { timers: &mut self.table.timers, active: &mut self.active };
        let wheel = &mut self.timers.wheel;
        let due = if wheel.is_empty() { None } else { wheel.next_due(&mut timers) };
        let due = due.map(|ms| ms.saturating_mul(NANOS_PER_MILLI));
        near.into_iter().chain(due).min()
    }

    #[cold]
    fn until_next_deadline(&mut self) -> Option<u64> {
        let deadline = self.next_deadline()?;
        Some(deadline.saturating_sub(self.clock.nanos()).div_ceil(NANOS_PER_MILLI))
    }

    #[inline(never)]
    fn advance_wheel(&mut self) {
        let mut timers = WheelTimers { timers: &mut self.table.timers, active: &mut self.active };
        self.timers.wheel.advance(self.clock.now(), &mut timers, &mut self.timers.due.indices);
    }

    /// The next collected timer that was not stopped or restarted meanwhile. A repeating one is
    /// on the wheel again when this returns.
    pub(crate) fn next_due_timer(&mut self) -> Option<Token> {
        while let Some(index) = self.timers.due.indices.get(self.timers.due.next).copied() {
            self.timers.due.next += 1;
            let Entry { head, body } = &mut self.table.timers[index];
            if body.state() != State::Ready || head.is_vacant() {
                continue;
            }
            let (token, internal) = (head.token, head.is_internal());
            body.set_state(State::Stopped);
            self.timers.deadlines.remove(index);
            let repeat = self.timers.repeats.get(index);
            if repeat > 0 {
                TimerMut { engine: self, index }.arm(repeat);
            }
            if internal && self.is_fs_poll_due(self.table.timers.id(index), token) {
                continue;
            }
            return Some(token);
        }
        None
    }

    /// Whether an internal timer belongs to a file system poll, which then queries its file.
    #[cold]
    fn is_fs_poll_due(&mut self, timer: HandleId, token: Token) -> bool {
        let poll = HandleId::from_bits(token.0).and_then(|id| self.fs_poll(id));
        poll.is_some_and(|mut poll| poll.timer_due(timer))
    }

    /// When the timer that [`next_due_timer`](Self::next_due_timer) will report was due.
    pub(crate) fn peek_due(&self) -> Option<u64> {
        let due = &self.timers.due;
        let mut entries =
            due.indices.get(due.next..)?.iter().map(|index| &self.table.timers[*index]);
        entries.find(|entry| entry.body.state() == State::Ready).map(|entry| entry.body.due)
    }

    /// Starts the due timers of an abandoned run again.
    pub(crate) fn put_back_due_timers(&mut self, due: DueTimers) {
        for index in due.indices.into_iter().skip(due.next) {
            let Entry { head, body } = &self.table.timers[index];
            if body.state() == State::Ready && !head.is_vacant() {
                TimerMut { engine: self, index }.arm(0);
            }
        }
    }

    /// The tokens of the next due timers, for a host that prefetches its own data. A timer may still be
    /// stopped before it is reported.
    pub fn upcoming_timers(&self) -> impl ExactSizeIterator<Item = Token> {
        let indices = self.timers.due.indices.get(self.timers.due.next..).unwrap_or_default();
        indices.iter().map(|index| self.table.timers[*index].head.token)
    }

    /// The milliseconds to the nearest timer.
    #[inline]
    pub(crate) fn until_next_timer(&mut self) -> Option<u64> {
        if self.timers.deadlines.is_armed() {
            return self.until_next_deadline();
        }
        if self.timers.wheel.is_empty() { None } else { self.until_due() }
    }

    #[inline(never)]
    fn until_due(&mut self) -> Option<u64> {
        let mut timers = WheelTimers { timers: &mut self.table.timers, active: &mut self.active };
        let due = self.timers.wheel.next_due(&mut timers)?;
        Some(due.saturating_sub(self.clock.now()))
    }
}

impl<D: Driver> TimerMut<'_, D> {
    /// Starts the timer: it fires `timeout` milliseconds after the loop's `now`, and then every
    /// `repeat` milliseconds if that is not zero. A running timer is restarted.
    #[doc(alias = "uv_timer_start")]
    pub fn start(&mut self, timeout: u64, repeat: u64) -> Result<()> {
        if self.head().life() == Life::Closing {
            return Err(Errno::EINVAL);
        }
        self.set_repeat(repeat);
        self.arm(timeout);
        Ok(())
    }

    /// Starts the timer: it fires once, when the driver's clock has reached `deadline`, in
    /// nanoseconds. It never fires before that. A running timer is restarted.
    pub fn start_at(&mut self, deadline: u64) -> Result<()> {
        if self.head().life() == Life::Closing {
            return Err(Errno::EINVAL);
        }
        self.set_repeat(0);
        self.arm_at((deadline / NANOS_PER_MILLI).max(self.engine.clock.now()));
        if deadline > 0 {
            self.engine.timers.deadlines.set(self.index, deadline);
        }
        Ok(())
    }

    /// Stops the timer, if it is running.
    #[doc(alias = "uv_timer_stop")]
    pub fn stop(&mut self) {
        self.disarm();
        let head = &mut self.engine.table.timers[self.index].head;
        // A closing timer must not become inactive.
        if head.life() == Life::Active {
            head.deactivate(&mut self.engine.active);
        }
    }

    /// Restarts a repeating timer with its repeat value as the timeout. `EINVAL` if the timer was never
    /// started; does nothing without a repeat value.
    #[doc(alias = "uv_timer_again")]
    pub fn again(&mut self) -> Result<()> {
        if !{ self.engine.table.timers[self.index].body.state }.was_started() {
            return Err(Errno::EINVAL);
        }
        match self.repeat() {
            0 => Ok(()),
            repeat => self.start(repeat, repeat),
        }
    }

    /// The repeat value.
    #[doc(alias = "uv_timer_get_repeat")]
    pub fn repeat(&self) -> u64 {
        self.engine.timers.repeats.get(self.index)
    }

    /// Sets the repeat value. It takes effect the next time the timer is due.
    #[doc(alias = "uv_timer_set_repeat")]
    pub fn set_repeat(&mut self, repeat: u64) {
        self.engine.timers.repeats.set(self.index, repeat);
    }

    /// Milliseconds until the timer fires; zero if that is past.
    #[doc(alias = "uv_timer_get_due_in")]
    pub fn due_in(&self) -> u64 {
        self.engine.table.timers[self.index].body.due.saturating_sub(self.engine.clock.now())
    }

    fn arm(&mut self, timeout: u64) {
        self.arm_at(self.engine.clock.now().saturating_add(timeout));
    }

    fn arm_at(&mut self, due: u64) {
        self.disarm();
        let engine = &mut *self.engine;
        let mut timers =
            WheelTimers { timers: &mut engine.table.timers, active: &mut engine.active };
        let position = engine.timers.wheel.insert(self.index, due, &mut timers);
        let Entry { head, body } = &mut engine.table.timers[self.index];
        body.due = due;
        body.set_state(State::Waiting(position));
        // Most timers are restarted while they run.
        if head.life() != Life::Active {
            head.activate(&mut engine.active);
        }
    }

    fn disarm(&mut self) {
        let Engine { timers, table, .. } = &mut *self.engine;
        let body = &mut table.timers[self.index].body;
        let state = body.state();
        body.set_state(State::Stopped);
        if let State::Waiting(_) = state {
            timers.wheel.remove(body.due);
        }
        timers.deadlines.remove(self.index);
    }

    fn head(&mut self) -> &mut Head {
        &mut self.engine.table.timers[self.index].head
    }
}
