//! Nested runs: a callback runs its own loop again.
//!
//! In libuv, what a phase has still to report is on the stack of `uv_run`. A nested run does not see
//! it, and the outer run continues with it afterwards. The engine does the same: the host suspends
//! the outer run, and the engine saves the unreported rest of its phase until the run is resumed.
//!
//! A callback may also leave its run for good, by `longjmp` or an exception. The host then abandons
//! the run, and the next run reports the rest of its phase. libuv loses that rest.

use std::collections::VecDeque;

use mauve_sys::driver::Driver;
use mauve_sys::process::ExitStatus;

use crate::Engine;
use crate::handle::async_::Round;
use crate::handle::signal::SignalQueue;
use crate::handle::stream::event::StreamEvent;
use crate::handle::timer::DueTimers;
use crate::handle::udp::event::UdpEvent;
use crate::id::HandleId;
use crate::phase::{Deferred, EventBatch};
use crate::pool::FinishedWork;
use crate::run::Position;

/// The unreported rest of the phase of a suspended run.
pub(crate) struct SuspendedRun {
    position: Position,
    may_wait: bool,
    due: DueTimers,
    deferred: VecDeque<Deferred>,
    pending_rounds: u32,
    closing: Vec<HandleId>,
    events: EventBatch,
    stream_event: Option<StreamEvent>,
    udp_event: Option<UdpEvent>,
    pub wakeups: (bool, Round),
    finished: FinishedWork,
    signals: SignalQueue,
    exits: VecDeque<(HandleId, ExitStatus)>,
    in_traced_callback: bool,
}

impl<D: Driver> Engine<D> {
    /// Suspends the current run, so that [`next`](Self::next) begins another one.
    pub fn suspend_run(&mut self) {
        self.note_unhandled_wake();
        self.hooks.suspend();
        let suspended = SuspendedRun {
            position: std::mem::replace(&mut self.run.position, Position::Outside),
            may_wait: self.run.may_wait,
            due: std::mem::take(&mut self.timers.due),
            deferred: self.deferred.suspend(),
            pending_rounds: self.deferred.rounds,
            closing: std::mem::take(&mut self.closing.current),
            events: std::mem::take(&mut self.poll.current),
            stream_event: self.streams.event.take(),
            udp_event: self.udps.event.take(),
            wakeups: self.wakeups.suspend(),
            finished: std::mem::take(&mut self.pool.finished),
            signals: self.signals.suspend(),
            exits: std::mem::take(&mut self.children.exited),
            in_traced_callback: self.tracer.suspend(),
        };
        self.run.suspended.push(suspended);
    }

    /// Continues the run that was suspended last. Nothing happens if there is none.
    pub fn resume_run(&mut self) {
        debug_assert!(!self.is_running());
        let Some(suspended) = self.run.suspended.pop() else { return };
        self.hooks.resume();
        self.run.position = suspended.position;
        self.run.may_wait = suspended.may_wait;
        self.timers.due = suspended.due;
        self.deferred.resume(suspended.deferred, suspended.pending_rounds);
        self.closing.current = suspended.closing;
        self.poll.current = suspended.events;
        self.streams.event = suspended.stream_event;
        self.udps.event = suspended.udp_event;
        self.wakeups.resume(suspended.wakeups);
        self.pool.finished = suspended.finished;
        self.signals.resume(suspended.signals);
        self.children.exited = suspended.exits;
        self.tracer.resume(suspended.in_traced_callback);
        self.probe.shared.begin_run(self.clock.now);
    }

    /// Drops the suspended runs of a loop that was closed in a nested run.
    pub(crate) fn drop_suspended_runs(&mut self) {
        while let Some(suspended) = self.run.suspended.pop() {
            self.wakeups.resume(suspended.wakeups);
        }
    }

    /// Ends the current run before its iteration is complete, because the host cannot continue it.
    /// The next run reports the rest of its phase.
    pub fn abandon_run(&mut self) {
        self.note_unhandled_wake();
        self.hooks.abandon();
        let due = std::mem::take(&mut self.timers.due);
        self.put_back_due_timers(due);
        self.deferred.left = 0;
        let closing = std::mem::take(&mut self.closing.current);
        self.closing.put_back(closing);
        self.poll.current = EventBatch::default();
        self.wakeups.in_round = false;
        if self.pool.finished.list.is_empty() && self.pool.finished.reporting {
            self.end_reporting();
        }
        if let Some(event) = self.streams.event.take() {
            self.defer_rest_of_stream(event.id);
        }
        if let Some(event) = self.udps.event.take() {
            self.defer_rest_of_udp(event.id);
        }
        self.leave_run();
        self.trace_abandoned_run();
    }
}
