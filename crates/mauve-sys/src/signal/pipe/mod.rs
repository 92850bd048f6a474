//! The pipe through which a loop receives its signals.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use super::writer::{self, SignalPipeWriter};
use super::{Delivery, Epoch, MAX, SignalEvent, disposition};
use crate::{Errno, Result, fd, net};

/// The pipe through which one loop receives its signals. Belongs to the loop's thread.
pub struct SignalPipe {
    writer: &'static SignalPipeWriter,
    /// `None` if it could not be reopened after a fork.
    reader: Option<OwnedFd>,
    watchers: [Watchers; MAX as usize],
}

/// How many watchers one signal has.
#[derive(Clone, Copy, Default)]
struct Watchers {
    persistent: u32,
    oneshot: u32,
}

impl Watchers {
    fn of(&mut self, delivery: Delivery) -> &mut u32 {
        match delivery {
            Delivery::Persistent => &mut self.persistent,
            Delivery::OneShot => &mut self.oneshot,
        }
    }

    fn count(self) -> u32 {
        self.persistent + self.oneshot
    }
}

/// The two descriptors of a [`SignalPipe`], opened before there is one.
pub struct PipeEnds {
    reader: OwnedFd,
    writer: OwnedFd,
}

impl PipeEnds {
    /// Opens a pipe.
    pub fn open() -> Result<Self> {
        let [reader, writer] = net::pipe([true, true])?;
        Ok(Self { reader, writer })
    }
}

impl SignalPipe {
    /// A pipe without watchers.
    pub fn new(PipeEnds { reader, writer }: PipeEnds) -> Self {
        disposition::prepare();
        let writer = SignalPipeWriter::acquire(writer);
        Self { writer, reader: Some(reader), watchers: [Watchers::default(); MAX as usize] }
    }

    /// The descriptor that is readable when messages are pending.
    pub fn fd(&self) -> Result<BorrowedFd<'_>> {
        self.reader.as_ref().map(AsFd::as_fd).ok_or(Errno::EBADF)
    }

    /// Adds a watcher of `signal`. `EINVAL` if the signal does not exist or cannot be caught.
    pub fn watch(&mut self, signal: i32, delivery: Delivery) -> Result<Epoch> {
        let index = index(signal)?;
        let epoch = self.writer.begin_epoch();
        *self.watchers[index].of(delivery) += 1;
        self.publish(signal);
        match disposition::update(signal, true) {
            Ok(()) => Ok(Epoch(epoch)),
            Err(error) => {
                *self.watchers[index].of(delivery) -= 1;
                self.publish(signal);
                Err(error)
            }
        }
    }

    /// Removes a watcher. The last one of all loops restores the default action, even if the program
    /// had another one before. Returns the epoch that begins now.
    pub fn unwatch(&mut self, signal: i32, delivery: Delivery) -> Epoch {
        *self.watchers[signal as usize - 1].of(delivery) -= 1;
        self.publish(signal);
        // Cannot fail: `watch` has installed a handler for this signal.
        let _ = disposition::update(signal, false);
        Epoch(self.writer.begin_epoch())
    }

    fn publish(&self, signal: i32) {
        let watchers = self.watchers[signal as usize - 1];
        self.writer.set_watchers(signal, watchers.count(), watchers.persistent > 0);
    }

    /// Reads up to `N` messages, oldest first, and returns their number.
    pub fn read<const N: usize>(&self, mut receive: impl FnMut(SignalEvent)) -> usize {
        let mut buffer = [[0; writer::MESSAGE]; N];
        let read = self.fd().and_then(|fd| fd::read(fd, buffer.as_flattened_mut()));
        let Ok(count) = read else { return 0 };
        let messages = &buffer[..count / writer::MESSAGE];
        messages.iter().for_each(|message| receive(writer::decode(*message)));
        messages.len()
    }

    /// In a forked child: replaces the pipe that is shared with the parent. [`fd`](Self::fd) changes.
    /// The old pipe is closed first, because the descriptor table may be full.
    pub fn reopen_after_fork(&mut self) -> Result<()> {
        self.reader = None;
        self.writer.close();
        let PipeEnds { reader, writer } = PipeEnds::open()?;
        self.writer.install(writer);
        self.reader = Some(reader);
        Ok(())
    }
}

impl Drop for SignalPipe {
    fn drop(&mut self) {
        for signal in 1..=MAX {
            let watchers = std::mem::take(&mut self.watchers[signal as usize - 1]);
            if watchers.count() > 0 {
                self.publish(signal);
                let _ = disposition::update(signal, false);
            }
        }
        self.writer.release();
    }
}

fn index(signal: i32) -> Result<usize> {
    if (1..=MAX).contains(&signal) { Ok(signal as usize - 1) } else { Err(Errno::EINVAL) }
}

#[cfg(test)]
mod tests;
