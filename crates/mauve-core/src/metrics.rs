//! Metrics of a loop.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counters of a loop: iterations and events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "uv_metrics_t")]
#[non_exhaustive]
pub struct LoopCounters {
    /// Iterations, counted on entering the poll phase.
    pub iterations: u64,
    /// Events that the driver returned and that were handled.
    pub events: u64,
    /// Those of them that were ready before the loop polled. Counted only while idle time is
    /// measured, because only then the loop polls before it waits.
    pub events_waiting: u64,
}

impl LoopCounters {
    pub(crate) fn add(&mut self, events: usize, waiting: bool) {
        self.events += events as u64;
        if waiting {
            self.events_waiting += events as u64;
        }
    }
}

/// The engine's part for metrics.
#[derive(Default)]
pub(crate) struct Metrics {
    counters: LoopCounters,
    idle_time: std::sync::Arc<IdleTime>,
    measures_idle_time: bool,
    /// Whether the loop polls before it waits, to count the events that were ready already.
    polls_first: bool,
    /// The number of iterations before the driver was opened. Not zero only in a forked child.
    iterations_before: u64,
}

impl Metrics {
    pub fn counters(&self) -> LoopCounters {
        self.counters
    }

    /// Whether the loop has polled its driver.
    pub fn has_polled(&self) -> bool {
        self.counters.iterations > self.iterations_before
    }

    /// Notes that the driver was opened again, in a forked child.
    pub fn note_open_driver(&mut self) {
        self.iterations_before = self.counters.iterations;
    }

    pub fn idle_time(&self) -> &std::sync::Arc<IdleTime> {
        &self.idle_time
    }

    pub fn polls_first(&self) -> bool {
        self.polls_first
    }

    pub fn poll_first(&mut self) {
        self.polls_first = true;
    }

    pub fn measure_idle_time(&mut self) {
        self.measures_idle_time = true;
    }

    pub fn count_iteration(&mut self) {
        self.counters.iterations += 1;
    }

    pub fn count_events(&mut self, events: usize, waiting: bool) {
        self.counters.add(events, waiting);
    }

    /// Called before the driver waits, with its time.
    #[inline]
    pub fn begin_wait(&self, now: impl FnOnce() -> u64) {
        if self.measures_idle_time {
            self.idle_time.begin(now());
        }
    }

    #[inline]
    pub fn end_wait(&self, now: impl FnOnce() -> u64) {
        if self.measures_idle_time {
            self.idle_time.end(now());
        }
    }
}

/// Nanoseconds that a loop spent waiting in its driver. Read from any thread.
#[derive(Debug, Default)]
#[doc(alias = "uv_metrics_idle_time")]
pub struct IdleTime {
    total: AtomicU64,
    /// When the current wait began. Zero outside of a wait.
    since: AtomicU64,
}

impl IdleTime {
    pub(crate) fn begin(&self, now: u64) {
        self.since.store(now, Ordering::Release);
    }

    pub(crate) fn end(&self, now: u64) {
        let since = self.since.swap(0, Ordering::AcqRel);
        if since != 0 {
            self.total.fetch_add(now.saturating_sub(since), Ordering::AcqRel);
        }
    }

    /// The total at time `now`, including the current wait.
    pub fn at(&self, now: u64) -> u64 {
        let since = self.since.load(Ordering::Acquire);
        let total = self.total.load(Ordering::Acquire);
        if since == 0 { total } else { total + now.saturating_sub(since) }
    }
}
