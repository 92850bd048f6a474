//! One run of the loop, and the order of its phases.
//!
//! [`Engine::next`] is the only way to advance a run. The C ABI, the Rust API and the tests call it.

use mauve_sys::driver::Driver;
use mauve_sys::{Errno, Result};

use crate::Engine;
use crate::completion::{Completion, WorkCompletion};
use crate::id::Token;
use crate::nested::SuspendedRun;
use crate::phase::Phase;
use crate::trace::{self, CallbackKind};

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
    /// Run the callbacks of these handles until [`HookBatch::next`] returns `None`, then call
    /// [`Engine::next`] again.
    Hooks(HookBatch),
    /// Run the callbacks of these requests until [`WorkBatch::next`] returns `None`, then call
    /// [`Engine::next`] again.
    Work(WorkBatch),
    /// The run has ended.
    Done {
        /// Whether the loop is still alive.
        alive: bool,
    },
}

/// Handles of one kind whose callbacks run now. Their tokens are all that there is to report.
///
/// The engine yields them one by one, because each callback may stop or close those that follow. A
/// host may leave a batch at any time; [`Engine::next`] returns the rest of it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookBatch {
    /// Timers that are due.
    Timers,
    /// Idle handles.
    Idle,
    /// Prepare handles.
    Prepare,
    /// Check handles.
    Check,
}

impl HookBatch {
    /// The token of the next handle. After `None`, call [`Engine::next`] again.
    #[inline(always)]
    pub fn next<D: Driver>(self, engine: &mut Engine<D>) -> Option<Token> {
        if engine.tracer.ends_callback() {
            engine.trace_next(Some(self));
        }
        if engine.run.position.hooks() != Some(self) {
            return None;
        }
        engine.run.begin_callback();
        let token = match self {
            Self::Timers => engine.next_due_timer(),
            Self::Idle => engine.hooks.idle.next(&engine.table.idles),
            Self::Prepare => engine.hooks.prepare.next(&engine.table.prepares),
            Self::Check => engine.hooks.check.next(&engine.table.checks),
        }?;
        engine.trace_call(CallbackKind::of_hooks(self), token);
        Some(token)
    }
}

/// Requests that the pool has finished. The rules of [`HookBatch`] hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkBatch;

impl WorkBatch {
    /// The next finished request. After `None`, call [`Engine::next`] again.
    #[inline(always)]
    pub fn next<D: Driver>(self, engine: &mut Engine<D>) -> Option<WorkCompletion> {
        if engine.tracer.ends_callback() {
            engine.trace_next(None);
        }
        if engine.run.position != Position::Poll {
            return None;
        }
        engine.run.begin_callback();
        let completion = engine.next_finished_work()?;
        engine.trace_call(CallbackKind::of_work(&completion), completion.token());
        Some(completion)
    }
}

/// The position of the engine in a run, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Position {
    /// Outside of a run.
    Outside,
    /// In the timers phase before the first iteration of the run.
    Before,
    Pending,
    Idle,
    Prepare,
    /// At the beginning of the poll phase. The host has to wait for events.
    Wait,
    /// As `Wait`, after events that no handle wanted.
    WaitAgain,
    Poll,
    /// In the pending phase again, after the poll phase.
    PendingAgain,
    Check,
    Close,
    Timers,
}

impl Position {
    /// Whether the engine is in the poll phase and has handled events already.
    #[inline(always)]
    pub fn has_polled(self) -> bool {
        matches!(self, Self::Poll | Self::WaitAgain)
    }

    /// Whether it comes after the wait of the poll phase.
    #[inline(always)]
    fn has_waited(self) -> bool {
        self >= Self::Poll
    }

    /// The handles that this position reports.
    #[inline(always)]
    fn hooks(self) -> Option<HookBatch> {
        match self {
            Self::Before | Self::Timers => Some(HookBatch::Timers),
            Self::Idle => Some(HookBatch::Idle),
            Self::Prepare => Some(HookBatch::Prepare),
            Self::Check => Some(HookBatch::Check),
            Self::Outside
            | Self::Pending
            | Self::Wait
            | Self::WaitAgain
            | Self::Poll
            | Self::PendingAgain
            | Self::Close => None,
        }
    }
}

/// The engine's part for the current run.
pub(crate) struct RunState {
    position: Position,
    stopping: bool,
    /// The number of the current callback.
    callbacks: u32,
    /// Whether the iteration began without immediate work.
    may_wait: bool,
    /// Suspended runs of the same loop, the outermost first.
    suspended: Vec<SuspendedRun>,
}

impl Default for RunState {
    fn default() -> Self {
        Self {
            position: Position::Outside,
            stopping: false,
            callbacks: 1,
            may_wait: true,
            suspended: Vec::new(),
        }
    }
}

impl RunState {
    #[inline(always)]
    pub fn position(&self) -> Position {
        self.position
    }

    #[inline(always)]
    pub fn set_position(&mut self, position: Position) {
        self.position = position;
    }

    /// Ends the run after its current iteration.
    pub fn stop(&mut self) {
        self.stopping = true;
    }

    #[inline(always)]
    pub fn is_stopping(&self) -> bool {
        self.stopping
    }

    /// The number of the current callback.
    #[inline(always)]
    pub fn callback(&self) -> u32 {
        self.callbacks
    }

    #[inline(always)]
    fn begin_callback(&mut self) {
        self.callbacks = self.callbacks.wrapping_add(1);
    }

    /// Begins an iteration. `may_wait` is whether there is no immediate work.
    #[inline(always)]
    pub fn begin_iteration(&mut self, may_wait: bool) {
        self.may_wait = may_wait;
    }

    /// Whether the iteration began without immediate work.
    #[inline(always)]
    pub fn may_wait(&self) -> bool {
        self.may_wait
    }

