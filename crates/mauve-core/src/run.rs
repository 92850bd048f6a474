//! One run of the loop, and the order of its phases.

use mauve_sys::fs::together::Outcome;
use mauve_sys::poller::{Driver, Readiness};
use mauve_sys::process::Exit;
use mauve_sys::{Errno, Result};

use crate::Engine;
use crate::handle::fs_event::Change;
use crate::id::Token;
use crate::phase::Phase;

/// How long a run goes on.
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

/// What the engine's driver has to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Run the callback of this completion, then ask again.
    Call(Completion),
    /// The run is over.
    Done {
        /// Whether there is something left to wait for.
        alive: bool,
    },
}

/// What a driver in a hurry has to do next: as [`Step`], with timers and hooks by phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// As [`Step::Call`], for everything but timers and hooks.
    Call(Completion),
    /// The run has come to a phase of timers or hooks: ask [`Engine::next_hook`] for all of them.
    Hooks(Phase),
    /// As [`Step::Done`].
    Done {
        /// Whether there is something left to wait for.
        alive: bool,
    },
}

/// Something has happened that somebody wants to hear of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// A timer is due.
    Timer(Token),
    /// It is an idle handle's turn.
    Idle(Token),
    /// It is a prepare handle's turn.
    Prepare(Token),
    /// It is a check handle's turn.
    Check(Token),
    /// An async handle was signalled.
    Async(Token),
    /// A polled descriptor is ready, or polling it has ended with an error.
    Poll {
        /// The poll handle.
        token: Token,
        /// What the descriptor is ready for; only what was asked for.
        result: Result<Readiness, Errno>,
    },
    /// A stream can be read: provide a buffer, call [`StreamMut::read`], pass the outcome on.
    ///
    /// [`StreamMut::read`]: crate::handle::stream::StreamMut::read
    Readable(Token),
    /// A stream has room for what could not be written before.
    Writable(Token),
    /// A stream has come to its end without another read.
    ReadEnd(Token),
    /// A stream cannot be read, because the system does not watch its descriptor.
    ReadFailed {
        /// The stream.
        token: Token,
        /// What the system said.
        error: Errno,
    },
    /// A listening stream has a connection to be taken, or an error.
    Connection {
        /// The listening stream.
        token: Token,
        /// Whether there is a connection.
        result: Result<(), Errno>,
    },
    /// A connection was made, or could not be.
    Connect {
        /// The request.
        token: Token,
        /// How it ended.
        result: Result<(), Errno>,
    },
    /// A write has ended.
    Write {
        /// The request.
        token: Token,
        /// How it ended.
        result: Result<(), Errno>,
        /// How many bytes are still queued on the stream.
        unsent: usize,
    },
    /// Some bytes of a write are gone, and not all: no callback, only a figure.
    Progress {
        /// The stream.
        token: Token,
        /// How many bytes are queued on it.
        unsent: usize,
    },
    /// The writing side is shut down.
    Shutdown {
        /// The request.
        token: Token,
        /// How it ended.
        result: Result<(), Errno>,
    },
    /// A datagram socket has something to receive: provide a buffer, call [`UdpMut::receive`], pass
    /// the outcome on.
    ///
    /// [`UdpMut::receive`]: crate::handle::udp::UdpMut::receive
    Receivable(Token),
    /// A datagram was sent, or could not be.
    Sent {
        /// The request.
        token: Token,
        /// How it ended.
        result: Result<(), Errno>,
        /// How many bytes the datagram has.
        size: usize,
    },
    /// A signal was delivered.
    Signal {
        /// The signal handle.
        token: Token,
        /// Which signal.
        signal: i32,
    },
    /// A signal handle has stopped by itself: no callback, only a fact.
    Stopped(Token),
    /// A child has ended.
    Exit {
        /// The process handle.
        token: Token,
        /// How it ended.
        exit: Exit,
    },
    /// Something has happened to a watched file; [`Engine::changed_file`] has its name.
    FsEvent {
        /// The file system event handle.
        token: Token,
        /// What has happened, or why that is not known.
        result: Result<Change, Errno>,
    },
    /// A file is not as it was; [`FsPollMut::statuses`] has what it was and is.
    ///
    /// [`FsPollMut::statuses`]: crate::handle::fs_poll::FsPollMut::statuses
    FsPoll {
        /// The file system poll handle.
        token: Token,
        /// Whether it could be looked at.
        result: Result<(), Errno>,
    },
    /// A queued read was attempted, and ends with this. What is left of it can be done on the pool.
    Read {
        /// The request.
        token: Token,
        /// How far it came.
        outcome: Outcome,
    },
    /// Work on the pool has ended, or was cancelled (`ECANCELED`).
    Work {
        /// The request.
        token: Token,
        /// How it ended.
        result: Result<(), Errno>,
    },
    /// A handle is closed. The engine has forgotten it: this is the last that is heard of it.
    Close(Token),
}

