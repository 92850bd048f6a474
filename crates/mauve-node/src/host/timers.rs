//! Timers and immediates of the script, on a timer, a check and an idle handle of the loop.

use std::time::Duration;

use super::trace::CallOrigin;
use super::{Call, Host, current};
use crate::queue::{ImmediateKey, TimerKey};

impl Host {
    /// Updates the loop's time and returns it in milliseconds since the start.
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
        // Dropped with no borrow held, because it may be the last reference to an object of the
        // script.
        drop(stopped);
        self.update_timer_ref();
    }

    /// Returns false if the timer no longer exists.
    pub fn refresh_timer(&self, key: TimerKey) -> bool {
        let now = self.now();
        let exists = self.timers.borrow_mut().refresh(key, now);
        self.schedule();
        exists
    }

    pub fn set_timer_ref(&self, key: TimerKey, referenced: bool) {
        self.timers.borrow_mut().set_referenced(key, referenced);
        self.update_timer_ref();
    }

    /// Starts the loop's timer for the first list that is due, unless it fires earlier already.
    fn schedule(&self) {
        let Some(schedule) = self.timers.borrow().schedule() else { return };
        let wait = schedule.due.saturating_sub(self.now()).max(1);
        let sooner = !self.timer.is_active() || self.timer.due_in() > Duration::from_millis(wait);
        if sooner {
            self.timer
                .once(Duration::from_millis(wait), |(), _| current().run_timers())
                .expect("the timer is never closed");
        }
        self.update_timer_ref();
    }

    fn update_timer_ref(&self) {
        if self.timers.borrow().referenced() > 0 {
            self.timer.ref_();
        } else {
            self.timer.unref();
        }
    }

    /// Runs the timers that are due and drains the queues between them. As in Node, the drain
    /// before a timer happens after the check whether it is due.
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
                if self.invoke(ctx, CallOrigin::Timers, due.callback).is_err() {
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

    /// The number of timers and of immediates that keep the loop alive.
    pub fn referenced_timers(&self) -> (usize, usize) {
        (self.timers.borrow().referenced(), self.immediates.borrow().referenced())
    }

    pub fn add_immediate(&self, call: Call) -> ImmediateKey {
        let key = self.immediates.borrow_mut().push(call);
        self.update_immediate_idle();
        key
    }

    pub fn has_immediate(&self, key: ImmediateKey) -> bool {
        self.immediates.borrow().contains(key)
    }

    pub fn clear_immediate(&self, key: ImmediateKey) {
        let cancelled = self.immediates.borrow_mut().cancel(key);
        drop(cancelled);
        self.update_immediate_idle();
    }

    pub fn set_immediate_ref(&self, key: ImmediateKey, referenced: bool) {
        self.immediates.borrow_mut().set_referenced(key, referenced);
        self.update_immediate_idle();
    }

    /// An active idle handle keeps the loop from blocking while immediates are queued.
    fn update_immediate_idle(&self) {
        let is_needed = self.immediates.borrow().referenced() > 0;
        if is_needed && !self.immediate_idle.is_active() {
            self.immediate_idle.start(|(), _| {}).expect("the idle handle is never closed");
        } else if !is_needed {
            self.immediate_idle.stop();
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
                if self.invoke(ctx, CallOrigin::Immediates, call).is_err() {
                    drain_first = false;
                }
            }
            if drain_first {
                let _ = self.drain(ctx);
            }
        });
        self.update_immediate_idle();
    }
}