    /// Whether the run is inside a callback of another run.
    #[inline(always)]
    fn is_nested(&self) -> bool {
        !self.suspended.is_empty()
    }

    /// The suspended runs, the outermost first.
    pub fn suspended(&mut self) -> &mut Vec<SuspendedRun> {
        &mut self.suspended
    }
}

impl<D: Driver> Engine<D> {
    /// Continues the run until there is a callback to run, or the run ends.
    ///
    /// `mode` must be the same for the whole run. Fails only if the driver cannot wait, which
    /// ends the run.
    #[doc(alias = "uv_run")]
    #[inline(always)]
    pub fn next(&mut self, mode: Mode) -> Result<Step> {
        loop {
            if let Some(result) = self.advance(mode) {
                return result;
            }
            let timeout = self.begin_wait();
            self.end_wait(|driver, events| driver.wait(timeout, events))?;
        }
    }

    /// As [`next`](Self::next), except that the host waits. `None` means that it calls
    /// [`begin_wait`](Self::begin_wait), waits while it does not borrow the engine, calls
    /// [`end_wait`](Self::end_wait), and this function again.
    ///
    /// This function is the order of the phases. Each reports its completions, and then enters the next
    /// one.
    #[inline(always)]
    pub fn advance(&mut self, mode: Mode) -> Option<Result<Step>> {
        self.run.begin_callback();
        if self.tracer.ends_callback() {
            self.trace_next(None);
        }
        let mut at = self.run.position;
        // An `if` for each phase, not a `match`: the processor falls through from one to the next. The
        // outer one saves most comparisons after a callback of the poll phase.
        'run: loop {
            if !at.has_waited() {
                if at == Position::Outside {
                    let begun = self.begin_run(mode);
                    self.probe.begin_run(self.clock.now());
                    match begun {
                        Some(position) => at = position,
                        None => break 'run,
                    }
                }
                if at == Position::Before {
                    if self.timers.is_pending() {
                        return self.pause(at, Step::Hooks(HookBatch::Timers));
                    }
                    if self.run.stopping {
                        return self.end_stopped_run();
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
                        return self.pause(at, Step::Hooks(HookBatch::Idle));
                    }
                    self.enter_prepare();
                    at = Position::Prepare;
                }
                if at == Position::Prepare {
                    if self.hooks.prepare.is_pending() {
                        return self.pause(at, Step::Hooks(HookBatch::Prepare));
                    }
                    let entered = if trace::is_on() {
                        self.enter_poll_traced(mode)
                    } else {
                        self.enter_poll::<false>(mode)
                    };
                    match entered {
                        Ok(true) => at = Position::Wait,
                        Ok(false) => at = Position::Poll,
                        Err(error) => return self.fail(error),
                    }
                }
                if at != Position::Poll {
                    self.run.position = at;
                    return None;
                }
            }
            if at == Position::Poll {
                if let Some(step) = self.next_polled() {
                    return self.pause(at, step);
                }
                if self.has_seen_stale_events_only() {
                    self.run.position = at;
                    match self.wait_again() {
                        Ok(Some(position)) => {
                            at = position;
                            continue;
                        }
                        Ok(None) => {}
                        Err(error) => return self.fail(error),
                    }
                }
                self.deferred.begin_batches();
                at = Position::PendingAgain;
            }
            while at == Position::PendingAgain {
                if let Some(completion) = self.next_pending() {
                    return self.pause(at, Step::Call(completion));
                }
                if !self.deferred.begin_another_batch() {
                    self.enter_check();
                    at = Position::Check;
                }
            }
            if at == Position::Check {
                if self.hooks.check.is_pending() {
                    return self.pause(at, Step::Hooks(HookBatch::Check));
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
            if self.timers.is_pending() {
                return self.pause(at, Step::Hooks(HookBatch::Timers));
            }
            if mode != Mode::Default || !self.alive() || self.run.stopping {
                break 'run;
            }
            self.enter_pending();
            at = Position::Pending;
        }
        Some(Ok(self.end_run()))
    }

    /// Ends a run that was stopped before its first iteration. As in libuv it returns that the loop is
    /// alive, which it was when the run began.
    #[cold]
    fn end_stopped_run(&mut self) -> Option<Result<Step>> {
        self.end_run();
        Some(Ok(Step::Done { alive: true }))
    }

    /// Ends the run, because the driver cannot wait.
    #[cold]
    fn fail(&mut self, error: Errno) -> Option<Result<Step>> {
        self.abandon_run();
        Some(Err(error))
    }

    #[inline(always)]
    fn pause(&mut self, at: Position, step: Step) -> Option<Result<Step>> {
        self.run.position = at;
        Some(Ok(step))
    }

    fn begin_run(&mut self, mode: Mode) -> Option<Position> {
        self.enter_process();
        self.clock.begin_run(mode == Mode::NoWait);
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

    #[inline(always)] // One caller, apart from a rare one.
    fn end_run(&mut self) -> Step {
        self.leave_run();
        if trace::is_on() {
            self.trace_run_end();
        }
        self.run.stopping = false;
        Step::Done { alive: self.alive() }
    }

    #[inline(always)] // As `end_run`.
    pub(crate) fn leave_run(&mut self) {
        if self.pool.has_kept_reads() {
            self.start_reads();
        }
        self.enter_process();
        self.run.position = Position::Outside;
        self.probe.end_run();
        if !self.run.is_nested() {
            self.clock.end_run();
        }
        self.wakeups.leave_run();
        self.notify_pending();
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
            Position::Wait | Position::WaitAgain | Position::Poll => Some(Phase::Poll),
            Position::Check => Some(Phase::Check),
            Position::Close => Some(Phase::Close),
        }
    }
}