impl Completion {
    /// Whom it is for.
    pub fn token(&self) -> Token {
        match *self {
            Self::Timer(token)
            | Self::Idle(token)
            | Self::Prepare(token)
            | Self::Check(token)
            | Self::Async(token)
            | Self::Poll { token, .. }
            | Self::Readable(token)
            | Self::ReadEnd(token)
            | Self::ReadFailed { token, .. }
            | Self::Writable(token)
            | Self::Connection { token, .. }
            | Self::Connect { token, .. }
            | Self::Write { token, .. }
            | Self::Progress { token, .. }
            | Self::Shutdown { token, .. }
            | Self::Receivable(token)
            | Self::Sent { token, .. }
            | Self::Signal { token, .. }
            | Self::Stopped(token)
            | Self::Exit { token, .. }
            | Self::FsEvent { token, .. }
            | Self::FsPoll { token, .. }
            | Self::Read { token, .. }
            | Self::Work { token, .. }
            | Self::Close(token) => token,
        }
    }

    /// Whether nothing more is heard of the handle or request after this.
    pub fn is_last(&self) -> bool {
        matches!(
            self,
            Self::Connect { .. }
                | Self::Write { .. }
                | Self::Shutdown { .. }
                | Self::Sent { .. }
                | Self::Read { .. }
                | Self::Work { .. }
                | Self::Close(_)
        )
    }
}

/// How often the pending phase is repeated after the poll phase if there is always more of it.
const PENDING_ROUNDS: u32 = 7;

/// Where in a run the engine is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Position {
    /// In none.
    Outside,
    /// In the run's first look at the timers, before its first iteration.
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

impl<D: Driver> Engine<D> {
    /// Goes on with the run until there is a callback to be run, or the run is over.
    ///
    /// The mode is that of the whole run; it is looked at where the order of the phases depends
    /// on it. Fails only if the driver cannot wait, after which the run is over.
    #[doc(alias = "uv_run")]
    pub fn next(&mut self, mode: Mode) -> Result<Step> {
        loop {
            match self.next_turn(mode)? {
                Turn::Call(completion) => return Ok(Step::Call(completion)),
                Turn::Done { alive } => return Ok(Step::Done { alive }),
                // There may be none after all: a timer that was due can have been stopped.
                Turn::Hooks(phase) => {
                    if let Some(completion) = self.next_in(phase) {
                        return Ok(Step::Call(completion));
                    }
                }
            }
        }
    }

