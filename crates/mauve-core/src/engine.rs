//! The engine's state, and the methods that concern all of it.

use std::path::Path;
use std::sync::atomic::Ordering;

use mauve_sys::descriptor::RawDescriptor;
use mauve_sys::driver::Driver;
use mauve_sys::signal::PipeEnds;
use mauve_sys::{Errno, Result};

use crate::clock::{self, Clock};
use crate::handle::async_::{Async, Wakeups};
use crate::handle::fs_event::FsEvents;
use crate::handle::fs_poll::FsPolls;
use crate::handle::hook::Hooks;
use crate::handle::process::ExitQueue;
use crate::handle::signal::SignalQueue;
use crate::handle::socket::SocketEvent;
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
use crate::run::RunState;
use crate::schedule::{self, LoopSchedule};
use crate::slab::ActiveCounts;
use crate::sync::Arc;
use crate::table::Table;
use crate::trace::{self, Tracer};
use crate::wakeups::WakeupQueue;

/// One event loop, driven by [`next`](Self::next).
///
/// Each field is a part that owns its data. Its `is_pending()` is true while it has something to
/// report. [`Engine::has_immediate_work`] combines them.
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
    pub(crate) socket_event: SocketEvent,
    pub(crate) streams: StreamState,
    pub(crate) udps: UdpState,

    /// The seeded schedule. Without it, the loop keeps libuv's order.
    pub(crate) schedule: Option<std::sync::Arc<LoopSchedule>>,

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
        // libuv watches for child exits with a signal handle of its own, the first in every listing.
        // The engine needs none, but lists one.
        let mut table = Table::new();
        let mut active = ActiveCounts::default();
        let sequence = table.next_sequence();
        let own = table.signals.insert(Token(0), sequence, Default::default());
        let head = &mut table.signals[own.index()].head;
        head.set_internal();
        head.set_referenced(false, &mut active);

        // The engine's own async handle is notified when the pool has finished something. It is the
        // oldest, so it comes first in every batch, and it does not keep the loop alive.
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
            socket_event: SocketEvent::default(),
            streams: StreamState::default(),
            udps: UdpState::default(),
            schedule: None,
            tracer: Tracer::new(number),
            metrics: Metrics::default(),
            probe: ProbeState::default(),
        };
        engine.update_time();
        engine.probe.set_waker(&*engine.driver.waker());
        engine.probe.number.store(number.into(), Ordering::Relaxed);
        if let Some(simulation) = schedule::of_process() {
            engine.set_schedule(simulation.clone());
        }
        if let Some(clock) = clock::of_process() {
            engine.set_clock(clock.clone());
        }
        engine
    }

    /// Closes a loop that is not in use. `EBUSY` while a handle of the user exists, even
    /// an inactive one, or a request is in flight.
    #[doc(alias = "uv_loop_close")]
    pub fn close(&mut self) -> Result<()> {
        if self.active.has_requests() || self.has_user_handles() {
            return Err(Errno::EBUSY);
        }
        self.trace_loop_close();
        let own: Vec<_> = self.handles(true);
        for (id, _) in own {
            if id.kind() == HandleKind::Async {
                self.wakeups.close_node(&mut self.table.asyncs, id);
            }
        }
        if self.probe.is_inherited() {
            self.wakeups.queue().discard_after_fork(self.table.asyncs.len());
        } else {
            self.drop_suspended_runs();
            self.wakeups.close();
        }
        self.pool.reads().drop_reader();
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
        self.active.set_host_references(count);
    }

    /// Ends the current or next run after its current iteration.
    #[doc(alias = "uv_stop")]
    pub fn stop(&mut self) {
        self.run.stop();
    }

    /// The loop's time in milliseconds. It is cached, so that all callbacks of a phase see the same.
    #[doc(alias = "uv_now")]
    pub fn now(&self) -> u64 {
        self.clock.now()
    }

    /// Reads the clock.
    #[doc(alias = "uv_update_time")]
    #[inline]
    pub fn update_time(&mut self) {
        let now =
            if self.clock.is_virtual() { self.clock.virtual_nanos() } else { self.driver.now() };
        self.clock.set(now, self.run.callback());
        self.table.now = self.clock.now();
    }

    /// How long a run would wait now, in milliseconds. `None` means without a limit.
    #[doc(alias = "uv_backend_timeout")]
    pub fn backend_timeout(&mut self) -> Option<u64> {
        // libuv registers its wake-up descriptor in the first poll phase, and returns 0 until then.
        let is_current = self.metrics.has_polled() && !self.registrations.has_new(&mut self.table);
        if is_current { self.poll_timeout() } else { Some(0) }
    }

    /// How long the poll phase may wait.
    #[inline(always)]
    pub(crate) fn poll_timeout(&mut self) -> Option<u64> {
        let waits =
            !self.has_immediate_work() && !self.run.is_stopping() && !self.active.is_empty();
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
            || !self.run.position().has_polled() && self.has_pending_events()
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
        self.metrics.note_open_driver();
        self.probe.assign_to_this_process();
        self.probe.set_waker(&*self.driver.waker());
        self.reopen_pool();
        let Self { fs_events, table, active, driver, .. } = self;
        let rewatched = fs_events.rewatch(table, active, driver);
        self.registrations.rearm_by_descriptor(&mut self.table);
        // The children belong to the parent, and their exits are not reported here.
        drop(self.take_children(|_| true));
        self.children.clear();
        self.wakeups.requeue_after_fork(&self.table.asyncs);
        self.signals.reopen_after_fork(&mut self.driver)?;
        rewatched
    }

    /// Registers changed interests with the driver.
    #[inline(never)]
    pub(crate) fn reregister_changed(&mut self) {
        let Self { registrations, table, driver, deferred, .. } = self;
        registrations.reregister_changed(table, driver, deferred);
    }

    /// Handles an event with a stale key. The kernel keeps a registration whose descriptor was closed
    /// while a duplicate is open. The driver then drops all registrations, and all interests are
    /// registered again.
    #[cold]
    pub(crate) fn renew_driver(&mut self) {
        // If this fails, the next event with a stale key tries again.
        if self.driver.handle_stale_event() == Ok(true) {
            self.registrations.rearm_all(&mut self.table);
            self.reregister_changed();
            self.signals.rearm(&mut self.driver);
            self.fs_events.rearm(&mut self.driver);
        }
    }

    /// The driver's descriptor, for a program that polls it.
    #[doc(alias = "uv_backend_fd")]
    pub fn nested_descriptor(&mut self) -> Option<RawDescriptor> {
        self.renew_driver();
        self.driver.embed()
    }

    /// From now on, closing a stream does not close descriptors 0, 1 and 2, as in libuv. The rest of the
    /// program uses their numbers without owning them.
    pub fn keep_standard_descriptors(&mut self) {
        self.streams.keep_standard_descriptors();
    }

    /// Sets whether several connections may be accepted in one event, while they arrive in a burst. That
    /// saves a wait for each. libuv accepts one per event.
    pub fn accept_in_bursts(&mut self, on: bool) {
        self.streams.accept_in_bursts(on && self.schedule.is_none());
    }

    /// Sets the pipe of the signal handles. Without it, the first one opens a pipe, and fails if no
    /// descriptor is left.
    pub fn set_signal_pipe(&mut self, ends: PipeEnds) {
        self.signals.set_ends(Some(ends));
    }

    /// Takes the pipe of [`set_signal_pipe`](Self::set_signal_pipe) back, if no handle has used it. A
    /// forked child shares the pipe with its parent, and returns none.
    pub fn take_signal_pipe(&mut self) -> Option<PipeEnds> {
        let ends = self.signals.set_ends(None);
        ends.filter(|_| !self.probe.is_inherited())
    }

    /// The file of the last [`Completion::FsEvent`], relative to the watched directory. Empty with
    /// an error.
    ///
    /// [`Completion::FsEvent`]: crate::Completion::FsEvent
    pub fn changed_file(&self) -> &Path {
        self.fs_events.changed_file()
    }

    /// The driver.
    pub fn driver(&mut self) -> &mut D {
        &mut self.driver
    }

    /// The queue through which other threads reach this loop.
    pub fn wakeups(&self) -> &Arc<WakeupQueue> {
        self.wakeups.queue()
    }

    /// The probe of this loop, for other threads. It is never freed.
    pub fn probe(&self) -> &'static LoopProbe {
        self.probe.shared()
    }

    /// Metrics: iterations and events.
    #[doc(alias = "uv_metrics_info")]
    pub fn metrics(&self) -> LoopCounters {
        self.metrics.counters()
    }

    /// The time spent waiting, readable from any thread. Stays zero until
    /// [`measure_idle_time`](Self::measure_idle_time) or [`measure_wait_times`](Self::measure_wait_times).
    pub fn idle_time(&self) -> &std::sync::Arc<IdleTime> {
        self.metrics.idle_time()
    }

    /// Starts to measure the time spent waiting, and to count the events that were ready already. The
    /// loop then polls once before it waits, as libuv does.
    #[doc(alias = "UV_METRICS_IDLE_TIME")]
    pub fn measure_idle_time(&mut self) {
        self.measure_wait_times();
        self.metrics.poll_first();
    }

    /// Starts to measure the time spent waiting, without a further system call.
    pub fn measure_wait_times(&mut self) {
        self.metrics.measure_idle_time();
    }
}
