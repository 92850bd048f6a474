//! Reads of files.
//!
//! A read is a job in the pool's queue and starts in queue order. But the loop does not wake a thread
//! for it. Before it polls or submits another job, it attempts its own reads at the head of the queue
//! as a batch, with one system call. Threads perform the reads that the page cache cannot serve.

use std::any::Any;
use std::collections::VecDeque;

use mauve_sys::driver::Driver;
use mauve_sys::fs::read_batch::{BatchReader, FileRead};
use mauve_sys::{Errno, Result};

use super::work::{Stage, Work};
use crate::id::{RequestId, Token};
use crate::pool::{Finished, InlineFinished, PoolPort, ReadBatch};
use crate::{Completion, Engine};

/// The engine's part for reads of files.
#[derive(Default)]
pub(crate) struct Reads {
    /// Whether reads are queued for which no thread was woken.
    pub queued: bool,
    /// Empty between attempts.
    batch: ReadBatch,
    reader: BatchReader,
    /// Buffers that were read into, and their requests, in the order of their completions.
    filled: VecDeque<(RequestId, Vec<u8>)>,
    /// Reads that have started, and whose buffers are dropped when they end.
    discarded: Vec<RequestId>,
}

impl Reads {
    /// Drops the reader, which a forked child must not use.
    pub fn drop_reader(&mut self) {
        self.reader = BatchReader::default();
        self.queued = false;
    }

    /// Keeps the buffer of a read for its owner. Returns the result.
    #[inline]
    fn keep(&mut self, request: RequestId, read: &mut FileRead, error: Errno) -> Result<u32> {
        let result = read.result().unwrap_or(Err(error));
        if let Some(bytes) = read.take_bytes() {
            match self.discarded.iter().position(|discarded| *discarded == request) {
                Some(index) => {
                    self.discarded.swap_remove(index);
                }
                None => self.filled.push_back((request, bytes)),
            }
        }
        result.map(|bytes| bytes as u32)
    }
}

impl<D: Driver> Engine<D> {
    /// Reads from a file. The result is reported in a poll phase, by [`Completion::Read`].
    #[doc(alias = "uv_fs_read")]
    #[inline]
    pub fn submit_read(&mut self, token: Token, mut read: FileRead) -> RequestId {
        self.enter_process();
        let may_wait = read.is_batchable() && self.is_running();
        let request = self.reserve_work();
        read.tag = request.to_bits();
        let ticket = self.pool.outbox.queue_read(read, request);
        let stage = Stage::Read(ticket);
        self.enter_work(request, Work { token, since: self.clock.now, stage });
        self.pool.reads.queued = true;
        if !may_wait {
            self.start_reads();
        }
        request
    }

    /// Attempts the queued reads that are next, and wakes a thread for the others.
    #[inline(never)]
    pub(crate) fn start_reads(&mut self) {
        self.enter_process();
        if !std::mem::take(&mut self.pool.reads.queued) {
            return;
        }
        let running = self.is_running();
        let PoolPort { outbox, inline_done: finished, carried, reads, .. } = &mut self.pool;
        let started =
            outbox.start_reads(&mut reads.batch, InlineFinished { running, finished, carried });
        if !reads.batch.reads.is_empty() {
            reads.reader.attempt(reads.batch.reads.make_contiguous());
            let works = &mut self.works;
            let blocked = |request| works.set_stage(request, Stage::ReadStarted);
            let ended = outbox.end_reads(&mut reads.batch, blocked);
            let error = ended.err().unwrap_or(Errno::EIO);
            // Compacts the list in place, because a `FileRead` is large and rarely has to move.
            let mut done = std::mem::take(&mut reads.batch.reads);
            for read in &mut done {
                let request = RequestId::from_bits(read.tag);
                let result = self.pool.reads.keep(request, read, error);
                self.works.set_stage(request, Stage::ReadDone(result));
                self.report_inline(Finished { request, result: Ok(()) });
            }
            done.clear();
            self.pool.reads.batch.reads = done;
        }
        if let Err(error) = started {
            self.fail_queued_reads(error);
        }
    }

    /// Fails the queued reads, because the system cannot start a thread.
    #[cold]
    fn fail_queued_reads(&mut self, error: Errno) {
        for (request, ticket) in self.works.queued_reads() {
            if self.pool.outbox.cancel_read(ticket, request).is_some() {
                self.works.set_stage(request, Stage::ReadDone(Err(error)));
                self.report_inline(Finished { request, result: Ok(()) });
            }
        }
    }

    /// The completion of a read that a thread has performed.
    #[cold]
    pub(crate) fn end_read(&mut self, request: RequestId, token: Token) -> Completion {
        let carried = self.pool.carried_last.take();
        let read = carried.and_then(|work| (work as Box<dyn Any>).downcast::<FileRead>().ok());
        let mut read = read.expect("a read comes back from the pool");
        Completion::Read { token, result: self.pool.reads.keep(request, &mut read, Errno::EIO) }
    }

    /// Cancels a read if it has not started, and drops its buffer in any case. It is still reported.
    pub fn discard_read(&mut self, request: RequestId) {
        let started = self.cancel_work(request).is_err();
        if started && self.take_read(request).is_none() && self.works.contains(request) {
            self.pool.reads.discarded.push(request);
        }
    }

    /// Takes the buffer of a finished read, with the bytes that were read.
    #[inline]
    pub fn take_read(&mut self, request: RequestId) -> Option<Vec<u8>> {
        let filled = &mut self.pool.reads.filled;
        // Hosts usually take them in the order of their completions.
        match filled.front() {
            Some((of, _)) if *of == request => filled.pop_front().map(|(_, bytes)| bytes),
            Some(_) => take_out_of_order(filled, request),
            None => None,
        }
    }
}

#[cold]
fn take_out_of_order(
    filled: &mut VecDeque<(RequestId, Vec<u8>)>,
    request: RequestId,
) -> Option<Vec<u8>> {
    let index = filled.iter().position(|(of, _)| *of == request)?;
    filled.remove(index).map(|(_, bytes)| bytes)
}
