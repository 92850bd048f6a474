//! Metrics of a loop and of its tasks.
//!
//! Counters are always on. Times cost two reads of the clock for each wait and for each poll of a
//! task, so they are measured only after [`LoopRef::measure_times`].

use std::cell::Cell;
use std::panic::Location;
use std::time::Duration;

use mauve_core::Engine;

use mauve_sys::clock::hrtime;

use crate::LoopRef;

/// Metrics of a loop, see [`LoopRef::metrics`]. All numbers count from its creation.
///
/// The names are those of tokio's `RuntimeMetrics` where it has the same metric.
///
/// ```
/// let lp: mauve::Loop = mauve::Loop::new()?;
/// lp.block_on(async { mauve::spawn(async {}).await.unwrap() });
/// let metrics = lp.metrics();
/// assert_eq!((metrics.spawned_tasks_count, metrics.num_alive_tasks), (1, 0));
/// # Ok::<(), mauve::Errno>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "uv_metrics_t")]
#[doc(alias = "RuntimeMetrics")]
#[non_exhaustive]
pub struct LoopMetrics {
    /// Iterations, counted on entering the poll phase.
    pub iterations: u64,
    /// Events that were handled.
    pub events: u64,
    /// Those of them that were ready before the loop polled. Counted only after
    /// [`LoopRef::measure_idle_time`].
    pub events_waiting: u64,
    /// Time that runs spent waiting for events. Zero unless times are measured.
    pub idle_time: Duration,
    /// Time that runs spent otherwise: in callbacks, in tasks, and in the loop itself. Zero unless
    /// times are measured.
    pub busy_time: Duration,
    /// Tasks that have not completed.
    pub num_alive_tasks: usize,
    /// Tasks that were spawned.
    pub spawned_tasks_count: u64,
    /// Polls of tasks.
    pub poll_count: u64,
    /// Time spent in polls of tasks. Zero unless times are measured.
    pub total_poll_duration: Duration,
    /// Wake-ups and spawns from other threads.
    pub remote_schedule_count: u64,
    /// Polls that ended because the task had used its budget.
    pub budget_forced_yield_count: u64,
}

impl LoopMetrics {
    /// The part of the time in which the loop was busy, from 0 to 1. Zero if times are not measured.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let lp: mauve::Loop = mauve::Loop::new()?;
    /// lp.measure_times();
    /// lp.block_on(lp.sleep(Duration::from_millis(20)));
    /// assert!(lp.metrics().utilization() < 0.5);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "eventLoopUtilization")]
    pub fn utilization(&self) -> f64 {
        let (busy, idle) = (self.busy_time.as_secs_f64(), self.idle_time.as_secs_f64());
        if busy == 0.0 { 0.0 } else { busy / (busy + idle) }
    }

    /// The metrics of the time since `earlier`. The number of alive tasks stays what it is.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            iterations: self.iterations - earlier.iterations,
            events: self.events - earlier.events,
            events_waiting: self.events_waiting - earlier.events_waiting,
            idle_time: self.idle_time.saturating_sub(earlier.idle_time),
            busy_time: self.busy_time.saturating_sub(earlier.busy_time),
            num_alive_tasks: self.num_alive_tasks,
            spawned_tasks_count: self.spawned_tasks_count - earlier.spawned_tasks_count,
            poll_count: self.poll_count - earlier.poll_count,
            total_poll_duration: self.total_poll_duration - earlier.total_poll_duration,
            remote_schedule_count: self.remote_schedule_count - earlier.remote_schedule_count,
            budget_forced_yield_count: self.budget_forced_yield_count
                - earlier.budget_forced_yield_count,
        }
    }
}

/// Metrics of a task, see [`LoopRef::task_metrics`].
///
/// The names are those of the crate `tokio-metrics`.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// let lp = mauve::Loop::current();
/// lp.measure_times();
/// mauve::spawn(std::future::pending::<()>());
/// mauve::yield_now().await;
/// for task in lp.task_metrics() {
///     println!("{}: {} polls", task.location, task.total_poll_count);
///     assert!(task.mean_poll_duration() <= task.max_poll_duration);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaskMetrics {
    /// Where the task was spawned.
    pub location: &'static Location<'static>,
    /// How often it was polled.
    pub total_poll_count: u64,
    /// Time spent in its polls. Zero unless times are measured.
    pub total_poll_duration: Duration,
    /// The longest of its polls. Zero unless times are measured.
    pub max_poll_duration: Duration,
}

