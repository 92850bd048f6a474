//! The script's timers and immediates, on the loop's.

use std::time::Duration;

use super::trace::Queue;
use super::{Call, Host, current};
use crate::queue::{ImmediateKey, TimerKey};

impl Host {
    /// The loop's time in milliseconds, read anew.
    pub fn now(&self) -> u64 {
        self.lp.update_time();
        self.lp.now().as_millis() as u64 - self.origin
    }

    pub fn start_timer(&self, call: Call, duration: u64, repeats: bool) -> TimerKey {
        let now = self.now();
        let key = self.timers.borrow_mut().start(call, duration, repeats, now);
        self.schedule();
        key
    }

    pub fn stop_timer(&self, key: TimerKey) {
        let stopped = self.timers.borrow_mut().stop(key);
        // Dropped with no borrow held: it may be the last name of an object of the script.
        drop(stopped);
        self.reference_clock();
    }

    /// False if the timer is gone.
    pub fn refresh_timer(&self, key: TimerKey) -> bool {
        let now = self.now();
        let there = self.timers.borrow_mut().refresh(key, now);
        self.schedule();
        there
    }

    pub fn reference_timer(&self, key: TimerKey, referenced: bool) {
        self.timers.borrow_mut().set_referenced(key, referenced);
        self.reference_clock();
    }

    /// Has the loop's timer fire when the first list is due, if it would not fire before.
    fn schedule(&self) {
        let Some(schedule) = self.timers.borrow().schedule() else { return };
        let wait = schedule.due.saturating_sub(self.now()).max(1);
        let sooner = !self.clock.is_active() || self.clock.due_in() > Duration::from_millis(wait);
        if sooner {
            self.clock
                .once(Duration::from_millis(wait), |(), _| current().run_timers())
                .expect("the clock is never closed");
        }
        self.reference_clock();
    }

    fn reference_clock(&self) {
        if self.timers.borrow().referenced() > 0 {
            self.clock.ref_();
        } else {
            self.clock.unref();
        }
    }

    /// Runs the timers that are due, with the queues drained in between. The drain before a
    /// timer comes after the question whether one is due, as in Node.
    fn run_timers(&self) {
        self.with(|ctx| {
            let mut now = self.now();
            let mut drain_first = false;
            loop {
                let due = self.timers.borrow_mut().next_due(&mut now, || self.now());
                let Some(due) = due else { break };
                if std::mem::replace(&mut drain_first, true) && self.drain(ctx).is_err() {
                    drain_first = false;
                }
                if !self.timers.borrow().contains(due.key) {
                    continue;
                }
                let start = self.now();
                if self.invoke(ctx, Queue::Timers, due.callback).is_err() {
                    drain_first = false;
                }
                let ended = self.timers.borrow_mut().finish(due.key, start);
                drop(ended);
            }
            if drain_first {
                let _ = self.drain(ctx);
            }
        });
        self.schedule();
    }

    pub fn add_immediate(&self, call: Call) -> ImmediateKey {
        let key = self.immediates.borrow_mut().push(call);
        self.reference_check();
        key
    }

    pub fn has_immediate(&self, key: ImmediateKey) -> bool {
        self.immediates.borrow().contains(key)
    }

    pub fn cancel_immediate(&self, key: ImmediateKey) {
        let cancelled = self.immediates.borrow_mut().cancel(key);
        drop(cancelled);
        self.reference_check();
    }

    pub fn reference_immediate(&self, key: ImmediateKey, referenced: bool) {
        self.immediates.borrow_mut().set_referenced(key, referenced);
        self.reference_check();
    }

    /// An idle handle keeps the loop from waiting while immediates do.
    fn reference_check(&self) {
        let wanted = self.immediates.borrow().referenced() > 0;
        if wanted && !self.hurry.is_active() {
            self.hurry.start(|(), _| {}).expect("the idle handle is never closed");
        } else if !wanted {
            self.hurry.stop();
        }
    }

    pub(super) fn run_immediates(&self) {
        if self.immediates.borrow().is_empty() {
            return;
        }
        self.with(|ctx| {
            self.immediates.borrow_mut().begin();
            let mut drain_first = false;
            loop {
                let next = self.immediates.borrow_mut().next_key();
                let Some(key) = next else { break };
                if std::mem::replace(&mut drain_first, true) && self.drain(ctx).is_err() {
                    drain_first = false;
                }
                let taken = self.immediates.borrow_mut().cancel(key);
                let Some(call) = taken else { continue };
                if self.invoke(ctx, Queue::Immediates, call).is_err() {
                    drain_first = false;
                }
            }
            if drain_first {
                let _ = self.drain(ctx);
            }
        });
        self.reference_check();
    }
}
