//! Reads of files.
//!
//! A loop keeps its reads until it polls or submits another job. Then it attempts them as a batch, with
//! one system call, if a thread would start them at once. Threads perform the reads that the page cache
//! cannot serve.

use std::any::Any;
use std::collections::VecDeque;

use mauve_sys::driver::Driver;
use mauve_sys::fs::read_batch::{BatchReader, FileRead};
use mauve_sys::{Errno, Result};

use super::work::Stage;
use crate::id::{RequestId, Token};
use crate::pool::{Finished, ReadBatch};
use crate::{Engine, WorkCompletion};

/// The engine's part for reads of files.
#[derive(Default)]
pub(crate) struct Reads {
    /// Whether reads were kept since the last attempt.
    kept: bool,
    /// Empty between attempts.
    batch: ReadBatch,
    reader: BatchReader,
    /// Buffers that were read into, and their requests, in the order of their completions.
    filled: VecDeque<(RequestId, Vec<u8>)>,
    /// Reads that have started, and whose buffers are dropped when they end.
    discarded: Vec<RequestId>,
}

impl Reads {
    /// Whether reads were kept since the last attempt.
    #[inline(always)]
    pub fn has_kept(&self) -> bool {
        self.kept
    }

    /// Drops the reader, which a forked child must not use.
    pub fn drop_reader(&mut self) {
        self.reader = BatchReader::default();
        self.kept = false;
    }

    /// Keeps the buffer of a read for its owner. Returns the result.
    #[inline]
    fn keep(&mut self, request: RequestId, read: &mut FileRead) -> Result<u32> {
        let result = read.result().unwrap_or(Err(Errno::EIO));
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
    /// Reads from a file. The result is reported in a poll phase, by [`WorkCompletion::Read`].
    #[doc(alias = "uv_fs_read")]
    #[inline]
    pub fn submit_read(&mut self, token: Token, mut read: FileRead) -> Result<RequestId> {
        self.enter_process();
        let may_wait = read.is_batchable() && self.is_running();
        let request = self.reserve_work();
        read.tag = request.to_bits();
        if !may_wait && !self.pool.has_kept_reads() {
            self.enter_work(request, token, Ok(Stage::Read(None)))?;
            self.pool.reads().batch.reads.push_back(read);
            return self.start_batch().map(|()| request).inspect_err(|_| self.forget_read(request));
        }
        let kept = self.pool.outbox().keep_read(read);
        self.enter_work(request, token, kept.map(|()| Stage::Read(None)))?;
        self.pool.reads().kept = true;
        if !may_wait {
            self.start_reads();
        }
        Ok(request)
    }

    /// Removes a read that no thread can be started for.
    #[cold]
    fn forget_read(&mut self, request: RequestId) {
        self.pool.reads().batch.reads.clear();
        self.end_work(request);
    }

    /// Attempts the kept reads, and leaves to threads those that block or have to wait.
    pub(crate) fn start_reads(&mut self) {
        self.enter_process();
        if std::mem::take(&mut self.pool.reads().kept) {
            // The pool runs since the first one was kept.
            let _ = self.start_batch();
        }
    }

    /// Attempts the reads of the batch, or the kept ones if it is empty.
    #[inline(never)]
    fn start_batch(&mut self) -> Result<()> {
        let running = self.is_running();
        let works = &mut self.works;
        let (outbox, reads, inline) = self.pool.inline(running);
        let mut queued = |request, ticket: Option<_>| {
            let stage = ticket.map_or(Stage::ReadStarted, |ticket| Stage::Read(Some(ticket)));
            works.set_stage(request, stage);
        };
        outbox.start_reads(&mut reads.batch, inline, &mut queued)?;
        if !reads.batch.reads.is_empty() {
            reads.reader.attempt(reads.batch.reads.make_contiguous());
            outbox.end_reads(&mut reads.batch, queued);
            // The list stays where it is, because a `FileRead` is large.
            let mut done = std::mem::take(&mut reads.batch.reads);
            for read in &mut done {
                let request = RequestId::from_bits(read.tag);
                let result = self.pool.reads().keep(request, read);
                self.works.set_stage(request, Stage::ReadDone(result));
                self.pool.report_inline(running, Finished { request, result: Ok(()) });
            }
            done.clear();
            self.pool.reads().batch.reads = done;
        }
        Ok(())
    }

    /// The completion of a read that a thread has performed.
    #[cold]
    pub(crate) fn end_read(&mut self, request: RequestId, token: Token) -> WorkCompletion {
        let carried = self.pool.take_carried();
        let read = carried.and_then(|work| (work as Box<dyn Any>).downcast::<FileRead>().ok());
        let mut read = read.expect("a read comes back from the pool");
        WorkCompletion::Read { token, result: self.pool.reads().keep(request, &mut read) }
    }

    /// Cancels a read if it has not started, and drops its buffer in any case. It is still reported.
    pub fn discard_read(&mut self, request: RequestId) {
        let started = self.cancel_work(request).is_err();
        if started && self.take_read(request).is_none() && self.works.contains(request) {
            self.pool.reads().discarded.push(request);
        }
    }

    /// Takes the buffer of a finished read, with the bytes that were read.
    #[inline]
    pub fn take_read(&mut self, request: RequestId) -> Option<Vec<u8>> {
        let filled = &mut self.pool.reads().filled;
        // Most hosts take them in the order of their completions.
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
