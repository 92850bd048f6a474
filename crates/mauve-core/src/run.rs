//! One run of the loop, and the order of its phases.
//!
//! [`Engine::next`] is the only way to advance a run. The C ABI, the Rust API and the tests call it.

use mauve_sys::Result;
use mauve_sys::driver::Driver;

use crate::Engine;
use crate::completion::Completion;
use crate::nested::SuspendedRun;
use crate::phase::Phase;
use crate::trace;

/// When a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "uv_run_mode")]
pub enum Mode {
    /// Until nothing is alive, or the loop is stopped.
    Default,
    /// One iteration, which waits for an event if there is none.
    Once,
    /// One iteration, which does not wait.
    NoWait,
}

/// What the host has to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Run the callback of this completion, then call [`Engine::next`] again.
    Call(Completion),
    /// Run the callbacks of this batch until [`Batch::next`] returns `None`, then call
    /// [`Engine::next`] again.
    Batch(Batch),
    /// The run has ended.
    Done {
        /// Whether the loop is still alive.
        alive: bool,
    },
}

/// Consecutive completions of one kind.
///
/// The engine yields them one by one, because each callback may stop or close those that follow. A
/// host may leave a batch at any time; [`Engine::next`] returns the rest of it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Batch {
    /// Timers that are due.
    Timers,
    /// Idle handles.
    Idle,
    /// Prepare handles.
    Prepare,
    /// Check handles.
    Check,
    /// Requests that the pool has finished.
    Work,
}

impl Batch {
    /// The next completion of the batch. After `None`, call [`Engine::next`] again.
    #[inline(always)]
    pub fn next<D: Driver>(self, engine: &mut Engine<D>) -> Option<Completion> {
        if engine.tracer.ends_callback {
            engine.trace_next(Some(self));
        }
        if engine.run.position.batch() != Some(self) {
            return None;
        }
        engine.run.callbacks = engine.run.callbacks.wrapping_add(1);
        match self {
            Self::Timers => engine.next_due_timer().map(Completion::Timer),
            Self::Idle => engine.hooks.idle.next(&engine.table.idles).map(Completion::Idle),
            Self::Prepare => {
                engine.hooks.prepare.next(&engine.table.prepares).map(Completion::Prepare)
            }
            Self::Check => engine.hooks.check.next(&engine.table.checks).map(Completion::Check),
            Self::Work => engine.next_finished_work(),
        }
    }
}

/// The most further rounds of the pending phase after the poll phase, while callbacks defer more.
const PENDING_ROUNDS: u32 = 7;

/// The position of the engine in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Position {
    /// Outside of a run.
    Outside,
    /// In the timers phase before the first iteration of the run.
    Before,
    Pending,
    Idle,
    Prepare,
    Poll,
    /// In the pending phase again, after the poll phase.
    PendingAgain,
    Check,
    Close,
    Timers,
}

impl Position {
    /// The batch that this position reports.
    #[inline(always)]
    fn batch(self) -> Option<Batch> {
        match self {
            Self::Before | Self::Timers => Some(Batch::Timers),
            Self::Idle => Some(Batch::Idle),
            Self::Prepare => Some(Batch::Prepare),
            Self::Check => Some(Batch::Check),
            Self::Poll => Some(Batch::Work),
            Self::Outside | Self::Pending | Self::PendingAgain | Self::Close => None,
        }
    }
}

/// The engine's part for the current run.
pub(crate) struct RunState {
    pub position: Position,
    pub stopping: bool,
    /// The number of the current callback.
    pub callbacks: u32,
    /// Whether the iteration began without immediate work.
    pub may_wait: bool,
    /// The number of iterations before the driver was opened. Not zero only in a forked child.
    pub iterations_before: u64,
    /// Suspended runs of the same loop, the outermost first.
    pub suspended: Vec<SuspendedRun>,
}

impl Default for RunState {
    fn default() -> Self {
        Self {
            position: Position::Outside,
            stopping: false,
            callbacks: 1,
            may_wait: true,
            iterations_before: 0,
            suspended: Vec::new(),
        }
    }
}

