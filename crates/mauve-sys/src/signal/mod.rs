//! Signals of the system, on their way to the loops that watch for them.
//!
//! A loop that watches for signals has a [`SignalPipe`]. The process's one signal handler writes a
//! message into it for every signal that the loop watches for. So signals are counted and keep
//! their order, and the loop receives them through its poller.
//!
//! * [`writer`]: the writing ends, and the handler, which may run on any thread at any time.
//! * [`disposition`]: the process's signal actions, which all loops share.

mod disposition;
mod mask;
pub mod numbers;
mod writer;

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

pub use disposition::forget_ignored;
pub(crate) use mask::AllBlocked;
use writer::SignalPipeWriter;

use crate::{Errno, Result, fd, net};

/// The signal that a process receives when a child exits.
pub const CHILD: i32 = libc::SIGCHLD;

/// The highest number of a signal.
pub const LAST: i32 = 64;

/// How often a watcher receives its signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Delivery {
    /// Until the watcher is removed.
    Persistent,
    /// Once. If all watchers of a signal are of this kind, the system's default action is in force
    /// again after the first delivery.
    OneShot,
}

/// A signal that was delivered to the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raised {
    /// Its number.
    pub signal: i32,
    /// How many watchers of this loop it had at that time. Saturates at 65535.
    pub watchers: u16,
    /// The epoch at that time: see [`SignalPipe::watch`].
    epoch: u32,
}

impl Raised {
    /// Whether it was delivered after the call of [`SignalPipe::watch`] that returned `epoch`.
    pub fn is_since(self, epoch: Epoch) -> bool {
        self.epoch.wrapping_sub(epoch.0).cast_signed() >= 0
    }
}

/// The moment at which a watch began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Epoch(u32);

/// The pipe through which one loop receives its signals. Belongs to the loop's thread.
pub struct SignalPipe {
    writer: &'static SignalPipeWriter,
    reader: OwnedFd,
    watchers: [Watchers; LAST as usize],
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
        let writer = SignalPipeWriter::occupy(writer);
        Self { writer, reader, watchers: [Watchers::default(); LAST as usize] }
    }

    /// The descriptor that is readable when there are messages.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.reader.as_fd()
    }

    /// Adds a watcher of `signal`. `EINVAL` if there is no such signal, or it cannot be caught.
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

    /// Removes a watcher that was added. When the last one of all loops is removed, the system's
    /// default action is in force again, whatever it was before. Returns the epoch that begins now.
    pub fn unwatch(&mut self, signal: i32, delivery: Delivery) -> Epoch {
        *self.watchers[signal as usize - 1].of(delivery) -= 1;
        self.publish(signal);
        // The action of a signal that could be caught can be reset.
        let _ = disposition::update(signal, false);
        Epoch(self.writer.begin_epoch())
    }

    fn publish(&self, signal: i32) {
        let watchers = self.watchers[signal as usize - 1];
        self.writer.set_watchers(signal, watchers.count(), watchers.persistent > 0);
    }

    /// Reads up to `N` messages, oldest first, and returns how many there were.
    pub fn read<const N: usize>(&self, mut receive: impl FnMut(Raised)) -> usize {
        let mut buffer = [[0; writer::MESSAGE]; N];
        let Ok(count) = fd::read(self.fd(), buffer.as_flattened_mut()) else { return 0 };
        let messages = &buffer[..count / writer::MESSAGE];
        messages.iter().for_each(|message| receive(writer::decode(*message)));
        messages.len()
    }

    /// In a forked child: replaces the pipe that is shared with the parent. The descriptor changes.
    pub fn reopen_after_fork(&mut self) -> Result<()> {
        let PipeEnds { reader, writer } = PipeEnds::open()?;
        self.writer.reoccupy(writer);
        self.reader = reader;
        Ok(())
    }
}

impl Drop for SignalPipe {
    fn drop(&mut self) {
        for signal in 1..=LAST {
            let watchers = std::mem::take(&mut self.watchers[signal as usize - 1]);
            if watchers.count() > 0 {
                self.publish(signal);
                let _ = disposition::update(signal, false);
            }
        }
        self.writer.vacate();
    }
}

fn index(signal: i32) -> Result<usize> {
    if (1..=LAST).contains(&signal) { Ok(signal as usize - 1) } else { Err(Errno::EINVAL) }
}

#[cfg(test)]
mod tests;
