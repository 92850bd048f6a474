//! Reading.
//!
//! The engine has no buffers. It yields [`Completion::Readable`]; whoever drives it provides a
//! buffer, calls [`StreamMut::read`], passes the outcome on, and asks for the next step.
//!
//! [`Completion::Readable`]: crate::Completion::Readable

use std::os::fd::OwnedFd;

use mauve_sys::driver::Driver;
use mauve_sys::{Errno, Result, fd, net};

use super::{Flags, StreamMut};
use crate::id::Kind;
use crate::{Engine, io};

/// How many reads one readiness event is good for, so that a fast peer starves nobody.
pub(super) const READS_PER_EVENT: u8 = 32;

/// What came of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// So many bytes are in the buffer.
    Data(usize),
    /// There was nothing after all.
    WouldBlock,
    /// The peer has written its last. Reading has stopped.
    End,
    /// Reading has stopped with an error, and the stream is good for nothing more.
    Failed(Errno),
}

impl<D: Driver> StreamMut<'_, D> {
    /// Begins to read. `EINVAL` if the stream is closing, `EALREADY` if it is reading,
    /// `ENOTCONN` if there is nothing to read from.
    #[doc(alias = "uv_read_start")]
    pub fn start_reading(&mut self) -> Result<()> {
        if self.is_closing() {
            return Err(Errno::EINVAL);
        }
        let body = self.body();
        if body.is(Flags::READING) {
            return Err(Errno::EALREADY);
        }
        if !body.is(Flags::READABLE) {
            return Err(Errno::ENOTCONN);
        }
        body.flags.insert(Flags::READING);
        self.update();
        Ok(())
    }

    /// Stops reading. Nothing happens if it does not read.
    #[doc(alias = "uv_read_stop")]
    pub fn stop_reading(&mut self) {
        if self.body().flags.take(Flags::READING) {
            self.update();
        }
    }

    /// Whether the stream is reading.
    pub fn is_reading(&mut self) -> bool {
        self.body().is(Flags::READING)
    }

    /// Reads into `buffer`, which has room.
    pub fn read(&mut self, buffer: &mut [u8]) -> Read {
        let read = self.read_descriptor(buffer);
        let Engine { table, streams, .. } = &mut *self.engine;
        let body = &mut table.streams[self.id.index()].body;
        let event = streams.event.as_mut().filter(|event| event.id == self.id);
        if let Some(event) = event {
            // Less than there was room for is all there was. The peer's end comes after it, unless
            // it is still to be announced.
            body.source.watch.unread &= match read {
                Ok(count) => count == 0 || count == buffer.len() || !event.may_go_on(),
                Err(error) => error != Errno::EAGAIN,
            };
            // Only a full buffer suggests that there is more.
            event.read_again = read == Ok(buffer.len()) && !body.is(Flags::BLOCKS);
            event.read_failed = !matches!(read, Ok(_) | Err(Errno::EAGAIN));
            let ends = !event.may_go_on();
            if event.is_over() {
                streams.event = None;
            }
            if ends && matches!(read, Ok(1..)) {
                self.hear_always();
            }
        }
        match read {
            Ok(0) => {
                self.end_reading();
                Read::End
            }
            Ok(count) => Read::Data(count),
            Err(Errno::EAGAIN) => Read::WouldBlock,
            Err(error) => {
                // Whoever hears of the error still sees an active stream; it is stopped after.
                self.body().flags.remove(Flags::READABLE | Flags::WRITABLE);
                Read::Failed(error)
            }
        }
    }

    /// The peer's end stands behind what was just read: has it reported from now on, as to those
    /// who never asked to hear once. At once, for what the callback does may have others reported,
    /// and that comes after it.
    #[cold]
    fn hear_always(&mut self) {
        if self.body().flags.take(Flags::EDGE) {
            self.update();
            let Engine { table, driver, .. } = &mut *self.engine;
            let source = &mut table.streams[self.id.index()].body.source;
            // A driver that refuses is asked again before the loop waits.
            let _ = io::settle(self.id, source.parts(), driver);
        }
    }

    /// The peer has written its last: reading stops, and the stream stays what it was.
    pub(super) fn end_reading(&mut self) {
        self.stop_reading();
    }

    fn read_descriptor(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let kind = self.id.kind();
        let body = self.body();
        let fd = body.fd()?;
        if kind == Kind::Tcp {
            return net::receive(fd, buffer);
        }
        if !body.is(Flags::IPC) {
            return fd::read(fd, buffer);
        }
        let mut arrived = Vec::new();
        let read = net::receive_with_descriptors(fd, buffer, |fd| arrived.push(fd));
        if !arrived.is_empty() {
            self.keep_arrived(arrived);
        }
        read
    }

    /// Has descriptors that have arrived wait to be taken.
    #[cold]
    fn keep_arrived(&mut self, arrived: Vec<OwnedFd>) {
        self.extras_or_new().inbox.extend(arrived);
    }
}
