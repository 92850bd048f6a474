//! Timers and immediates of the script, on a timer, a check and an idle handle of the loop.
//!
//! The objects of timers have the properties `_repeat` and `_destroyed`. These are no private names: Node's
//! timers have them, and a program may change `_repeat` in the callback.

use std::time::Duration;

use rquickjs::Ctx;

use super::drain::Thrown;
use super::phase_lines::CallOrigin;
use super::traced_calls::script_name;
use super::{Call, Host, current};
use crate::binding::emitters;
use crate::queue::{ImmediateKey, ImmediateStep, TimerKey, TimerStep};

/// The most timers that are described.
const MAX_DESCRIBED: usize = 1000;

impl Host {
    /// Updates the loop's time and returns it in milliseconds since the start.
    pub fn now(&self) -> u64 {
        self.lp.update_time();
        self.loop_time()
    }

    /// The loop's time in milliseconds since the start.
    fn loop_time(&self) -> u64 {
        self.lp.now().as_millis() as u64 - self.origin
    }

    pub fn start_timer(&self, call: Call, duration: u64) -> TimerKey {
        let now = self.now();
        let key = self.timers.borrow_mut().start(call, duration, now);
        self.schedule();
        key
    }

    /// The functions of timers and emitters, for `mauve why`. Called while the loop waits.
    pub fn describe_functions(&self) -> Vec<String> {
        self.with(|ctx| [self.describe_timers(ctx), emitters::describe(ctx)].concat())
    }

    fn describe_timers(&self, ctx: &Ctx<'_>) -> Vec<String> {
        let timers = self.timers.borrow();
        let lines = timers.iter().take(MAX_DESCRIBED).map(|(call, duration)| {
            let timer = call.this(ctx).ok().flatten();
            let repeat: Option<f64> = timer.and_then(|timer| timer.get("_repeat").ok());
            let kind = if repeat.is_some() { "setInterval" } else { "setTimeout" };
            let name = call.function(ctx).map(|function| script_name(&function));
            let name = name.map_or(String::new(), |name| format!(" {name}"));
            format!("{kind}{name}, {duration} ms")
        });
        lines.collect()
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
        let wait = self.wait_until(schedule.due);
        if !self.timer.is_active() || self.timer.due_in() > wait {
            self.start_loop_timer(wait);
        }
        self.update_timer_ref();
    }

    /// The time from the loop's time until `due`, at least a millisecond.
    fn wait_until(&self, due: u64) -> Duration {
        Duration::from_millis(due.saturating_sub(self.loop_time()).max(1))
    }

    fn start_loop_timer(&self, wait: Duration) {
        self.timer.once(wait, |(), _| current().run_timers()).expect("the timer is never closed");
    }

    fn update_timer_ref(&self) {
        if self.timers.borrow().referenced() > 0 {
            self.timer.ref_();
        } else {
            self.timer.unref();
        }
    }

    /// Runs the timers that are due, and drains the queues after each of them. A callback that throws
    /// ends the pass, and the next pass continues with the timers that follow. A timer that becomes due
    /// meanwhile runs in the next iteration.
    fn run_timers(&self) {
        self.with(|ctx| {
            let now = self.now();
            while self.run_due_timers(ctx, now).is_err() {
                self.timers.borrow_mut().restart_pass();
            }
            // The drain may start timers, which then fire earlier if they are due earlier.
            if let Some(schedule) = self.timers.borrow().schedule() {
                self.start_loop_timer(self.wait_until(schedule.due));
            }
            self.update_timer_ref();
            let _ = self.drain(ctx);
        });
    }

    fn run_due_timers(&self, ctx: &Ctx<'_>, now: u64) -> Result<(), Thrown> {
        loop {
            let step = self.timers.borrow_mut().next_step(now);
            match step {
                TimerStep::Drain => self.drain(ctx)?,
                TimerStep::Run(due) => {
                    let start = self.now();
                    let timer = due.callback.this(ctx).ok().flatten();
                    let outcome = self.run_call(ctx, CallOrigin::Timers, due.callback);
                    // A listener of 'uncaughtException' finds the timer restarted or destroyed.
                    let repeat = timer.as_ref().and_then(|timer| timer.get("_repeat").ok());
                    let repeat = repeat.filter(|&duration: &f64| duration >= 1.0);
                    let repeat = repeat.map(|duration| duration as u64);
                    let ended = self.timers.borrow_mut().finish(due.key, repeat, start);
                    if let (Some(_), Some(timer)) = (ended, timer) {
                        let _ = timer.set("_destroyed", true);
                    }
                    outcome.map_err(|error| self.report(ctx, error))?;
                }
                TimerStep::Done => return Ok(()),
            }
        }
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

    /// Drains the queues, because an exception may have interrupted the last drain, and runs the
    /// immediates. After an immediate that throws, the remaining ones run in the same check phase.
    pub(super) fn run_immediates(&self) {
        self.with(|ctx| {
            let _ = self.drain(ctx);
            if self.immediates.borrow().is_empty() {
                return;
            }
            while self.run_immediate_batch(ctx).is_err() {}
            self.update_immediate_idle();
            let _ = self.drain(ctx);
        });
    }

    fn run_immediate_batch(&self, ctx: &Ctx<'_>) -> Result<(), Thrown> {
        self.immediates.borrow_mut().begin();
        loop {
            let step = self.immediates.borrow_mut().next_step();
            match step {
                ImmediateStep::Drain => self.drain(ctx)?,
                ImmediateStep::Run(call) => self.invoke(ctx, CallOrigin::Immediates, call)?,
                ImmediateStep::Done => return Ok(()),
            }
        }
    }
}
