//! Signals of the system, on their way to the loops that watch for them.
//!
//! A loop that watches for signals has a [`Mailbox`]: a pipe into which the process's one handler
//! writes a message for every signal that somebody behind the pipe watches for. So signals are
//! counted and keep their order, and the loop hears of them from its poller like of anything else.
//!
//! * [`post`]: the writing ends, and the handler, which may run on any thread at any time.
//! * [`disposition`]: what the process does on a signal, agreed among all mailboxes.

mod disposition;
pub mod numbers;
mod post;

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

pub use disposition::forget_ignored;
use post::Post;

use crate::{Errno, Result, fd, net};

/// What the system delivers when a child has ended.
pub const CHILD: i32 = libc::SIGCHLD;

/// The highest number of a signal.
pub const LAST: i32 = 64;

/// For how long a signal is watched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Term {
    /// Until the watcher says otherwise.
    Lasting,
    /// Until it has come once. If all watchers of a signal are of this kind, the system's default
    /// is back in force as soon as it was delivered.
    Once,
}

/// A signal that was delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raised {
    /// Which one.
    pub signal: i32,
    /// When, in terms of what [`Mailbox::watch`] returns.
    epoch: u32,
}

impl Raised {
    /// Whether it was delivered after the call of [`Mailbox::watch`] that returned `epoch`.
    pub fn is_since(self, epoch: Epoch) -> bool {
        self.epoch.wrapping_sub(epoch.0).cast_signed() >= 0
    }
}

/// The moment at which a watch began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Epoch(u32);

/// Where the signals for one loop arrive. Belongs to the loop's thread.
pub struct Mailbox {
    post: &'static Post,
    reader: OwnedFd,
    watchers: [Watchers; LAST as usize],
}

/// How many watchers one signal has.
#[derive(Clone, Copy, Default)]
struct Watchers {
    lasting: u32,
    once: u32,
}

impl Watchers {
    fn of(&mut self, term: Term) -> &mut u32 {
        match term {
            Term::Lasting => &mut self.lasting,
            Term::Once => &mut self.once,
        }
    }
}

impl Mailbox {
    /// Opens a mailbox that nothing is watched for yet.
    pub fn open() -> Result<Self> {
        disposition::prepare();
        let [reader, writer] = net::pipe([true, true])?;
        let post = Post::occupy(writer);
        Ok(Self { post, reader, watchers: [Watchers::default(); LAST as usize] })
    }

    /// The descriptor that is readable when there are messages.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.reader.as_fd()
    }

    /// Adds a watcher of `signal`. `EINVAL` if there is no such signal, or it cannot be caught.
    pub fn watch(&mut self, signal: i32, term: Term) -> Result<Epoch> {
        let index = index(signal)?;
        let epoch = self.post.begin_epoch();
        *self.watchers[index].of(term) += 1;
        self.publish(signal);
        match disposition::settle(signal, true) {
            Ok(()) => Ok(Epoch(epoch)),
            Err(error) => {
                *self.watchers[index].of(term) -= 1;
                self.publish(signal);
                Err(error)
            }
        }
    }

    /// Removes a watcher that was added. With the last one of all loops the system's default is
    /// in force again, whatever was before. Returns the epoch that begins now.
    pub fn unwatch(&mut self, signal: i32, term: Term) -> Epoch {
        *self.watchers[signal as usize - 1].of(term) -= 1;
        self.publish(signal);
        // What could be caught can be let go.
        let _ = disposition::settle(signal, false);
        Epoch(self.post.begin_epoch())
    }

    fn publish(&self, signal: i32) {
        let watchers = self.watchers[signal as usize - 1];
        self.post.declare(signal, watchers.lasting + watchers.once > 0, watchers.lasting > 0);
    }

    /// Takes messages out, oldest first. Returns false when there are no more.
    pub fn read(&self, mut receive: impl FnMut(Raised)) -> bool {
        let mut buffer = [0; 64 * post::MESSAGE];
        let Ok(count) = fd::read(self.fd(), &mut buffer) else { return false };
        for message in buffer[..count].chunks_exact(post::MESSAGE) {
            let (signal, epoch) = post::decode(message);
            receive(Raised { signal, epoch });
        }
        count > 0
    }

    /// In a forked child: messages for the parent and for this process go separate ways from now
    /// on. The descriptor changes.
    pub fn reopen_after_fork(&mut self) -> Result<()> {
        let [reader, writer] = net::pipe([true, true])?;
        self.post.reoccupy(writer);
        self.reader = reader;
        Ok(())
    }
}

impl Drop for Mailbox {
    fn drop(&mut self) {
        for signal in 1..=LAST {
            let watchers = std::mem::take(&mut self.watchers[signal as usize - 1]);
            if watchers.lasting + watchers.once > 0 {
                self.publish(signal);
                let _ = disposition::settle(signal, false);
            }
        }
        self.post.vacate();
    }
}

fn index(signal: i32) -> Result<usize> {
    if (1..=LAST).contains(&signal) { Ok(signal as usize - 1) } else { Err(Errno::EINVAL) }
}

#[cfg(test)]
mod tests;
