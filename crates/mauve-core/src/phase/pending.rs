//! Completions that were put off, because no callback runs inside the call that caused it.
//!
//! What is there on entry is delivered; what a callback adds waits for the next time. After the
//! poll phase this phase is entered again, a bounded number of times, so that what became known
//! while polling does not wait for a whole iteration.

use mauve_sys::Errno;
use mauve_sys::poller::Driver;

use crate::Engine;
use crate::handle::stream::is_stream;
use crate::id::HandleId;
use crate::run::Completion;

/// Something that was put off.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Deferred {
    /// The driver refused to watch the handle's descriptor.
    WatchFailed(HandleId, Errno),
    /// A stream has something to tell.
    Stream(HandleId),
    /// A datagram socket has something to tell.
    Udp(HandleId),
}

impl<D: Driver> Engine<D> {
    #[inline]
    pub(crate) fn enter_pending(&mut self) {
        self.may_sleep = self.deferred.is_empty() && self.idle.is_empty();
        self.begin_pending_round();
    }

    pub(crate) fn begin_pending_round(&mut self) {
        self.deferred_left = self.deferred.len();
    }

    #[inline]
    pub(crate) fn next_pending(&mut self) -> Option<Completion> {
        let nothing = self.deferred_left == 0 && !self.is_attending();
        if nothing { None } else { self.deliver_deferred() }
    }

    #[inline(never)]
    fn deliver_deferred(&mut self) -> Option<Completion> {
        loop {
            if let Some(completion) = self.next_attended() {
                return Some(completion);
            }
            if self.deferred_left == 0 {
                return None;
            }
            self.deferred_left -= 1;
            let completion = match self.deferred.pop_front()? {
                Deferred::WatchFailed(id, error) if is_stream(id.kind()) => {
                    self.stream_failed(id, error)
                }
                Deferred::WatchFailed(id, error) => self.poll_failed(id, error),
                Deferred::Stream(id) => self.begin_fed_stream(id),
                Deferred::Udp(id) => self.begin_fed_udp(id),
            };
            if completion.is_some() {
                return completion;
            }
        }
    }
}
