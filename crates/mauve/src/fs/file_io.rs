//! [`File`] with the traits of futures-io.

use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::{AsyncRead, AsyncSeek, AsyncWrite};
use mauve_core::pool::Lane;
use mauve_sys::fs::read_write::Position;

use super::File;
use crate::transfer::Transfer;
use crate::writes::Writes;

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
    Read(Transfer<Vec<u8>>),
    Seek(Transfer<u64>, SeekFrom),
}

impl File {
    fn start<T: Send + 'static>(
        &self,
        work: impl FnOnce(&std::fs::File) -> io::Result<T> + Send + 'static,
    ) -> Transfer<T> {
        let shared = self.shared.clone();
        Transfer::start(Lane::Normal, move || work(&shared.file))
    }

    /// Waits for a write that was accepted, and ends a transfer whose future was dropped. Bytes that
    /// were read are kept.
    fn poll_idle(&mut self, context: &Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.shared.poll_written(context));
        match &mut self.io.in_flight {
            None => return Poll::Ready(Ok(())),
            Some(InFlight::Read(transfer)) => {
                let result = ready!(transfer.poll(context));
                self.io.in_flight = None;
                self.io.unread = result?;
            }
            Some(InFlight::Seek(transfer, _)) => {
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

/// Reads at the current position.
impl AsyncRead for File {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        loop {
            let read = matches!(self.io.in_flight, Some(InFlight::Read(_)));
            ready!(self.poll_idle(context))?;
            if read || !self.io.unread.is_empty() || buffer.is_empty() {
                return Poll::Ready(Ok(self.take_unread(buffer)));
            }
            let length = buffer.len().min(MAX_TRANSFER);
            // Its allocation is used again.
            let unread = std::mem::take(&mut self.io.unread);
            let read = self.file_read(length, Position::Current, unread);
            self.io.in_flight = Some(InFlight::Read(Transfer::read(read)));
        }
    }
}

/// Writes at the current position, on the pool. The bytes are accepted at once, and later operations wait
/// until they are written. The next write or flush returns the error. Call `flush` to get the error of
/// the last write.
impl AsyncWrite for File {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_idle(context))?;
        let bytes = &bytes[..bytes.len().min(MAX_TRANSFER)];
        let shared = self.shared.clone();
        let write = || {
            let (back, bytes, shared) = (self.discard_unread(), bytes.to_vec(), shared.clone());
            move || {
                let mut file = &shared.file;
                if back != 0 {
                    file.seek(SeekFrom::Current(back))?;
                }
                file.write_all(&bytes)
            }
        };
        let writes = shared.writes.get_or_init(Writes::default);
        writes.poll_start(context, Lane::Normal, write).map_ok(|()| bytes.len())
    }

    /// Waits until all bytes are written.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_idle(context))?;
        self.shared.poll_flush(context)
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
                return Poll::Ready(result);
            }
            ready!(self.poll_idle(context))?;
            let back = self.discard_unread();
            let target = match position {
                SeekFrom::Current(offset) => SeekFrom::Current(offset.saturating_add(back)),
                absolute => absolute,
            };
            let transfer = self.start(move |mut file: &std::fs::File| file.seek(target));
            self.io.in_flight = Some(InFlight::Seek(transfer, position));
        }
    }
}
