//! Corked writes of a stream. See [`cork`](crate::cork).

use std::io::IoSlice;

use mauve_sys::driver::Driver;
use mauve_sys::payload::{self, Payload};
use mauve_sys::{Errno, Result};

use super::{Flags, StreamMut, Write};
use crate::completion::Completion;
use crate::cork::{CorkPolicy, CorkedWrite, WriteMark};
use crate::id::{HandleKind, Token};

impl<D: Driver> StreamMut<'_, D> {
    /// Sets which writes are corked.
    pub fn set_cork_policy(&mut self, policy: CorkPolicy) {
        self.uncork();
        let body = self.body();
        body.flags.set(Flags::CORKS, policy != CorkPolicy::Off);
        body.flags.set(Flags::CORKS_BURSTS, policy == CorkPolicy::Burst);
        body.mark = WriteMark::NEVER;
    }

    /// Disables corking for the next write, because it is likely to fail or to be queued.
    pub fn expect_no_burst(&mut self) {
        self.body().mark = WriteMark::NEVER;
    }

    /// As [`try_write`](Self::try_write), but corked bytes count as written.
    ///
    /// [`Completion::Write`] with `token` reports corked bytes that fail, or that are queued by the
    /// flush and sent later. Bytes that the flush sends are not reported.
    #[inline(always)]
    pub fn try_write_or_cork(&mut self, token: Token, slices: &[IoSlice<'_>]) -> Result<usize> {
        let size = payload::total_len(slices);
        if self.corks(size)? {
            self.append(token, slices, false);
            return Ok(size);
        }
        let written = self.try_write_sized(slices, size, None);
        if written.is_ok_and(|count| count < size) || written == Err(Errno::EAGAIN) {
            self.expect_no_burst();
        }
        written
    }

    /// Whether a write of `size` bytes is corked. Records the write.
    #[inline(always)]
    pub(super) fn corks(&mut self, size: usize) -> Result<bool> {
        if self.body().is(Flags::CORKS) { self.corks_now(size) } else { Ok(false) }
    }

    #[inline(never)]
    fn corks_now(&mut self, size: usize) -> Result<bool> {
        let callback = self.engine.run.callbacks;
        let runs = self.engine.is_running();
        let body = self.body();
        let follows = body.mark.note(callback, body.is(Flags::CORKS_BURSTS));
        let is_free = body.unsent == 0
            && body.queued.is_empty()
            && !body.is(Flags::BLOCKS)
            && !body.role.is_connecting();
        if !follows || !runs || !is_free || self.id.kind() != HandleKind::Tcp {
            return Ok(false);
        }
        self.body().check_writable(size, false)?;
        if !self.engine.cork.has_room(size) {
            return Ok(false);
        }
        if !self.engine.cork.is_owned_by(self.id) {
            self.engine.flush_cork();
            self.engine.cork.begin(self.id);
        }
        Ok(true)
    }

    /// Corks a write.
    pub(super) fn append(&mut self, token: Token, slices: &[IoSlice<'_>], reports: bool) {
        let cork = &mut self.engine.cork;
        payload::copy_into(slices, &mut cork.bytes);
        let end = cork.bytes.len();
        match cork.writes.last_mut() {
            Some(last) if !reports && !last.reports && last.token == token => last.end = end,
            _ => cork.writes.push(CorkedWrite { token, end, reports }),
        }
        if reports {
            self.engine.active.requests += 1;
        }
    }

    /// Sends the corked writes of this stream, if any.
    #[inline]
    pub(super) fn uncork(&mut self) {
        if self.engine.cork.is_owned_by(self.id) {
            self.flush_corked();
        }
    }

    /// Sends the corked writes. Bytes that would block are queued and errors reported, as if each write
    /// had been attempted by itself.
    #[cold]
    pub(crate) fn flush_corked(&mut self) {
        let bytes = self.engine.cork.take_bytes();
        let (sent, error) = match self.body().transmit(&[IoSlice::new(&bytes)]) {
            Ok(count) => (count, None),
            Err(Errno::EAGAIN) => (0, None),
            Err(error) => (0, Some(error)),
        };
        self.settle_corked(&bytes, sent, error);
        self.engine.cork.put_back(bytes);
    }

    /// Drops the corked writes, and reports them as sent.
    pub(crate) fn discard_corked(&mut self) {
        let bytes = self.engine.cork.take_bytes();
        self.settle_corked(&bytes, bytes.len(), None);
        self.engine.cork.put_back(bytes);
    }

    /// Ends the corked writes after the first `sent` bytes were sent.
    fn settle_corked(&mut self, bytes: &[u8], sent: usize, mut error: Option<Errno>) {
        let mut writes = std::mem::take(&mut self.engine.cork.writes);
        let mut begin = 0;
        for CorkedWrite { token, end, reports } in writes.drain(..) {
            let left = &bytes[begin.max(sent).min(end)..end];
            begin = end;
            if left.is_empty() {
                if reports {
                    self.push_done(token);
                }
                continue;
            }
            if !reports {
                self.engine.active.requests += 1;
            }
            let write = Write::new(token, Payload::owned(left));
            match error.take() {
                // The writes that follow are attempted after this one is reported.
                Some(error) => self.push_failed(write, error),
                None => self.push_queued(write),
            }
        }
        self.engine.cork.writes = writes;
        self.settle();
    }

    /// The completion that reports queued bytes, if there are any.
    pub(crate) fn progress(&mut self) -> Option<Completion> {
        let (token, unsent) = (self.entry().head.token, self.body().unsent);
        (unsent > 0).then_some(Completion::Progress { token, unsent })
    }
}
