//! The pending phase: reports deferred completions.
//!
//! A call of the program that succeeds or fails at once defers its completion, because no callback
//! runs inside the call. A round reports the completions that are queued when it begins. Its callbacks
//! defer to the next round. Up to eight more rounds follow the poll phase, so that requests that end
//! while polling are reported in the same iteration.

use std::collections::VecDeque;

use mauve_sys::Errno;
use mauve_sys::driver::Driver;

use crate::Engine;
use crate::completion::Completion;
use crate::handle::stream::is_stream;
use crate::id::{HandleId, HandleKind};

/// A deferred completion.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Deferred {
    /// The driver refused to watch the handle's descriptor.
    WatchFailed(HandleId, Errno),
    /// A stream has completions to report.
    Stream(HandleId),
    /// A datagram socket has completions to report.
    Udp(HandleId),
}

/// The deferred completions.
#[derive(Default)]
pub(crate) struct DeferredQueue {
    pub queue: VecDeque<Deferred>,
    /// How many of them the current round has still to report.
    pub left: usize,
    /// How often the phase may still be repeated in this iteration.
    pub rounds: u32,
}

impl DeferredQueue {
    pub fn is_pending(&self) -> bool {
        !self.queue.is_empty()
    }

    /// Whether a round after the current one has something to deliver.
    #[inline(always)]
    pub fn has_more(&self) -> bool {
        self.queue.len() > self.left
    }

    /// Removes what was deferred for a handle that is being closed.
    pub fn remove(&mut self, id: HandleId) {
        // It was mostly deferred not long ago.
        let found = self.queue.iter().rposition(|deferred| match deferred {
            Deferred::WatchFailed(of, _) | Deferred::Stream(of) | Deferred::Udp(of) => *of == id,
        });
        if let Some(index) = found {
            self.queue.remove(index);
            self.left -= usize::from(index < self.left);
        }
    }

    /// Takes the rest of the current round.
    pub fn suspend(&mut self) -> VecDeque<Deferred> {
        let left = std::mem::take(&mut self.left);
        self.queue.drain(..left).collect()
    }

    /// Continues a round that was suspended.
    pub fn resume(&mut self, round: VecDeque<Deferred>, rounds: u32) {
        self.left = round.len();
        self.rounds = rounds;
        self.put_back(round);
    }

    /// Queues the rest of a round before everything else.
    pub fn put_back(&mut self, mut round: VecDeque<Deferred>) {
        round.append(&mut self.queue);
        self.queue = round;
    }
}

impl<D: Driver> Engine<D> {
    #[inline]
    pub(crate) fn enter_pending(&mut self) {
        self.run.may_wait = !self.deferred.is_pending() && !self.hooks.idle.is_started();
        self.begin_pending_round();
    }

    pub(crate) fn begin_pending_round(&mut self) {
        self.deferred.left = self.deferred.queue.len();
    }

    #[inline]
    pub(crate) fn next_pending(&mut self) -> Option<Completion> {
        let nothing = self.deferred.left == 0 && !self.is_handling_event();
        if nothing { None } else { self.report_deferred() }
    }

    #[inline(never)]
    fn report_deferred(&mut self) -> Option<Completion> {
        loop {
            if let Some(completion) = self.next_of_event() {
                return Some(completion);
            }
            if self.deferred.left == 0 {
                return None;
            }
            self.deferred.left -= 1;
            let completion = match self.deferred.queue.pop_front()? {
                Deferred::WatchFailed(id, error) if is_stream(id.kind()) => {
                    self.stream_failed(id, error)
                }
                Deferred::WatchFailed(id, _) if id.kind() == HandleKind::Process => {
                    self.wait_by_signal(id);
                    None
                }
                Deferred::WatchFailed(id, error) if id.kind() == HandleKind::Udp => {
                    self.udp_failed(id, error)
                }
                Deferred::WatchFailed(id, error) => self.poll_failed(id, error),
                Deferred::Stream(id) => self.begin_deferred_stream(id),
                Deferred::Udp(id) => self.begin_deferred_udp(id),
            };
            if completion.is_some() {
                return completion;
            }
        }
    }
}
