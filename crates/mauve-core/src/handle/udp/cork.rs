//! Corked datagrams of a socket. See [`cork`](crate::cork).
//!
//! Datagrams of one size to one peer are sent with one system call (segmentation offload). The first
//! few of a callback are sent at once, so that errors of the destination are reported by the send
//! itself, and a peer that answers each datagram gets them without delay. A cork that gathers only one
//! datagram was in vain: the peer waits for each. Then datagrams are sent at once for a while.

use std::io::IoSlice;

use mauve_sys::driver::Driver;
use mauve_sys::net::Address;
use mauve_sys::payload::Payload;
use mauve_sys::{Errno, Result};

use super::UdpMut;
use crate::cork::{CorkPolicy, CorkedDatagrams};
use crate::id::Token;

/// The largest datagram that is corked. Larger ones might be fragmented.
const LARGEST: usize = 1200;

/// How many datagrams of a callback are sent at once before others are corked.
const AT_ONCE: u8 = 4;

/// How many datagrams are sent at once after a cork or a queue that gathered only one.
pub(super) const AT_ONCE_AFTER_ONE: u8 = 100;

/// The most bytes that are corked.
const CAPACITY: usize = 48 << 10;

/// The latest datagrams that were sent at once, on a socket that corks.
#[derive(Default)]
pub(super) struct Burst {
    callback: u32,
    to: Option<Address>,
    count: u8,
    /// How many further datagrams are sent at once, because the last cork gathered only one.
    skip: u8,
    /// The error of corked datagrams. The next send reports it.
    error: Option<Errno>,
}

impl<D: Driver> UdpMut<'_, D> {
    /// Sets whether datagrams are corked. Every policy but `Off` has the same effect.
    pub fn set_cork_policy(&mut self, policy: CorkPolicy) {
        self.uncork();
        self.body().burst = match policy {
            CorkPolicy::Off => None,
            CorkPolicy::AfterFirst | CorkPolicy::Burst => Some(Box::default()),
        };
    }

    /// As [`try_send`](Self::try_send), but a corked datagram counts as sent. If corked datagrams
    /// cannot be sent, the next call fails with their error. Those that have to be queued are reported
    /// by [`Completion::Sent`](crate::Completion::Sent) with `token`.
    pub fn try_send_or_cork(
        &mut self,
        token: Token,
        bytes: &[u8],
        to: Option<&Address>,
    ) -> Result<usize> {
        let mut continues = None;
        if self.body().burst.is_some() {
            if let Some(error) = self.burst().error.take() {
                return Err(error);
            }
            let same = *continues.insert(self.continues_burst(to));
            if self.corks(token, bytes, to, same) {
                self.engine.cork.bytes.extend_from_slice(bytes);
                return Ok(bytes.len());
            }
        }
        if self.engine.cork.is_pending() {
            self.engine.flush_cork();
        }
        let sent = self.try_send(&[IoSlice::new(bytes)], to)?;
        if let Some(continues) = continues {
            self.note_at_once(to, continues);
        }
        Ok(sent)
    }

    fn burst(&mut self) -> &mut Burst {
        self.body().burst.get_or_insert_default()
    }

    /// Whether the callback has sent the last datagram to the same peer.
    fn continues_burst(&mut self, to: Option<&Address>) -> bool {
        let callback = self.engine.run.callbacks;
        let burst = self.burst();
        burst.callback == callback && burst.to.as_ref() == to
    }

    fn note_at_once(&mut self, to: Option<&Address>, continues: bool) {
        let callback = self.engine.run.callbacks;
        let burst = self.burst();
        if continues {
            burst.count = burst.count.saturating_add(1);
        } else {
            (burst.callback, burst.to, burst.count) = (callback, to.copied(), 1);
        }
    }

    /// Whether a datagram is corked, which may continue a burst.
    fn corks(&mut self, token: Token, bytes: &[u8], to: Option<&Address>, continues: bool) -> bool {
        if self.engine.cork.is_owned_by(self.id) {
            let cork = &self.engine.cork;
            return cork.bytes.len() + bytes.len() <= CAPACITY
                && cork.datagrams.as_ref().is_some_and(|datagrams| {
                    usize::from(datagrams.size) == bytes.len() && datagrams.to.as_ref() == to
                });
        }
        let burst = self.burst();
        let follows = burst.count >= AT_ONCE && continues;
        if follows && burst.skip > 0 {
            burst.skip -= 1;
            return false;
        }
        if !follows || !self.engine.is_running() || !(1..=LARGEST).contains(&bytes.len()) {
            return false;
        }
        self.engine.flush_cork();
        let (size, to) = (bytes.len() as u16, to.copied());
        self.engine.cork.begin(self.id);
        self.engine.cork.datagrams = Some(CorkedDatagrams { token, size, to });
        true
    }

    /// Sends the corked datagrams of this socket, if any.
    pub(super) fn uncork(&mut self) {
        if self.engine.cork.is_owned_by(self.id) {
            self.flush_corked();
        }
    }

    /// Sends the corked datagrams. Those that would block are queued.
    #[cold]
    pub(crate) fn flush_corked(&mut self) {
        let bytes = self.engine.cork.take_bytes();
        if let Some(datagrams) = self.engine.cork.datagrams.take() {
            if bytes.len() == usize::from(datagrams.size) {
                self.burst().skip = AT_ONCE_AFTER_ONE;
            }
            if let Err(error) = self.send_all(&datagrams, &bytes) {
                self.burst().error = Some(error);
            }
        }
        self.engine.cork.put_back(bytes);
    }

    fn send_all(&mut self, datagrams: &CorkedDatagrams, mut bytes: &[u8]) -> Result<()> {
        let CorkedDatagrams { token, size, to } = datagrams;
        let mut result = Ok(());
        while !bytes.is_empty() {
            let sent = match self.try_send_segmented(bytes, to.as_ref(), *size) {
                Ok(count) if count > 0 => count,
                Ok(_) | Err(Errno::EAGAIN) => {
                    for datagram in bytes.chunks(usize::from(*size)) {
                        self.send(*token, Payload::owned(datagram), to.as_ref())?;
                    }
                    return result;
                }
                // The first one is refused; the others are attempted.
                Err(error) => {
                    result = Err(error);
                    usize::from(*size).min(bytes.len())
                }
            };
            bytes = &bytes[sent..];
        }
        result
    }
}
