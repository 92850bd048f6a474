//! Timers.

use mauve_sys::driver::Driver;
use mauve_sys::{Errno, Result};

use crate::Engine;
use crate::id::{HandleId, Token};
use crate::slab::{ActiveCounts, Entry, Head, Life, Slab};
use crate::wheel::{Timers, Wheel};

/// The state of one timer. With its head it fills a cache line.
#[derive(Default)]
pub(crate) struct Timer {
    /// When it fires, or would have fired: kept after stopping.
    due: u64,
    repeat: u64,
    state: State,
    /// Whether it was ever started.
    started: bool,
}

const _: () = assert!(size_of::<Entry<Timer>>() == 64, "a timer is larger than a cache line");

/// The running timers, and those that the current timers phase has found due.
#[derive(Default)]
pub(crate) struct TimerQueue {
    pub wheel: Wheel,
    pub due: DueTimers,
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

/// Where a timer is.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Stopped,
    /// On the wheel, under this serial number.
    Waiting(u32),
    /// Found due by the current timers phase, which has not come to it yet. Such a timer is
    /// inactive already, and still can be stopped or started anew.
    Ready,
}

/// The timers and the count of the active ones, for the wheel.
struct Wheeled<'a> {
    timers: &'a mut Slab<Timer>,
    active: &'a mut ActiveCounts,
}

impl Timers for Wheeled<'_> {
    fn serial(&self, timer: u32) -> u32 {
        match self.timers[timer].body.state {
            State::Waiting(serial) => serial,
            _ => 0,
        }
    }

    fn set_serial(&mut self, timer: u32, serial: u32) {
        self.timers[timer].body.state = State::Waiting(serial);
    }

    fn set_ready(&mut self, timer: u32) {
        let Entry { head, body } = &mut self.timers[timer];
        body.state = State::Ready;
        head.deactivate(self.active);
    }
}

/// One timer, lent for one operation.
pub struct TimerMut<'a, D> {
    engine: &'a mut Engine<D>,
    index: u32,
}

impl<D: Driver> Engine<D> {
    /// Makes a timer.
    #[doc(alias = "uv_timer_init")]
    pub fn open_timer(&mut self, token: Token) -> HandleId {
        let born = self.table.birth();
        self.table.timers.insert(token, born, Timer::default())
    }

    /// Lends a timer.
    pub fn timer(&mut self, id: HandleId) -> Option<TimerMut<'_, D>> {
        let index = self.table.timers.find(id)?;
        Some(TimerMut { engine: self, index })
    }

    /// Collects the timers that are due, for [`next_due_timer`](Self::next_due_timer).
    pub(crate) fn collect_due_timers(&mut self) {
        self.timers.due.indices.clear();
        self.timers.due.next = 0;
        if !self.timers.wheel.is_empty() {
            self.advance_wheel();
        }
    }

    #[inline(never)]
    fn advance_wheel(&mut self) {
        let mut timers = Wheeled { timers: &mut self.table.timers, active: &mut self.active };
        self.timers.wheel.advance(self.clock.now, &mut timers, &mut self.timers.due.indices);
    }

    /// The next collected timer that was not stopped or restarted meanwhile. A repeating one is
    /// on the wheel again when this returns.
    pub(crate) fn next_due_timer(&mut self) -> Option<Token> {
        while let Some(index) = self.timers.due.indices.get(self.timers.due.next).copied() {
            self.timers.due.next += 1;
            let Entry { head, body } = &mut self.table.timers[index];
            if body.state != State::Ready || head.is_vacant() {
                continue;
            }
            let (token, internal, repeat) = (head.token, head.internal, body.repeat);
            body.state = State::Stopped;
            if repeat > 0 {
                TimerMut { engine: self, index }.arm(repeat);
            }
            if internal && self.fs_poll_due(self.table.timers.id(index), token) {
                continue;
            }
            return Some(token);
        }
        None
    }

    /// Starts timers again that were found due by a phase that never reports them.
    pub(crate) fn put_back_due_timers(&mut self, due: DueTimers) {
        for index in due.indices.into_iter().skip(due.next) {
            let Entry { head, body } = &self.table.timers[index];
            if body.state == State::Ready && !head.is_vacant() {
                TimerMut { engine: self, index }.arm(0);
            }
        }
    }

    /// The tokens of the next timers that were found due, as far as is known yet: one may be stopped
    /// before its turn comes. Whoever drives the engine can have its own data at hand then.
    pub fn upcoming_timers(&self) -> impl ExactSizeIterator<Item = Token> {
        let indices = self.timers.due.indices.get(self.timers.due.next..).unwrap_or_default();
        indices.iter().map(|index| self.table.timers[*index].head.token)
    }

    /// The milliseconds to the nearest timer; with a bound that may be too low instead if the
    /// exact figure is dear and `exact` is not asked for.
    #[inline]
    pub(crate) fn until_next_timer(&mut self, exact: bool) -> Option<u64> {
        if self.timers.wheel.is_empty() { None } else { self.look_at_wheel(exact) }
    }

    #[inline(never)]
    fn look_at_wheel(&mut self, exact: bool) -> Option<u64> {
        let limit = if exact { usize::MAX } else { crate::wheel::GLANCE };
        let timers = Wheeled { timers: &mut self.table.timers, active: &mut self.active };
        let due = self.timers.wheel.next_due(limit, &timers)?;
        Some(due.saturating_sub(self.clock.now))
    }
}

