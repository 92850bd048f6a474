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
use crate::handle::async_::AsyncBatch;
use crate::handle::signal::SignalQueue;
use crate::handle::socket::SocketEvent;
use crate::handle::timer::DueTimers;
use crate::id::HandleId;
use crate::phase::{Deferred, EventBatch};
use crate::pool::FinishedWork;
use crate::run::Position;

/// The unreported rest of the phase of a suspended run.
pub(crate) struct SuspendedRun {
    position: Position,
    may_wait: bool,
    due: DueTimers,
    deferred: (VecDeque<Deferred>, u32),
    closing: Vec<HandleId>,
    events: EventBatch,
    socket_event: SocketEvent,
    wakeups: (bool, AsyncBatch),
    finished: FinishedWork,
    signals: SignalQueue,
    exits: VecDeque<(HandleId, ExitStatus)>,
    in_traced_callback: bool,
}

impl SuspendedRun {
    /// The batch of notified handles.
    pub fn async_batch(&mut self) -> &mut AsyncBatch {
        &mut self.wakeups.1
    }
}

impl<D: Driver> Engine<D> {
    /// Suspends the current run, so that [`next`](Self::next) begins another one.
    pub fn suspend_run(&mut self) {
        self.note_unhandled_wake();
        self.hooks.suspend();
        let suspended = SuspendedRun {
            position: self.run.position(),
            may_wait: self.run.may_wait(),
            due: self.timers.suspend(),
            deferred: self.deferred.suspend(),
            closing: self.closing.suspend(),
            events: self.poll.suspend(),
            socket_event: self.socket_event.suspend(),
            wakeups: self.wakeups.suspend(),
            finished: self.pool.suspend(),
            signals: self.signals.suspend(),
            exits: self.children.suspend(),
            in_traced_callback: self.tracer.suspend(),
        };
        self.run.suspended().push(suspended);
        self.run.set_position(Position::Outside);
    }

    /// Continues the run that was suspended last. Nothing happens if there is none.
    pub fn resume_run(&mut self) {
        debug_assert!(!self.is_running());
        let Some(suspended) = self.run.suspended().pop() else { return };
        self.hooks.resume();
        self.run.set_position(suspended.position);
        self.run.begin_iteration(suspended.may_wait);
        self.timers.resume(suspended.due);
        self.deferred.resume(suspended.deferred);
        self.closing.resume(suspended.closing);
        self.poll.resume(suspended.events);
        self.socket_event.resume(suspended.socket_event);
        self.wakeups.resume(suspended.wakeups);
        self.pool.resume(suspended.finished);
        self.signals.resume(suspended.signals);
        self.children.resume(suspended.exits);
        self.tracer.resume(suspended.in_traced_callback);
        self.probe.begin_run(self.clock.now());
    }

    /// Continues the suspended run at a position, 0 being the outermost: a coroutine has returned to it.
    pub fn resume_run_at(&mut self, at: usize) {
        let suspended = self.run.suspended();
        if at < suspended.len() {
            suspended[at..].rotate_left(1);
            self.hooks.resume_next(at);
        }
        self.resume_run();
    }

    /// Drops the suspended runs of a loop that was closed in a nested run.
    pub(crate) fn drop_suspended_runs(&mut self) {
        while let Some(suspended) = self.run.suspended().pop() {
            self.wakeups.resume(suspended.wakeups);
        }
    }

    /// Ends the current run before its iteration is complete, because the host cannot continue it.
    /// The next run reports the rest of its phase.
    pub fn abandon_run(&mut self) {
        self.note_unhandled_wake();
        self.hooks.abandon();
        let due = self.timers.suspend();
        self.put_back_due_timers(due);
        self.deferred.abandon();
        self.closing.abandon();
        drop(self.poll.suspend());
        self.wakeups.abandon_batch();
        if self.pool.has_reported() {
            self.end_reporting();
        }
        match self.socket_event.suspend() {
            SocketEvent::None => {}
            SocketEvent::Stream(event) => self.defer_rest_of_stream(event.id),
            SocketEvent::Udp(event) => self.defer_rest_of_udp(event.id),
        }
        self.leave_run();
        self.trace_abandoned_run();
    }
}
