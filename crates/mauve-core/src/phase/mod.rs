//! The seven phases of an iteration. Those that do more than to begin have a file each.
//!
//! An iteration *enters* a phase once and then takes its completions until none is left. The order
//! of the phases is in [`run`](crate::run).

use mauve_sys::driver::Driver;

use crate::Engine;
use crate::completion::Completion;
use crate::handle::socket::SocketEvent;

mod close;
mod pending;
mod poll;

pub(crate) use close::ClosingQueue;
pub(crate) use pending::{Deferred, DeferredQueue};
pub(crate) use poll::{EventBatch, PollEvents};

/// A phase of the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Timers that are due.
    Timers,
    /// Deferred completions.
    Pending,
    /// Idle handles.
    Idle,
    /// Prepare handles.
    Prepare,
    /// Waiting for events: descriptors, async handles, finished work, signals, children.
    Poll,
    /// Check handles.
    Check,
    /// Closed handles.
    Close,
}

impl Phase {
    /// All phases, in the order of their numbers.
    pub const ALL: [Self; 7] = [
        Self::Timers,
        Self::Pending,
        Self::Idle,
        Self::Prepare,
        Self::Poll,
        Self::Check,
        Self::Close,
    ];

    /// The name for users.
    pub fn name(self) -> &'static str {
        match self {
            Self::Timers => "timers",
            Self::Pending => "pending",
            Self::Idle => "idle",
            Self::Prepare => "prepare",
            Self::Poll => "poll",
            Self::Check => "check",
            Self::Close => "close",
        }
    }
}

impl<D: Driver> Engine<D> {
    /// Enters the timers phase. Due timers are collected on entry: a timer that a callback starts with
    /// timeout zero waits for the next iteration, so timers alone cannot keep the loop from polling.
    #[inline]
    pub(crate) fn enter_timers(&mut self) {
        self.update_time();
        self.collect_due_timers();
    }

    /// Enters the idle phase, which reports idle handles once per iteration. While one is active, the
    /// loop does not wait.
    #[inline]
    pub(crate) fn enter_idle(&mut self) {
        self.hooks.idle.begin();
    }

    /// Enters the prepare phase, which reports prepare handles once per iteration, before the poll phase.
    #[inline]
    pub(crate) fn enter_prepare(&mut self) {
        self.hooks.prepare.begin();
    }

    /// Enters the check phase, which reports check handles once per iteration, after the poll phase.
    #[inline]
    pub(crate) fn enter_check(&mut self) {
        self.hooks.check.begin();
    }

    /// The next completion of the event that is being handled.
    #[inline(always)]
    fn next_of_event(&mut self) -> Option<Completion> {
        match self.socket_event {
            SocketEvent::None => None,
            SocketEvent::Stream(_) => self.advance_stream_event(),
            SocketEvent::Udp(_) => self.next_of_udp(),
        }
    }
}