impl<D: Driver> TimerMut<'_, D> {
    /// Fires after `timeout` milliseconds from the loop's `now`, and then every `repeat`
    /// milliseconds if that is not zero. A running timer is started anew.
    #[doc(alias = "uv_timer_start")]
    pub fn start(&mut self, timeout: u64, repeat: u64) -> Result<()> {
        if self.head().life == Life::Closing {
            return Err(Errno::EINVAL);
        }
        self.body().repeat = repeat;
        self.body().started = true;
        self.arm(timeout);
        Ok(())
    }

    /// Stops the timer; nothing happens if it is not running.
    #[doc(alias = "uv_timer_stop")]
    pub fn stop(&mut self) {
        self.disarm();
        let head = &mut self.engine.table.timers[self.index].head;
        // A closing timer stays a closing one.
        if head.life == Life::Active {
            head.deactivate(&mut self.engine.active);
        }
    }

    /// Starts a repeating timer anew with its repeat value as the timeout. `EINVAL` if the timer
    /// was never started; without a repeat value nothing happens.
    #[doc(alias = "uv_timer_again")]
    pub fn again(&mut self) -> Result<()> {
        if !self.body().started {
            return Err(Errno::EINVAL);
        }
        match self.body().repeat {
            0 => Ok(()),
            repeat => self.start(repeat, repeat),
        }
    }

    /// The repeat value.
    #[doc(alias = "uv_timer_get_repeat")]
    pub fn repeat(&self) -> u64 {
        self.engine.table.timers[self.index].body.repeat
    }

    /// Sets the repeat value, which counts from the next time the timer is due.
    #[doc(alias = "uv_timer_set_repeat")]
    pub fn set_repeat(&mut self, repeat: u64) {
        self.body().repeat = repeat;
    }

    /// Milliseconds until the timer fires; zero if that is past.
    #[doc(alias = "uv_timer_get_due_in")]
    pub fn due_in(&self) -> u64 {
        self.engine.table.timers[self.index].body.due.saturating_sub(self.engine.clock.now)
    }

    fn arm(&mut self, timeout: u64) {
        self.disarm();
        let engine = &mut *self.engine;
        let due = engine.clock.now.saturating_add(timeout);
        let mut timers = Wheeled { timers: &mut engine.table.timers, active: &mut engine.active };
        let serial = engine.timers.wheel.insert(self.index, due, &mut timers);
        let Entry { head, body } = &mut engine.table.timers[self.index];
        body.due = due;
        body.state = State::Waiting(serial);
        head.activate(&mut engine.active);
    }

    fn disarm(&mut self) {
        let Engine { timers, table, .. } = &mut *self.engine;
        let body = &mut table.timers[self.index].body;
        if let State::Waiting(_) = std::mem::take(&mut body.state) {
            timers.wheel.remove(body.due);
        }
    }

    fn head(&mut self) -> &mut Head {
        &mut self.engine.table.timers[self.index].head
    }

    fn body(&mut self) -> &mut Timer {
        &mut self.engine.table.timers[self.index].body
    }
}
