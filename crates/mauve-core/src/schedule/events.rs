//! The events of a poll, and the end of a wait.
//!
//! A descriptor has one event in a poll, so their order may change. Descriptors are level-triggered: an event
//! that is dropped is reported by the next poll. A wake-up is not, and is noted.

use std::sync::atomic::Ordering;
use std::time::Duration;

use mauve_sys::driver::{Driver, Event, Timeout};

use super::DecisionKind;
use crate::id::HandleId;
use crate::run::{Mode, Position};
use crate::{Engine, registration};

/// A timer that is due within this time may run before an event that is ready, in milliseconds.
pub(super) const TIMER_SOON: u64 = 50;

/// No decision on the lateness of the wait yet.
pub(super) const UNDECIDED: u64 = u64::MAX;

/// By how many milliseconds a wait may be late.
const LATE: [u64; 5] = [0, 1, 2, 5, 20];

impl<D: Driver> Engine<D> {
    /// Called with the events of a poll, and with the time as of then.
    pub(crate) fn schedule_events(&mut self) {
        let Some(schedule) = self.schedule.clone() else { return };
        if self.poll.current_events().is_empty() {
            return;
        }
        let mut ready = std::mem::take(self.poll.current_events());
        // The clock ends waits, too, to let the loop poll again. That is no event.
        if self.clock.is_virtual() && !self.clock.owes_wake() && !self.wakeups.has_notified() {
            ready.retain(|event| *event != Event::Wake);
        }
        if ready.contains(&Event::Wake) && !self.wakeups.keeps_wake(&self.pool) {
            ready.retain(|event| *event != Event::Wake);
        }
        if ready.is_empty() {
            return;
        }
        if self.timers_come_first(&ready) {
            self.leave_events(&ready);
            return;
        }
        let mut events = Vec::with_capacity(ready.len());
        while !ready.is_empty() {
            let next = self.decide(DecisionKind::Event, ready.len(), |engine, choice| {
                engine.name_event(ready[choice])
            });
            events.push(ready.remove(next));
        }
        // One is reported: a wait ends with an event or a timer. A run of one iteration reports all.
        let is_default = schedule.mode.load(Ordering::Relaxed) == Mode::Default as u8;
        let options = if is_default { events.len() } else { 1 };
        let left = self.decide(DecisionKind::LaterEvents, options, |engine, left| {
            engine.name_event(events[events.len() - left.max(1)])
        });
        let kept = events.len() - left;
        self.leave_events(&events[kept..]);
        events.truncate(kept);
        *self.poll.current_events() = events;
    }

    /// Decides whether a timer that is due soon runs before `ready`, which happened a little later then.
    fn timers_come_first(&mut self, ready: &[Event]) -> bool {
        let Some(ms) = self.until_next_timer().filter(|ms| *ms <= TIMER_SOON) else { return false };
        let first = self
            .decide(DecisionKind::TimerBeforeEvents, 2, |engine, _| engine.name_event(ready[0]));
        if first == 1 && ms > 0 {
            self.pass_time(Duration::from_millis(ms));
        }
        first == 1
    }

    /// Leaves events for the next poll.
    fn leave_events(&mut self, events: &[Event]) {
        if events.contains(&Event::Wake) {
            self.wakeups.note_missed();
        }
    }

    /// Decides whether the handles that were notified while the loop was awake are called now, in the next
    /// iteration, or after the next timer. Not in a mode that runs one iteration, which the program may rely on
    /// to call them.
    pub(crate) fn leaves_wakeups(&mut self, mode: Mode) -> bool {
        if mode != Mode::Default || self.schedule.is_none() {
            return false;
        }
        let timer = self.until_next_timer().filter(|ms| *ms <= TIMER_SOON);
        let options = if timer.is_some() { 3 } else { 2 };
        let later = self.decide(DecisionKind::LaterWakeup, options, |_, choice| {
            let when = ["at once", "in the next iteration", "after the next timer"];
            when[choice].to_owned()
        });
        if let (2, Some(ms)) = (later, timer) {
            self.pass_time(Duration::from_millis(ms));
        }
        later > 0
    }

    /// Decides by how much a wait for a timer is late.
    pub(crate) fn schedule_wait(&mut self, timeout: Timeout) -> Timeout {
        match timeout.duration() {
            Some(time) if !time.is_zero() && !self.clock.is_virtual() => {
                match Duration::from_nanos(self.late_timer()) {
                    Duration::ZERO => timeout,
                    late => Timeout::Exact(time + late),
                }
            }
            // A virtual clock adds it to the deadline.
            _ => timeout,
        }
    }

    /// By how many nanoseconds the timer is late that ends this wait. Decided once for each poll phase.
    pub(crate) fn late_timer(&mut self) -> u64 {
        let Some(schedule) = self.schedule.clone() else { return 0 };
        let decided = schedule.late.load(Ordering::Relaxed);
        if decided != UNDECIDED {
            return decided;
        }
        if self.run.position() != Position::Wait || self.until_next_timer().is_none() {
            return 0;
        }
        let late = self.decide(DecisionKind::LateTimer, LATE.len(), |_, choice| {
            format!("by {} ms", LATE[choice])
        });
        let late = LATE[late] * 1_000_000;
        schedule.late.store(late, Ordering::Relaxed);
        late
    }

    /// Draws a decision. `name` gets what was chosen.
    pub(super) fn decide(
        &mut self,
        kind: DecisionKind,
        options: usize,
        name: impl FnOnce(&mut Self, usize) -> String,
    ) -> usize {
        let Some(schedule) = self.schedule.clone() else { return 0 };
        schedule.decide(kind, options, |choice| name(self, choice))
    }

    fn name_event(&mut self, event: Event) -> String {
        match event {
            Event::Wake => "async".to_owned(),
            Event::Ready { key: registration::FS_WATCHER, .. } => "fs_event".to_owned(),
            Event::Ready { key: registration::SIGNAL_PIPE, .. } => "signal".to_owned(),
            Event::Ready { key, .. } => {
                HandleId::from_bits(key.0).map_or_else(String::new, |id| self.name_handle(id))
            }
        }
    }
}
