//! A TCP connection, a pipe or a terminal behind one type, for the bindings that handle all of them
//! alike.

use std::os::fd::RawFd;

use mauve::{Errno, Pipe, Result, Tcp, Tty, TtyMode};

/// A stream handle of the loop.
#[derive(Clone)]
pub(super) enum NativeStream {
    Tcp(Tcp),
    Pipe(Pipe),
    Tty(Tty),
}

impl NativeStream {
    pub fn read_start(
        &self,
        mut on_read: impl FnMut(Result<Option<&[u8]>>) + 'static,
    ) -> Result<()> {
        match self {
            Self::Tcp(tcp) => tcp.read_start(move |(), _, data| on_read(data)),
            Self::Pipe(pipe) => pipe.read_start(move |(), _, data| on_read(data)),
            Self::Tty(tty) => tty.read_start(move |(), _, data| on_read(data)),
        }
    }

    pub fn read_stop(&self) {
        match self {
            Self::Tcp(tcp) => tcp.read_stop(),
            Self::Pipe(pipe) => pipe.read_stop(),
            Self::Tty(tty) => tty.read_stop(),
        }
    }

    /// Writes without blocking. Returns the number of written bytes.
    pub fn try_write(&self, bytes: &[u8]) -> Result<usize> {
        match self {
            Self::Tcp(tcp) => tcp.try_write(bytes),
            Self::Pipe(pipe) => pipe.try_write(bytes),
            Self::Tty(tty) => tty.try_write(bytes),
        }
    }

    pub fn write(&self, bytes: &[u8], on_written: impl FnOnce(Result<()>) + 'static) -> Result<()> {
        let callback = move |(): &mut (), result| on_written(result);
        match self {
            Self::Tcp(tcp) => tcp.write_with(bytes, callback),
            Self::Pipe(pipe) => pipe.write_with(bytes, callback),
            Self::Tty(tty) => tty.write_with(bytes, callback),
        }
    }

    pub fn shutdown(&self, on_shutdown: impl FnOnce(Result<()>) + 'static) -> Result<()> {
        let callback = move |(): &mut (), result| on_shutdown(result);
        match self {
            Self::Tcp(tcp) => tcp.shutdown_with(callback),
            Self::Pipe(pipe) => pipe.shutdown_with(callback),
            Self::Tty(tty) => tty.shutdown_with(callback),
        }
    }

    pub fn close(&self, on_closed: impl FnOnce() + 'static) -> Result<()> {
        let callback = move |(): &mut ()| on_closed();
        match self {
            Self::Tcp(tcp) => tcp.close_with(callback),
            Self::Pipe(pipe) => pipe.close_with(callback),
            Self::Tty(tty) => tty.close_with(callback),
        }
    }

    /// Closes the stream. A TCP connection is reset (RST).
    pub fn close_reset(&self, on_closed: impl FnOnce() + 'static) -> Result<()> {
        match self {
            Self::Tcp(tcp) => tcp.close_reset_with(move |()| on_closed()),
            Self::Pipe(_) | Self::Tty(_) => self.close(on_closed),
        }
    }

    /// Sets whether the stream keeps the loop running.
    pub fn set_ref(&self, on: bool) {
        match (self, on) {
            (Self::Tcp(tcp), true) => tcp.ref_(),
            (Self::Tcp(tcp), false) => tcp.unref(),
            (Self::Pipe(pipe), true) => pipe.ref_(),
            (Self::Pipe(pipe), false) => pipe.unref(),
            (Self::Tty(tty), true) => tty.ref_(),
            (Self::Tty(tty), false) => tty.unref(),
        }
    }

    pub fn has_ref(&self) -> bool {
        match self {
            Self::Tcp(tcp) => tcp.has_ref(),
            Self::Pipe(pipe) => pipe.has_ref(),
            Self::Tty(tty) => tty.has_ref(),
        }
    }

    pub fn write_queue_size(&self) -> usize {
        match self {
            Self::Tcp(tcp) => tcp.write_queue_size(),
            Self::Pipe(pipe) => pipe.write_queue_size(),
            Self::Tty(tty) => tty.write_queue_size(),
        }
    }

    pub fn fileno(&self) -> Result<RawFd> {
        match self {
            Self::Tcp(tcp) => tcp.fileno(),
            Self::Pipe(pipe) => pipe.fileno(),
            Self::Tty(tty) => tty.fileno(),
        }
    }

    pub fn set_blocking(&self, on: bool) -> Result<()> {
        match self {
            Self::Tcp(tcp) => tcp.set_blocking(on),
            Self::Pipe(pipe) => pipe.set_blocking(on),
            Self::Tty(tty) => tty.set_blocking(on),
        }
    }

    /// Sets the mode of a terminal; `ENOTTY` for other streams.
    pub fn set_tty_mode(&self, mode: TtyMode) -> Result<()> {
        match self {
            Self::Tty(tty) => tty.set_mode(mode),
            Self::Tcp(_) | Self::Pipe(_) => Err(Errno::ENOTTY),
        }
    }
}
