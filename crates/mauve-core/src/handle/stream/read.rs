//! Reading.
//!
//! The engine has no buffers. It yields [`Completion::Readable`]; the host provides a buffer, calls
//! [`StreamMut::read`], reports the outcome, and takes the next step.
//!
//! [`Completion::Readable`]: crate::Completion::Readable

use mauve_sys::descriptor::Descriptor;
use mauve_sys::driver::{Driver, Readiness};
use mauve_sys::{Errno, Result, fd, net};

use super::{Flags, Shutdown, Stream, StreamMut};
use crate::Engine;

/// The most reads or accepts per readiness event, so that fast peers do not starve other handles.
pub(super) const ATTEMPTS_PER_EVENT: u8 = 32;

/// The outcome of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadOutcome {
    /// This number of bytes was read.
    Data(usize),
    /// There was nothing to read.
    WouldBlock,
    /// End of stream. Reading has stopped.
    End,
    /// The read has failed. Reading has stopped, and the stream is neither readable nor writable.
    Failed(Errno),
}

impl<D: Driver> StreamMut<'_, D> {
    /// Starts reading. `EINVAL` if the stream is closing, `EALREADY` if it is reading, `ENOTCONN` if
    /// it is not readable.
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

    /// Stops reading, if the stream is reading.
    #[doc(alias = "uv_read_stop")]
    pub fn stop_reading(&mut self) {
        if self.body().flags.take(Flags::READING) {
            self.update();
            if self.body().fd().is_ok_and(fd::waits_by_reading) {
                self.deregister_at_once();
            }
        }
    }

    /// Ends the registration. What is left of the interest is registered again.
    fn deregister_at_once(&mut self) {
        let Engine { table, registrations, driver, .. } = &mut *self.engine;
        let source = &mut table.streams[self.id.index()].body.source;
        registrations.deregister(self.id, source, driver);
        self.update();
    }

    /// Whether the stream is reading.
    pub fn is_reading(&mut self) -> bool {
        self.body().is(Flags::READING)
    }

    /// Reads into `buffer`, which is not empty.
    ///
    /// Inlined: a return that follows a system call is predicted badly.
    #[inline(always)]
    pub fn read(&mut self, buffer: &mut [u8]) -> ReadOutcome {
        let read = self.read_descriptor(buffer);
        let Engine { table, socket_event, .. } = &mut *self.engine;
        let body = &table.streams[self.id.index()].body;
        if let Some(event) = socket_event.stream().filter(|event| event.id == self.id) {
            // Only a full buffer suggests that there is more. Then a read may block, but not after a
            // hang-up.
            event.read_again = read == Ok(buffer.len())
                && (!body.is(Flags::BLOCKS) || event.readiness.contains(Readiness::HANGUP));
            event.read_failed = !matches!(read, Ok(_) | Err(Errno::EAGAIN));
            if event.is_complete() {
                socket_event.end();
            }
        }
        match read {
            Ok(0) => {
                self.end_reading();
                if self.body().shutdown == Shutdown::Done {
                    self.close_ended();
                }
                ReadOutcome::End
            }
            Ok(count) => ReadOutcome::Data(count),
            Err(Errno::EAGAIN) => ReadOutcome::WouldBlock,
            Err(error) => {
                // The callback still sees an active stream. Reading stops after it.
                self.body().flags.remove(Flags::READABLE | Flags::WRITABLE);
                ReadOutcome::Failed(error)
            }
        }
    }

    /// Stops reading at the end of the stream.
    pub(super) fn end_reading(&mut self) {
        self.stop_reading();
    }

    #[inline(always)]
    fn read_descriptor(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let body = self.body();
        if body.flags.intersects(Flags::IPC | Flags::SCHEDULED) {
            return self.read_uncommon(buffer);
        }
        body.receive(buffer)
    }

    #[inline(never)]
    fn read_uncommon(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if self.body().is(Flags::IPC) {
            return self.read_with_descriptors(buffer);
        }
        let schedule = self.engine.schedule.as_ref();
        let Some(schedule) = schedule.cloned() else { return self.body().receive(buffer) };
        let body = self.body();
        if body.is(Flags::UNSHARED)
            && let Some(error) = schedule.receive_fault(body.fd()?)
        {
            return Err(error);
        }
        let length = schedule.read_length(buffer.len());
        body.receive(&mut buffer[..length])
    }

    /// Queues received descriptors until they are accepted.
    fn read_with_descriptors(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let mut received = Vec::<Descriptor>::new();
        let fd = self.body().fd()?;
        let read = net::receive_with_descriptors(fd, buffer, |fd| received.push(fd));
        if !received.is_empty() {
            self.extras_or_new().inbox.extend(received);
        }
        read
    }
}

impl Stream {
    #[inline(always)]
    fn receive(&self, buffer: &mut [u8]) -> Result<usize> {
        let fd = self.fd()?;
        if self.is(Flags::SOCKET) { net::receive(fd, buffer) } else { fd::read(fd, buffer) }
    }
}
