//! The pending phase: reports deferred completions.
//!
//! A call of the program that succeeds or fails at once defers its completion, because no callback
//! runs inside the call. A batch reports the completions that are queued when it begins. Its callbacks
//! defer to the next batch. Up to eight more batches follow the poll phase, so that requests that end
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

/// The most further batches of the pending phase after the poll phase, while callbacks defer more.
const PENDING_BATCHES: u32 = 7;

/// The deferred completions.
#[derive(Default)]
pub(crate) struct DeferredQueue {
    queue: VecDeque<Deferred>,
    /// How many of them the current batch has still to report.
    left: usize,
    /// How often the phase may still be repeated in this iteration.
    batches_left: u32,
}

impl DeferredQueue {
    pub fn is_pending(&self) -> bool {
        !self.queue.is_empty()
    }

    /// Whether a batch after the current one has something to deliver.
    #[inline(always)]
    pub fn has_more(&self) -> bool {
        self.queue.len() > self.left
    }

    #[inline]
    pub fn push(&mut self, deferred: Deferred) {
        self.queue.push_back(deferred);
    }

    /// Begins a batch with all that is queued.
    #[inline]
    pub fn begin_batch(&mut self) {
        self.left = self.queue.len();
    }

    /// Begins the first of the batches after the poll phase.
    #[inline]
    pub fn begin_batches(&mut self) {
        self.batches_left = PENDING_BATCHES;
        self.begin_batch();
    }

    /// Begins another batch after the poll phase, if there is something to report.
    pub fn begin_another_batch(&mut self) -> bool {
        let begins = !self.queue.is_empty() && self.batches_left > 0;
        if begins {
            self.batches_left -= 1;
            self.begin_batch();
        }
        begins
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

    /// Takes the rest of the current batch, and the number of those that may follow.
    pub fn suspend(&mut self) -> (VecDeque<Deferred>, u32) {
        let left = std::mem::take(&mut self.left);
        (self.queue.drain(..left).collect(), self.batches_left)
    }

    /// Leaves the rest of the current batch to a later one.
    pub fn abandon(&mut self) {
        self.left = 0;
    }

    /// Continues a batch that was suspended.
    pub fn resume(&mut self, (batch, batches_left): (VecDeque<Deferred>, u32)) {
        self.left = batch.len();
        self.batches_left = batches_left;
        self.put_back(batch);
    }

    /// Queues the rest of a batch before everything else.
    pub fn put_back(&mut self, mut batch: VecDeque<Deferred>) {
        batch.append(&mut self.queue);
        self.queue = batch;
    }
}

impl<D: Driver> Engine<D> {
    #[inline]
    pub(crate) fn enter_pending(&mut self) {
        let has_work = self.deferred.is_pending() || self.hooks.idle.is_started();
        self.run.begin_iteration(!has_work);
        self.deferred.begin_batch();
    }

    #[inline]
    pub(crate) fn next_pending(&mut self) -> Option<Completion> {
        let nothing = self.deferred.left == 0 && !self.socket_event.is_pending();
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
                    if let Some(mut process) = self.process(id) {
                        process.wait_by_signal();
                    }
                    None
                }
                Deferred::WatchFailed(id, error) if id.kind() == HandleKind::Udp => {
                    self.udp_failed(id, error)
                }
                Deferred::WatchFailed(id, error) => {
                    self.poll(id).and_then(|mut poll| poll.fail(error))
                }
                Deferred::Stream(id) => self.begin_deferred_stream(id),
                Deferred::Udp(id) => self.begin_deferred_udp(id),
            };
            if completion.is_some() {
                return completion;
            }
        }
    }
}
