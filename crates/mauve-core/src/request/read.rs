//! Reads from files that are tried together, without the pool.
//!
//! A read is *queued* when it is asked for, and *attempted* with all others when the loop is about
//! to poll. The poll phase then tells of each, in the order in which they were asked for, and among
//! other work that was done early. What the page cache did not have is the asker's to hand to the
//! pool: he knows how to go on.

use std::collections::VecDeque;

use mauve_sys::fs::together::{Read, Reader};
use mauve_sys::driver::Driver;

use super::work::{Stage, Work};
use crate::Engine;
use crate::id::{RequestId, Token};
use crate::pool::Finished;

/// The reads to be attempted.
#[derive(Default)]
pub(crate) struct Reads {
    /// Tagged with the requests that they belong to.
    queue: Vec<Read>,
    reader: Reader,
    /// Buffers that were read into, and their requests, in the order in which these are told.
    filled: VecDeque<(RequestId, Vec<u8>)>,
    /// Whether the pool would have begun the first of them at once, and has not been given anything
    /// since.
    way_is_clear: bool,
}

impl Reads {
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Something goes to the pool: whether that has a free thread must be asked anew.
    #[inline(always)]
    pub fn way_changes(&mut self) {
        self.way_is_clear = false;
    }

    /// Takes a read back.
    pub fn withdraw(&mut self, index: u32) {
        self.queue[index as usize].withdraw();
    }

    /// Lets go of what belongs to the process: a forked child must not use it.
    pub fn forget_reader(&mut self) {
        self.reader = Reader::default();
    }
}

impl<D: Driver> Engine<D> {
    /// Whether a read that is asked for now may be [queued](Self::queue_read): the loop has to be
    /// running, and [`may_work_at_once`](Self::may_work_at_once) must hold.
    #[inline]
    pub fn may_queue_reads(&mut self) -> bool {
        if !self.is_running() {
            return false;
        }
        if !self.pool.reads.way_is_clear {
            self.pool.reads.way_is_clear = self.may_work_at_once();
        }
        self.pool.reads.way_is_clear
    }

    /// Has a read attempted before the next poll phase, which does not wait and tells the outcome
    /// with [`Completion::Read`].
    ///
    /// [`Completion::Read`]: crate::Completion::Read
    #[doc(alias = "uv_fs_read")]
    #[inline]
    pub fn queue_read(&mut self, token: Token, mut read: Read) -> RequestId {
        let index = self.pool.reads.queue.len() as u32;
        let work = Work { token, since: self.clock.now, stage: Stage::Queued(index) };
        let request = self.begin_work(work);
        read.tag = request.to_bits();
        self.pool.reads.queue.push(read);
        // Holds its place among what is done early.
        self.pool.done_early.push(Finished { request, result: Ok(()) });
        request
    }

    /// Attempts all reads that are queued.
    #[inline(never)]
    pub(crate) fn attempt_reads(&mut self) {
        self.pool.reads.way_is_clear = false;
        self.pool.reads.reader.attempt(&mut self.pool.reads.queue);
        for read in self.pool.reads.queue.drain(..) {
            let request = RequestId::from_bits(read.tag);
            self.works.set_attempted(request, read.outcome());
            if let Some(bytes) = read.into_bytes() {
                self.pool.reads.filled.push_back((request, bytes));
            }
        }
    }

    /// The buffer that a read was given, with what was read, once it was attempted. It is there until
    /// somebody takes it.
    #[inline]
    pub fn take_read(&mut self, request: RequestId) -> Option<Vec<u8>> {
        let filled = &mut self.pool.reads.filled;
        // They are mostly taken in the order in which they are told.
        match filled.front() {
            Some((of, _)) if *of == request => filled.pop_front().map(|(_, bytes)| bytes),
            Some(_) => take_from_among(filled, request),
            None => None,
        }
    }
}

#[cold]
fn take_from_among(
    filled: &mut VecDeque<(RequestId, Vec<u8>)>,
    request: RequestId,
) -> Option<Vec<u8>> {
    let index = filled.iter().position(|(of, _)| *of == request)?;
    filled.remove(index).map(|(_, bytes)| bytes)
}