    /// As [`next`](Self::next), for a driver in a hurry: timers and hooks, which are many and
    /// short, are announced by phase.
    ///
    /// This is the order of the phases. Each tells what it has, if the run is in it, and else
    /// enters the one that follows.
    #[inline(always)]
    pub fn next_turn(&mut self, mode: Mode) -> Result<Turn> {
        self.turn = self.turn.wrapping_add(1);
        if !self.corked.is_empty()
            && let Some(progress) = self.uncork_next()
        {
            return Ok(Turn::Call(progress));
        }
        let mut at = match self.position {
            Position::Outside => {
                let begun = self.begin_run(mode);
                self.pulse.begin_run(self.now);
                match begun {
                    Some(position) => position,
                    None => return Ok(self.end_run()),
                }
            }
            position => position,
        };
        loop {
            if at == Position::Before {
                if self.has_ready_timers() {
                    return self.pause(at, Turn::Hooks(Phase::Timers));
                }
                if self.stopping {
                    return Ok(self.end_run());
                }
                self.enter_pending();
                at = Position::Pending;
            }
            if at == Position::Pending {
                if let Some(completion) = self.next_pending() {
                    return self.pause(at, Turn::Call(completion));
                }
                self.enter_idle();
                at = Position::Idle;
            }
            if at == Position::Idle {
                if self.idle.has_next() {
                    return self.pause(at, Turn::Hooks(Phase::Idle));
                }
                self.enter_prepare();
                at = Position::Prepare;
            }
            if at == Position::Prepare {
                if self.prepare.has_next() {
                    return self.pause(at, Turn::Hooks(Phase::Prepare));
                }
                if let Err(error) = self.enter_poll(mode) {
                    self.abandon_run();
                    return Err(error);
                }
                at = Position::Poll;
            }
            if at == Position::Poll {
                if let Some(completion) = self.next_polled() {
                    return self.pause(at, Turn::Call(completion));
                }
                self.begin_pending_round();
                self.pending_rounds = PENDING_ROUNDS;
                at = Position::PendingAgain;
            }
            while at == Position::PendingAgain {
                if let Some(completion) = self.next_pending() {
                    return self.pause(at, Turn::Call(completion));
                }
                if self.deferred.is_empty() || self.pending_rounds == 0 {
                    self.enter_check();
                    at = Position::Check;
                } else {
                    self.pending_rounds -= 1;
                    self.begin_pending_round();
                }
            }
            if at == Position::Check {
                if self.check.has_next() {
                    return self.pause(at, Turn::Hooks(Phase::Check));
                }
                self.enter_close();
                at = Position::Close;
            }
            if at == Position::Close {
                if let Some(completion) = self.next_closed() {
                    return self.pause(at, Turn::Call(completion));
                }
                self.enter_timers();
                at = Position::Timers;
            }
            if at == Position::Timers {
                if self.has_ready_timers() {
                    return self.pause(at, Turn::Hooks(Phase::Timers));
                }
                if mode != Mode::Default || !self.alive() || self.stopping {
                    return Ok(self.end_run());
                }
                self.enter_pending();
                at = Position::Pending;
            }
        }
    }

    #[inline(always)]
    fn pause(&mut self, at: Position, turn: Turn) -> Result<Turn> {
        self.position = at;
        Ok(turn)
    }

    /// The next timer or hook of a phase that [`Turn::Hooks`] has announced. It is called with
    /// nothing but itself. `None`: ask [`next_turn`](Self::next_turn) again, which may announce more
    /// of them.
    #[inline(always)]
    pub fn next_hook(&mut self, phase: Phase) -> Option<Token> {
        // What the last one has written is let go where that can be told.
        if !self.corked.is_empty() {
            return None;
        }
        self.turn = self.turn.wrapping_add(1);
        match phase {
            Phase::Idle => self.idle.next(&self.table.idles),
            Phase::Prepare => self.prepare.next(&self.table.prepares),
            Phase::Check => self.check.next(&self.table.checks),
            Phase::Timers => self.next_ready_timer(),
            Phase::Pending | Phase::Poll | Phase::Close => None,
        }
    }

    fn begin_run(&mut self, mode: Mode) -> Option<Position> {
        if !self.alive() {
            self.update_time();
            return None;
        }
        if self.stopping {
            return None;
        }
        if mode == Mode::Default {
            self.enter_timers();
            return Some(Position::Before);
        }
        self.enter_pending();
        Some(Position::Pending)
    }

    fn end_run(&mut self) -> Turn {
        self.leave_run();
        self.stopping = false;
        Turn::Done { alive: self.alive() }
    }

    /// Ends a run in the middle, for a driver of the engine that cannot go on with it. Callbacks
    /// that were still to come in this iteration come in a later run, or, if what caused them is
    /// over, not at all.
    pub fn abandon_run(&mut self) {
        self.leave_run();
    }

    fn leave_run(&mut self) {
        self.position = Position::Outside;
        self.pulse.end_run();
        if std::mem::take(&mut self.awake) {
            self.signals.leave(self.round.has_left());
        }
    }

    /// Whether a run is going on.
    pub fn is_running(&self) -> bool {
        self.position != Position::Outside
    }

    /// The phase that the run is in.
    pub fn phase(&self) -> Option<Phase> {
        match self.position {
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
