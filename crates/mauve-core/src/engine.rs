//! The engine's state, and the methods that concern all of it.

use std::sync::atomic::Ordering;

use mauve_sys::driver::Driver;
use mauve_sys::{Errno, Result};

use crate::clock::Clock;
use crate::handle::async_::{Async, Wakeups};
use crate::handle::fs_event::FsEvents;
use crate::handle::fs_poll::FsPolls;
use crate::handle::hook::Hooks;
use crate::handle::process::ExitQueue;
use crate::handle::signal::SignalQueue;
use crate::handle::stream::StreamState;
use crate::handle::timer::TimerQueue;
use crate::handle::udp::UdpState;
use crate::id::{HandleKind, Token};
use crate::metrics::{IdleTime, LoopCounters, Metrics};
use crate::phase::{ClosingQueue, DeferredQueue, PollEvents};
use crate::pool::{Outbox, Pool, PoolPort};
use crate::probe::{LoopProbe, ProbeState};
use crate::registration::Registrations;
use crate::request::work::Works;
use crate::run::{Position, RunState};
use crate::slab::ActiveCounts;
use crate::sync::Arc;
use crate::table::Table;
use crate::trace::{self, Tracer};
use crate::wakeups::WakeupQueue;

/// One event loop, driven by [`next`](Self::next).
///
/// Each field is a part that owns its data. Its `is_pending()` is true while it has something to
/// report. [`Engine::has_immediate_work`] is the one place that combines them.
#[doc(alias = "uv_loop_t")]
pub struct Engine<D> {
    pub(crate) driver: D,
    pub(crate) clock: Clock,
    pub(crate) run: RunState,

    // Handles and requests.
    pub(crate) table: Table,
    pub(crate) works: Works,
    pub(crate) active: ActiveCounts,

    // One for each phase.
    pub(crate) timers: TimerQueue,
    pub(crate) deferred: DeferredQueue,
    pub(crate) hooks: Hooks,
    pub(crate) poll: PollEvents,
    pub(crate) closing: ClosingQueue,

    // Sources of the poll phase beside readiness.
    pub(crate) wakeups: Wakeups,
    pub(crate) pool: PoolPort,
    pub(crate) children: ExitQueue,
    pub(crate) signals: SignalQueue,
    pub(crate) fs_events: FsEvents,
    pub(crate) fs_polls: FsPolls,

    // Sockets.
    pub(crate) registrations: Registrations,
    pub(crate) streams: StreamState,
    pub(crate) udps: UdpState,

    // Observation from outside.
    pub(crate) tracer: Tracer,
    pub(crate) metrics: Metrics,
    pub(crate) probe: ProbeState,
}

impl<D: Driver> Engine<D> {
    /// A loop on `driver` whose blocking work goes to `pool`.
    #[doc(alias = "uv_loop_init")]
    pub fn new(driver: D, pool: Pool) -> Result<Self> {
        let wakeups = Arc::new(WakeupQueue::new(driver.waker()));
        Ok(Self::with_wakeups(driver, pool, wakeups))
    }

    /// As [`new`](Self::new), on the wake-up queue of an engine that was closed. Senders of that
    /// engine find their handles closed. The queue's waker must be the driver's.
    pub fn with_wakeups(driver: D, pool: Pool, wakeups: Arc<WakeupQueue>) -> Self {
        // libuv registrations for child exits with a signal handle of its own, the first in every listing.
        // The engine needs none, but lists one.
        let mut table = Table::new();
        let mut active = ActiveCounts::default();
        let sequence = table.next_sequence();
        let own = table.signals.insert(Token(0), sequence, Default::default());
        let head = &mut table.signals[own.index()].head;
        head.set_internal();
        head.set_referenced(false, &mut active);

        // The engine's own async handle is notified when the pool has finished something. It is the
        // oldest, so it comes first in every round, and it does not keep the loop alive.
        let sequence = table.next_sequence();
        let first = |index| wakeups.generation_at(index);
        let notifier = table.asyncs.insert_with(Token(0), sequence, Async::of_pool(), first);
        let head = &mut table.asyncs[notifier.index()].head;
        head.set_internal();
        head.set_referenced(false, &mut active);
        head.activate(&mut active);
        wakeups.open(notifier);
        let number = trace::next_loop();
        wakeups.set_loop_number(number);

        let mut engine = Self {
            driver,
            clock: Clock::default(),
            run: RunState::default(),
            table,
            works: Works::default(),
            active,
            timers: TimerQueue::default(),
            deferred: DeferredQueue::default(),
            hooks: Hooks::default(),
            poll: PollEvents::default(),
            closing: ClosingQueue::default(),
            pool: PoolPort::new(Outbox::new(pool, wakeups.clone(), notifier)),
            wakeups: Wakeups::new(wakeups),
            children: ExitQueue::default(),
            signals: SignalQueue::default(),
            fs_events: FsEvents::default(),
            fs_polls: FsPolls::default(),
            registrations: Registrations::default(),
            streams: StreamState::default(),
            udps: UdpState::default(),
            tracer: Tracer::new(number),
            metrics: Metrics::default(),
            probe: ProbeState::default(),
        };
        engine.update_time();
        engine.probe.shared.set_waker(&engine.driver);
        engine.probe.shared.number.store(number.into(), Ordering::Relaxed);
        engine
    }

