//! The seven phases of an iteration, one file each.
//!
//! A phase is *entered* once per iteration and then asked for completions until it has none left.
//! Their order is in [`run`](crate::run).

use mauve_sys::driver::Driver;

use crate::Engine;
use crate::completion::Completion;

mod check;
mod close;
mod idle;
mod pending;
mod poll;
mod prepare;
mod timers;

pub(crate) use close::ClosingQueue;
pub(crate) use pending::{Deferred, DeferredQueue};
pub(crate) use poll::{EventBatch, PollEvents};

/// A phase of the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Timers that are due.
    Timers,
    /// Completions that were put off to this iteration.
    Pending,
    /// Idle handles.
    Idle,
    /// Prepare handles.
    Prepare,
    /// Waiting, and everything that comes from outside: descriptors, async handles, the pool.
    Poll,
    /// Check handles.
    Check,
    /// Handles that were closed.
    Close,
}

impl<D: Driver> Engine<D> {
    /// Whether a stream or a datagram socket is being looked after.
    #[inline]
    fn is_attending(&self) -> bool {
        self.streams.event.is_some() || self.udps.event.is_some()
    }

    /// The next completion of the stream or datagram socket that is being looked after.
    #[inline(always)]
    fn next_attended(&mut self) -> Option<Completion> {
        self.next_of_stream().or_else(|| self.next_of_udp())
    }
}