impl<D: Driver> Engine<D> {
    /// Continues the run until there is a callback to run, or the run ends.
    ///
    /// `mode` must be the same for the whole run. Fails only if the driver cannot wait, which
    /// ends the run.
    ///
    /// This function is the order of the phases. Each block reports the completions of its phase and
    /// then enters the next phase.
    #[doc(alias = "uv_run")]
    #[inline(always)]
    pub fn next(&mut self, mode: Mode) -> Result<Step> {
        self.run.callbacks = self.run.callbacks.wrapping_add(1);
        if self.tracer.ends_callback {
            self.trace_next(None);
        }
        let mut at = match self.run.position {
            Position::Outside => {
                let begun = self.begin_run(mode);
                self.probe.shared.begin_run(self.clock.now);
                match begun {
                    Some(position) => position,
                    None => return Ok(self.end_run()),
                }
            }
            position => position,
        };
        loop {
            if at == Position::Before {
                if self.timers.is_pending() {
                    return self.pause(at, Step::Batch(Batch::Timers));
                }
                if self.run.stopping {
                    self.end_run();
                    // As in libuv: the loop was alive when the run began, and no iteration followed.
                    return Ok(Step::Done { alive: true });
                }
                self.enter_pending();
                at = Position::Pending;
            }
            if at == Position::Pending {
                if let Some(completion) = self.next_pending() {
                    return self.pause(at, Step::Call(completion));
                }
                self.enter_idle();
                at = Position::Idle;
            }
            if at == Position::Idle {
                if self.hooks.idle.is_pending() {
                    return self.pause(at, Step::Batch(Batch::Idle));
                }
                self.enter_prepare();
                at = Position::Prepare;
            }
            if at == Position::Prepare {
                if self.hooks.prepare.is_pending() {
                    return self.pause(at, Step::Batch(Batch::Prepare));
                }
                let entered = if trace::is_on() {
                    self.enter_poll_traced(mode)
                } else {
                    self.enter_poll::<false>(mode)
                };
                if let Err(error) = entered {
                    self.abandon_run();
                    return Err(error);
                }
                at = Position::Poll;
            }
            if at == Position::Poll {
                if let Some(step) = self.next_polled() {
                    return self.pause(at, step);
                }
                if self.has_seen_stale_events_only() {
                    match self.wait_again() {
                        Ok(true) => continue,
                        Ok(false) => {}
                        Err(error) => {
                            self.abandon_run();
                            return Err(error);
                        }
                    }
                }
                self.begin_pending_round();
                self.deferred.rounds = PENDING_ROUNDS;
                at = Position::PendingAgain;
            }
            while at == Position::PendingAgain {
                if let Some(completion) = self.next_pending() {
                    return self.pause(at, Step::Call(completion));
                }
                if self.deferred.queue.is_empty() || self.deferred.rounds == 0 {
                    self.enter_check();
                    at = Position::Check;
                } else {
                    self.deferred.rounds -= 1;
                    self.begin_pending_round();
                }
            }
            if at == Position::Check {
                if self.hooks.check.is_pending() {
                    return self.pause(at, Step::Batch(Batch::Check));
                }
                self.enter_close();
                at = Position::Close;
            }
            if at == Position::Close {
                if let Some(completion) = self.next_closed() {
                    return self.pause(at, Step::Call(completion));
                }
                self.enter_timers();
                at = Position::Timers;
            }
            if at == Position::Timers {
                if self.timers.is_pending() {
                    return self.pause(at, Step::Batch(Batch::Timers));
                }
                if mode != Mode::Default || !self.alive() || self.run.stopping {
                    return Ok(self.end_run());
                }
                self.enter_pending();
                at = Position::Pending;
            }
        }
    }

    #[inline(always)]
    fn pause(&mut self, at: Position, step: Step) -> Result<Step> {
        self.run.position = at;
        Ok(step)
    }

    fn begin_run(&mut self, mode: Mode) -> Option<Position> {
        self.enter_process();
        if trace::is_on() {
            self.trace_run_begin(mode);
        }
        if !self.alive() {
            self.update_time();
            return None;
        }
        if self.run.stopping {
            return None;
        }
        if mode == Mode::Default {
            self.enter_timers();
            return Some(Position::Before);
        }
        self.enter_pending();
        Some(Position::Pending)
    }

    fn end_run(&mut self) -> Step {
        self.leave_run();
        if trace::is_on() {
            self.trace_run_end();
        }
        self.run.stopping = false;
        Step::Done { alive: self.alive() }
    }

    pub(crate) fn leave_run(&mut self) {
        if self.pool.reads.queued {
            self.start_reads();
        }
        self.enter_process();
        self.run.position = Position::Outside;
        self.probe.shared.end_run();
        if std::mem::take(&mut self.wakeups.awake) {
            self.wakeups.queue.leave(self.wakeups.round.has_left());
        }
        self.announce_pending();
    }

    /// Whether the engine is in a run.
    pub fn is_running(&self) -> bool {
        self.run.position != Position::Outside
    }

    /// The phase that the run is in.
    pub fn phase(&self) -> Option<Phase> {
        match self.run.position {
            Position::Outside => None,
            Position::Before | Position::Timers => Some(Phase::Timers),
            Position::Pending | Position::PendingAgain => Some(Phase::Pending),
            Position::Idle => Some(Phase::Idle),
            Position::Prepare => Some(Phase::Prepare),
            Position::Poll => Some(Phase::Poll),
            Position::Check => Some(Phase::Check),
            Position::Close => Some(Phase::Close),
        }
    }
}
