//! Streams that are told once.
//!
//! A level-triggered descriptor is looked at by the system once more in every wait that follows an
//! event, just to find that everything was read. An edge-triggered one is not: the system tells
//! when something arrives, and never again. So it has to be remembered whether there may be
//! something left, which is so until a read comes back short. A short read says nothing if the peer
//! has written its last, since its end is not told again either; but that is told with the event.
//!
//! If something is left when nobody reads on, the driver is told the interest anew, and tells what
//! is there: when an event has been good for enough reads, or when the stream starts to read again.
//!
//! Only plain TCP sockets: others have short reads for other reasons.

use mauve_sys::poller::{Driver, Interest, Readiness};
use mauve_sys::{Errno, Result};

use super::{Stream, StreamMut};
use crate::Engine;
use crate::id::Kind;

/// How a stream hears that there is something to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trigger {
    /// Again and again while there is.
    Level,
    /// When something arrives.
    Edge {
        /// There may be something that was not read.
        unread: bool,
        /// The peer has written its last, or the connection is broken.
        ended: bool,
    },
}

impl Stream {
    /// What is to be watched for, given what is wanted.
    #[inline]
    pub(super) fn triggered(&self, interest: Interest) -> Interest {
        match self.trigger {
            Trigger::Edge { .. } if self.reading => {
                interest | Interest::EDGE | Interest::DISCONNECT
            }
            _ => interest,
        }
    }

    /// The descriptor was found ready.
    #[inline]
    pub(super) fn note_ready(&mut self, readiness: Readiness) {
        if let Trigger::Edge { unread, ended } = &mut self.trigger {
            let over = Readiness::DISCONNECT | Readiness::ERROR | Readiness::HANGUP;
            *unread |= readiness.intersects(Readiness::READABLE | over);
            *ended |= readiness.intersects(over);
        }
    }

    /// Something was read, with room for so many bytes. Returns whether there is more for sure, or
    /// the end.
    #[inline]
    pub(super) fn note_read(&mut self, read: Result<usize>, room: usize) -> bool {
        let Trigger::Edge { unread, ended } = &mut self.trigger else { return false };
        match read {
            Ok(count) if count > 0 && count < room => *unread = *ended,
            Ok(0) | Err(_) => *unread = false,
            Ok(_) => {}
        }
        *ended && *unread
    }

    /// Whether something may be left that nobody will be told of.
    #[inline]
    pub(super) fn has_unread(&self) -> bool {
        matches!(self.trigger, Trigger::Edge { unread: true, .. })
    }
}

impl<D: Driver> StreamMut<'_, D> {
    /// Has the system tell once when something arrives, and not again while it is not read: less
    /// work for the system. Whoever drives the engine reads when it is told, or, before it waits for
    /// that, as long as [`may_hold_more`](Self::may_hold_more). `EINVAL` if it is not a TCP stream.
    pub fn trigger_by_edge(&mut self) -> Result<()> {
        if self.id.kind() != Kind::Tcp {
            return Err(Errno::EINVAL);
        }
        self.body().trigger = Trigger::Edge { unread: false, ended: false };
        Ok(())
    }

    /// Whether there may be something to read that is not going to be announced.
    pub fn may_hold_more(&mut self) -> bool {
        self.body().has_unread()
    }

    /// Has the driver tell anew if something is left that was not read.
    pub(super) fn retell(&mut self) {
        let Engine { table, watches, .. } = &mut *self.engine;
        let body = &mut table.streams[self.id.index()].body;
        if body.reading && body.has_unread() {
            watches.retell(self.id, &mut body.source);
        }
    }
}
