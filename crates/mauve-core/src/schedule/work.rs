//! Finished requests.
//!
//! Threads of the pool finish jobs in an order that no one knows. So that a seed has the same order each time,
//! the loop waits for them before it polls, and puts them in the order of submission. Then it decides which is
//! reported next, and which are left for the next iteration. A pool of one thread keeps the order.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;

use mauve_sys::clock::{system_hrtime, system_sleep};
use mauve_sys::driver::Driver;
use mauve_sys::fs::cancellable::with_cancellation_disabled;

use super::events::{TIMER_SOON, UNDECIDED};
use super::{DecisionKind, LoopSchedule, Submitted};
use crate::Engine;
use crate::id::RequestId;
use crate::pool::Finished;
use crate::run::Mode;
use crate::sort::sort_by_number;
use crate::wakeups::notified_state;

/// How long the loop waits for jobs. A job may itself wait for the loop.
const PATIENCE: Duration = Duration::from_millis(50);

/// How often it checks.
const INTERVAL: Duration = Duration::from_micros(20);

impl LoopSchedule {
    /// Notes that a request was submitted.
    pub fn note_submission(&self, request: RequestId) {
        let mut submitted = self.submitted();
        let number = submitted.count;
        submitted.count = number.wrapping_add(1);
        submitted.in_flight.insert(request, number);
    }

    fn submitted(&self) -> MutexGuard<'_, Submitted> {
        self.submitted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of a request in flight.
    pub(super) fn number_of(&self, request: RequestId) -> Option<u32> {
        self.submitted().in_flight.get(&request).copied()
    }

    /// Sorts requests by submission.
    fn sort(&self, finished: &mut [Finished]) {
        let submitted = self.submitted();
        let number = |id: &RequestId| submitted.in_flight.get(id).copied();
        sort_by_number(finished, |finished| {
            number(&finished.request).map_or(0, |number| u64::from(number) + 1)
        });
    }

    /// Forgets requests that are reported.
    fn forget(&self, reported: &[Finished]) {
        let mut submitted = self.submitted();
        for finished in reported {
            submitted.in_flight.remove(&finished.request);
        }
    }
}

impl<D: Driver> Engine<D> {
    /// Called before the loop polls. Waits briefly for the jobs on the pool.
    pub(crate) fn await_jobs(&mut self, mode: Mode) {
        let Some(schedule) = self.schedule.clone() else { return };
        schedule.mode.store(mode as u8, Ordering::Relaxed);
        schedule.late.store(UNDECIDED, Ordering::Relaxed);
        self.enter_process();
        let end = system_hrtime() + PATIENCE.as_nanos() as u64;
        let patience = |left: usize| {
            left > schedule.unfinished.load(Ordering::Relaxed) && system_hrtime() < end
        };
        let mut left = self.pool.outbox().unfinished();
        // A job that sleeps ends when the loop waits.
        let clock = self.virtual_clock().cloned();
        if let Some(clock) = &clock {
            clock.note_iteration();
        }
        while patience(left) && !clock.as_ref().is_some_and(|clock| clock.has_sleepers()) {
            with_cancellation_disabled(|| system_sleep(INTERVAL));
            left = self.pool.outbox().unfinished();
        }
        // A job that takes long, or waits for the loop, is not waited for again.
        schedule.unfinished.store(left, Ordering::Relaxed);
        let id = self.pool.outbox().notified_handle();
        let node = self.wakeups.queue().node_of(id);
        if self.pool.take_notified() {
            // The thread that notifies the loop is between two instructions.
            while node.is_some_and(|node| !node.is_notified(notified_state(id)))
                && system_hrtime() < end
            {
                std::thread::yield_now();
            }
        }
        self.wakeups.drop_pool_wakeup(&self.pool);
    }

    /// Called when the poll phase has taken finished requests. They are reported from the end of the list.
    pub(crate) fn schedule_work(&mut self) {
        let Some(schedule) = self.schedule.clone() else { return };
        let mut ready = self.pool.take_unreported();
        if ready.is_empty() {
            return;
        }
        ready.reverse();
        let ordered = self.pool.outbox().pool().size() == 1;
        if !ordered {
            schedule.sort(&mut ready);
        }
        let mut order = Vec::with_capacity(ready.len());
        let later = if self.timers_come_before_work(&ready) {
            order = ready;
            order.len()
        } else {
            // The first one is taken most often, of what may be thousands.
            let mut ready = VecDeque::from(ready);
            while !ready.is_empty() {
                let options = if ordered { 1 } else { ready.len() };
                let next = self.decide(DecisionKind::Work, options, |engine, choice| {
                    engine.name_request(ready[choice].request)
                });
                order.extend(ready.remove(next));
            }
            // A wait ends with a callback or a timer, so one is reported unless there are events.
            let options = order.len() + usize::from(!self.poll.current_events().is_empty());
            self.decide(DecisionKind::LaterWork, options, |engine, later| {
                engine.name_request(order[order.len() - later.max(1)].request)
            })
        };
        self.pool.sort_carried(&order);
        let later = order.split_off(order.len() - later);
        schedule.forget(&order);
        self.poll.exclude_events(later.len());
        self.pool.put_back(order, later);
    }

    /// Decides whether a timer that is due soon runs before the requests, which finish a little later then.
    fn timers_come_before_work(&mut self, ready: &[Finished]) -> bool {
        let Some(ms) = self.until_next_timer().filter(|ms| *ms <= TIMER_SOON) else { return false };
        let first = self.decide(DecisionKind::TimerBeforeWork, 2, |engine, _| {
            engine.name_request(ready[0].request)
        });
        if first == 1 && ms > 0 {
            self.pass_time(Duration::from_millis(ms));
        }
        first == 1
    }
}