impl TaskMetrics {
    /// The average time of a poll.
    #[must_use]
    pub fn mean_poll_duration(&self) -> Duration {
        let nanos = self.total_poll_duration.as_nanos() / u128::from(self.total_poll_count.max(1));
        Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }
}

/// The times of the polls of one task, in nanoseconds. Zero unless they are measured.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PollTimes {
    pub total: u64,
    pub longest: u64,
}

impl PollTimes {
    #[inline]
    pub fn add(&mut self, nanos: u64) {
        self.total += nanos;
        self.longest = self.longest.max(nanos);
    }

    pub fn of_task(self, location: &'static Location<'static>, polls: u32) -> TaskMetrics {
        TaskMetrics {
            location,
            total_poll_count: polls.into(),
            total_poll_duration: Duration::from_nanos(self.total),
            max_poll_duration: Duration::from_nanos(self.longest),
        }
    }
}

/// The time that a loop spent in runs, in nanoseconds.
#[derive(Debug, Default)]
pub(crate) struct RunTime {
    is_measured: Cell<bool>,
    total: Cell<u64>,
    /// When the current run began, or when measuring did. `None` outside of a measured run.
    since: Cell<Option<u64>>,
}

impl RunTime {
    pub fn measure(&self, is_running: bool) {
        if !self.is_measured.replace(true) && is_running {
            self.since.set(Some(hrtime()));
        }
    }

    #[inline]
    pub fn begin(&self) {
        if self.is_measured.get() {
            self.since.set(Some(hrtime()));
        }
    }

    #[inline]
    pub fn end(&self) {
        if self.is_measured.get() {
            self.total.set(self.at(hrtime()));
            self.since.set(None);
        }
    }

    /// The total at time `now`, including the current run.
    pub fn at(&self, now: u64) -> u64 {
        self.total.get() + self.since.get().map_or(0, |since| now.saturating_sub(since))
    }
}

impl<S: 'static> LoopRef<S> {
    /// Metrics of the loop and its tasks.
    #[doc(alias = "uv_metrics_info")]
    pub fn metrics(&self) -> LoopMetrics {
        let now = hrtime();
        let counters = |engine: &mut Engine<_>| (engine.metrics(), engine.idle_time().at(now));
        let (counters, idle) = self.core.try_engine(counters).unwrap_or_default();
        let mut metrics = LoopMetrics {
            iterations: counters.iterations,
            events: counters.events,
            events_waiting: counters.events_waiting,
            idle_time: Duration::from_nanos(idle),
            busy_time: Duration::from_nanos(self.core.run_time.at(now).saturating_sub(idle)),
            ..LoopMetrics::default()
        };
        self.core.executor.add_metrics(&mut metrics);
        metrics
    }

    /// Starts measuring [idle](LoopMetrics::idle_time) and [busy](LoopMetrics::busy_time) time, and
    /// the times of [polls](TaskMetrics). That takes two reads of the clock for each wait and poll.
    pub fn measure_times(&self) {
        self.core.run_time.measure(self.core.executor.is_running());
        self.core.executor.measure_poll_times();
        self.core.try_engine(|engine| engine.measure_wait_times());
    }

    /// Metrics of the tasks that have not completed.
    #[doc(alias = "TaskMonitor")]
    pub fn task_metrics(&self) -> Vec<TaskMetrics> {
        self.core.executor.task_metrics()
    }

    /// Starts measuring [`idle_time`](Self::idle_time), and counting the events that were ready
    /// before the loop polled. The loop then polls once before it waits, as libuv does, which takes
    /// a further system call.
    #[doc(alias = "UV_METRICS_IDLE_TIME")]
    pub fn measure_idle_time(&self) {
        self.core.try_engine(|engine| engine.measure_idle_time());
    }

    /// Time spent waiting for events since [`measure_times`](Self::measure_times) or
    /// [`measure_idle_time`](Self::measure_idle_time).
    #[doc(alias = "uv_metrics_idle_time")]
    pub fn idle_time(&self) -> Duration {
        let now = hrtime();
        Duration::from_nanos(self.core.try_engine(|engine| engine.idle_time().at(now)).unwrap_or(0))
    }
}