    /// Closes a loop that is not in use. `EBUSY` while a handle of the user exists, even
    /// an inactive one, or a request is in flight.
    #[doc(alias = "uv_loop_close")]
    pub fn close(&mut self) -> Result<()> {
        if self.active.requests > 0 || self.has_user_handles() {
            return Err(Errno::EBUSY);
        }
        self.trace_loop_close();
        let own: Vec<_> = self.handles(true);
        for (id, _) in own {
            if id.kind() == HandleKind::Async {
                self.close_node(id);
            }
        }
        if self.probe.shared.is_inherited() {
            self.wakeups.queue.discard_after_fork(self.table.asyncs.len());
        } else {
            self.drop_suspended_runs();
            self.wakeups.close();
        }
        self.pool.reads.drop_reader();
        Ok(())
    }

    /// Whether there is anything to wait for: an active and referenced handle, a request, a
    /// handle that is closing, or a handle that is due in the next pending phase.
    #[doc(alias = "uv_loop_alive")]
    pub fn alive(&self) -> bool {
        !self.active.is_empty() || self.closing.is_pending() || self.deferred.has_more()
    }

    /// Sets how many references the host holds. The loop stays alive while there are any.
    pub fn set_host_references(&mut self, count: usize) {
        self.active.host_references = count;
    }

    /// Ends the current or next run after its current iteration.
    #[doc(alias = "uv_stop")]
    pub fn stop(&mut self) {
        self.run.stopping = true;
    }

    /// The loop's time in milliseconds. It is cached, so that all callbacks of a phase see the same.
    #[doc(alias = "uv_now")]
    pub fn now(&self) -> u64 {
        self.clock.now
    }

    /// Reads the clock.
    #[doc(alias = "uv_update_time")]
    #[inline]
    pub fn update_time(&mut self) {
        self.clock.read_after = self.run.callbacks;
        self.clock.nanos = self.driver.now();
        self.clock.now = self.clock.nanos / 1_000_000;
        self.table.now = self.clock.now;
    }

    /// How long a run would wait now, in milliseconds. `None` means without a limit.
    #[doc(alias = "uv_backend_timeout")]
    pub fn backend_timeout(&mut self) -> Option<u64> {
        // libuv registers its wake-up descriptor in the first poll phase, and returns 0 until then.
        let registered = self.metrics.counters.iterations > self.run.iterations_before;
        let is_current = registered && !self.has_new_registrations();
        if is_current { self.poll_timeout() } else { Some(0) }
    }

    /// How long the poll phase may wait.
    #[inline(always)]
    pub(crate) fn poll_timeout(&mut self) -> Option<u64> {
        let waits = !self.has_immediate_work() && !self.run.stopping && !self.active.is_empty();
        if waits { self.until_next_timer() } else { Some(0) }
    }

    /// Whether the loop has work that it does not have to wait for. Due timers do not count, because
    /// they bound the wait. Neither does the rest of the current phase.
    ///
    /// A new source of completions is added here, or in
    /// [`has_pending_events`](Self::has_pending_events) if the poll phase reports it.
    #[inline(always)]
    pub(crate) fn has_immediate_work(&self) -> bool {
        // Idle hooks come first, because a loop with idle hooks calls this in every iteration.
        self.hooks.idle.is_started()
            || self.deferred.has_more()
            || self.closing.is_pending()
            || self.pool.is_pending()
            || self.run.position != Position::Poll && self.has_pending_events()
    }

    /// Whether the poll phase has completions that do not come from the driver.
    #[inline(always)]
    pub(crate) fn has_pending_events(&self) -> bool {
        self.pool.is_reporting()
            || self.wakeups.is_pending()
            || self.fs_events.is_pending()
            || self.children.is_pending()
            || self.signals.is_pending()
    }

    /// Prepares the loop for use in a forked child. It keeps its handles and requests, except for
    /// work that pool threads had started. A file system event handle whose path cannot be watched
    /// again is stopped, and its error is returned after all other handles were restored.
    #[doc(alias = "uv_loop_fork")]
    pub fn reopen_after_fork(&mut self) -> Result<()> {
        self.driver.reopen_after_fork()?;
        self.run.iterations_before = self.metrics.counters.iterations;
        self.probe.shared.assign_to_this_process();
        self.probe.shared.set_waker(&self.driver);
        self.reopen_pool();
        let rewatched = self.rewatch_files();
        self.rearm_by_descriptor();
        self.disown_children();
        self.requeue_wakeups();
        self.reopen_signal_pipe()?;
        rewatched
    }

    /// The driver.
    pub fn driver(&mut self) -> &mut D {
        &mut self.driver
    }

    /// The queue through which other threads reach this loop.
    pub fn wakeups(&self) -> &Arc<WakeupQueue> {
        &self.wakeups.queue
    }

    /// The probe of this loop, for other threads. It is never freed.
    pub fn probe(&self) -> &'static LoopProbe {
        *self.probe.shared
    }

    /// Metrics: iterations and events.
    #[doc(alias = "uv_metrics_info")]
    pub fn metrics(&self) -> LoopCounters {
        self.metrics.counters
    }

    /// The time spent waiting, readable from any thread. Stays zero until
    /// [`measure_idle_time`](Self::measure_idle_time) or [`measure_wait_times`](Self::measure_wait_times).
    pub fn idle_time(&self) -> &std::sync::Arc<IdleTime> {
        &self.metrics.idle_time
    }

    /// Starts to measure the time spent waiting, and to count the events that were ready already. The
    /// loop then polls once before it waits, as libuv does.
    #[doc(alias = "UV_METRICS_IDLE_TIME")]
    pub fn measure_idle_time(&mut self) {
        self.measure_wait_times();
        self.metrics.polls_first = true;
    }

    /// Starts to measure the time spent waiting, without a further system call.
    pub fn measure_wait_times(&mut self) {
        self.metrics.measures_idle_time = true;
    }
}
