//! [`File`] with the traits of futures-io.

use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::fd::AsRawFd as _;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::{AsyncRead, AsyncSeek, AsyncWrite};
use mauve_core::pool::Lane;
use mauve_sys::fs::nowait::{self, Attempt};
use mauve_sys::fs::read_write::Position;

use super::File;
use crate::core::with_current;
use crate::transfer::Transfer;

/// The most bytes of one transfer.
const MAX_TRANSFER: usize = 256 * 1024;

/// The state of a file's reads and writes through the traits. Clones of a file do not share it.
#[derive(Debug, Default)]
pub(super) struct FileIo {
    in_flight: Option<InFlight>,
    /// Bytes that were read for a future that was dropped. The next read returns them.
    unread: Vec<u8>,
}

#[derive(Debug)]
enum InFlight {
    Read(Transfer),
    Write { transfer: Transfer, bytes: Vec<u8> },
    Seek(Transfer, SeekFrom),
}

impl File {
    fn start(
        &self,
        buffer: Vec<u8>,
        work: impl FnOnce(&std::fs::File, &mut Vec<u8>) -> io::Result<u64> + Send + 'static,
    ) -> Transfer {
        let shared = self.shared.clone();
        Transfer::start_with_buffer(Lane::Normal, buffer, move |buffer| work(&shared.file, buffer))
    }

    /// Ends a transfer whose future was dropped. Bytes that were read are kept.
    fn poll_idle(&mut self, context: &Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.io.in_flight {
            None => return Poll::Ready(Ok(())),
            Some(InFlight::Read(transfer)) => {
                let result = ready!(transfer.poll(context));
                self.io.in_flight = None;
                let (mut buffer, count) = result?;
                buffer.truncate(count as usize);
                self.io.unread = buffer;
            }
            Some(InFlight::Write { transfer, .. } | InFlight::Seek(transfer, _)) => {
                let result = ready!(transfer.poll(context));
                self.io.in_flight = None;
                result?;
            }
        }
        Poll::Ready(Ok(()))
    }

    fn take_unread(&mut self, buffer: &mut [u8]) -> usize {
        let count = buffer.len().min(self.io.unread.len());
        buffer[..count].copy_from_slice(&self.io.unread[..count]);
        self.io.unread.drain(..count);
        count
    }

    /// Where the kernel's position has to move to, relative to itself, so that it is that of the
    /// caller: back over the unread bytes, which are discarded.
    fn discard_unread(&mut self) -> i64 {
        let unread = self.io.unread.len() as i64;
        self.io.unread.clear();
        -unread
    }
}

/// Reads at the current position. Bytes in the page cache are read at once, others on the pool.
impl AsyncRead for File {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        if let Some(Poll::Pending) = with_current(|core| core.executor.poll_budget(context)) {
            return Poll::Pending;
        }
        loop {
            let read = matches!(self.io.in_flight, Some(InFlight::Read(_)));
            ready!(self.poll_idle(context))?;
            if read || !self.io.unread.is_empty() || buffer.is_empty() {
                with_current(|core| core.executor.spend_budget());
                return Poll::Ready(Ok(self.take_unread(buffer)));
            }
            let length = buffer.len().min(MAX_TRANSFER);
            match nowait::read_slice(self.as_raw_fd(), &mut buffer[..length], Position::Current) {
                Attempt::WouldBlock(0) => {}
                Attempt::Done(result) => {
                    with_current(|core| core.executor.spend_budget());
                    return Poll::Ready(Ok(result?));
                }
                Attempt::WouldBlock(count) => {
                    with_current(|core| core.executor.spend_budget());
                    return Poll::Ready(Ok(count));
                }
            }
            let read = |mut file: &std::fs::File, buffer: &mut Vec<u8>| {
                file.read(buffer).map(|count| count as u64)
            };
            self.io.in_flight = Some(InFlight::Read(self.start(vec![0; length], read)));
        }
    }
}

/// Writes at the current position, on the pool. A write completes when the kernel has the bytes.
impl AsyncWrite for File {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let bytes = &bytes[..bytes.len().min(MAX_TRANSFER)];
        loop {
            if let Some(InFlight::Write { transfer, bytes: begun }) = &mut self.io.in_flight
                && begun == bytes
            {
                let result = ready!(transfer.poll(context));
                self.io.in_flight = None;
                return Poll::Ready(result.map(|(_, count)| count as usize));
            }
            // Another write, whose future was dropped.
            ready!(self.poll_idle(context))?;
            let back = self.discard_unread();
            let write = move |mut file: &std::fs::File, bytes: &mut Vec<u8>| {
                if back != 0 {
                    file.seek(SeekFrom::Current(back))?;
                }
                file.write(bytes).map(|count| count as u64)
            };
            let transfer = self.start(bytes.to_vec(), write);
            self.io.in_flight = Some(InFlight::Write { transfer, bytes: bytes.to_vec() });
        }
    }

    /// Waits for a write whose future was dropped. Other writes are complete.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_idle(context)
    }

    fn poll_close(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(context)
    }
}

impl AsyncSeek for File {
    fn poll_seek(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        position: SeekFrom,
    ) -> Poll<io::Result<u64>> {
        loop {
            if let Some(InFlight::Seek(transfer, begun)) = &mut self.io.in_flight
                && *begun == position
            {
                let result = ready!(transfer.poll(context));
                self.io.in_flight = None;
                return Poll::Ready(result.map(|(_, position)| position));
            }
            ready!(self.poll_idle(context))?;
            let back = self.discard_unread();
            let target = match position {
                SeekFrom::Current(offset) => SeekFrom::Current(offset.saturating_add(back)),
                absolute => absolute,
            };
            let seek = move |mut file: &std::fs::File, _: &mut Vec<u8>| file.seek(target);
            let transfer = self.start(Vec::new(), seek);
            self.io.in_flight = Some(InFlight::Seek(transfer, position));
        }
    }
}
