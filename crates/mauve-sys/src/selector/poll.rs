//! The selector for any Unix: `poll`.
//!
//! The registrations are an array that every wait passes to the kernel, so a wait costs time
//! proportional to their number.
//! There is no descriptor that represents the selector, so a loop cannot be embedded.

use std::os::fd::{AsRawFd, BorrowedFd, RawFd};

use super::poll_flags::{flags, readiness};
use crate::fd::borrow;
use crate::selector::{Event, Interest, Key, Select, WaitCall, WaitOptions};
use crate::signal::mask::wait_masked;
use crate::{Errno, Result};

/// The registered descriptors.
pub struct Selector {
    /// The waker's descriptor, then the registered ones.
    entries: Vec<libc::pollfd>,
    /// The keys of `entries`.
    keys: Vec<Key>,
    /// The position in `entries` of each descriptor, or [`NOT_REGISTERED`].
    positions: Vec<u32>,
    /// The entries and keys of the current wait: others may be registered meanwhile.
    waiting: (Vec<libc::pollfd>, Vec<Key>),
}

const NOT_REGISTERED: u32 = u32::MAX;

impl Selector {
    /// A selector that reports writes to `waker` as [`Event::Wake`].
    pub fn new(waker: BorrowedFd<'_>) -> Result<Self> {
        let mut selector = Self {
            entries: Vec::new(),
            keys: Vec::new(),
            positions: Vec::new(),
            waiting: Default::default(),
        };
        selector.insert(waker.as_raw_fd(), Key::WAKER, libc::POLLIN);
        Ok(selector)
    }

    /// Performs a wait.
    ///
    /// # Safety
    /// The selector that has prepared it exists, and has begun no other wait since.
    pub unsafe fn run(call: &WaitCall) -> Result<usize> {
        let timeout = call.timeout.millis();
        // SAFETY: the selector exists, and nothing else uses its copy of the registrations.
        let (entries, mask) = unsafe {
            (std::slice::from_raw_parts_mut(call.buffer.cast(), call.length), call.mask.as_ref())
        };
        wait_masked(mask, timeout == 0, &mut || poll(entries, timeout))
    }

    /// Appends the events of the `ready` descriptors. Returns whether the waker was notified.
    fn collect(
        &mut self,
        entries: &[libc::pollfd],
        keys: &[Key],
        mut ready: usize,
        events: &mut Vec<Event>,
    ) -> bool {
        let mut woken = false;
        for (libc::pollfd { fd, revents, .. }, key) in entries.iter().zip(keys) {
            if ready == 0 {
                break;
            }
            if *revents == 0 {
                continue;
            }
            ready -= 1;
            if *key == Key::WAKER {
                drain(*fd);
                woken = true;
            } else if revents & libc::POLLNVAL != 0 {
                // The program has closed the descriptor. It may be registered again with another key.
                if let Some(at) = self.position(*fd).filter(|at| self.keys[*at] == *key) {
                    self.remove(at);
                }
            } else {
                events.push(Event::Ready { key: *key, readiness: readiness(*revents) });
            }
        }
        if woken {
            events.push(Event::Wake);
        }
        woken
    }

    fn position(&self, fd: RawFd) -> Option<usize> {
        let position = *self.positions.get(usize::try_from(fd).ok()?)?;
        (position != NOT_REGISTERED).then_some(position as usize)
    }

    fn insert(&mut self, fd: RawFd, key: Key, flags: i16) {
        let index = fd as usize;
        if index >= self.positions.len() {
            self.positions.resize(index + 1, NOT_REGISTERED);
        }
        self.positions[index] = self.entries.len() as u32;
        self.entries.push(libc::pollfd { fd, events: flags, revents: 0 });
        self.keys.push(key);
    }

    fn update(&mut self, position: usize, key: Key, flags: i16) {
        self.entries[position].events = flags;
        self.keys[position] = key;
    }

    /// Removes an entry; the last entry takes its position.
    fn remove(&mut self, position: usize) {
        let removed = self.entries.swap_remove(position);
        self.keys.swap_remove(position);
        self.positions[removed.fd as usize] = NOT_REGISTERED;
        if let Some(moved) = self.entries.get(position) {
            self.positions[moved.fd as usize] = position as u32;
        }
    }
}

impl Select for Selector {
    fn fd(&self) -> Option<RawFd> {
        None
    }

    fn register(&mut self, fd: RawFd, key: Key, interest: Interest) -> Result<()> {
        self.probe(fd)?;
        let flags = flags(interest)?;
        match self.position(fd) {
            // The program has closed and reopened the descriptor: take the registration over.
            Some(position) => self.update(position, key, flags),
            None => self.insert(fd, key, flags),
        }
        Ok(())
    }

    fn reregister(&mut self, fd: RawFd, key: Key, interest: Interest) -> Result<()> {
        match self.position(fd) {
            Some(position) => self.update(position, key, flags(interest)?),
            None => self.register(fd, key, interest)?,
        }
        Ok(())
    }

    fn deregister(&mut self, fd: RawFd) -> Result<()> {
        // A descriptor that the program has closed may have been removed by a wait.
        if let Some(position) = self.position(fd) {
            self.remove(position);
        }
        Ok(())
    }

    fn begin_wait(&mut self, options: WaitOptions<'_>) -> WaitCall {
        self.waiting.0.clone_from(&self.entries);
        self.waiting.1.clone_from(&self.keys);
        WaitCall::new(-1, &mut self.waiting.0[..], options)
    }

    fn end_wait(&mut self, count: usize, events: &mut Vec<Event>) -> bool {
        let (entries, keys) = std::mem::take(&mut self.waiting);
        let woken = self.collect(&entries, &keys, count, events);
        self.waiting = (entries, keys);
        woken
    }

    fn reopen(&mut self) -> Result<()> {
        self.entries.clear();
        self.keys.clear();
        self.positions.clear();
        Ok(())
    }

    fn add_waker(&mut self, waker: BorrowedFd<'_>) -> Result<()> {
        self.insert(waker.as_raw_fd(), Key::WAKER, libc::POLLIN);
        Ok(())
    }
}

/// The system call, in a frame of its own. A thread that is cancelled in it unwinds through this
/// frame, which has nothing to clean up.
#[inline]
fn poll(entries: &mut [libc::pollfd], timeout: i32) -> Result<usize> {
    let count = entries.len() as libc::nfds_t;
    // SAFETY: the entries are initialised, and their number is passed.
    let ready = unsafe { libc::poll(entries.as_mut_ptr(), count, timeout) };
    usize::try_from(ready).map_err(|_| Errno::last())
}

/// Reads what was written to the waker's descriptor, which is level-triggered here. It may stay
/// readable; the next wait then returns at once.
fn drain(fd: RawFd) {
    if let Ok(fd) = borrow(&fd) {
        let _ = rustix::io::read(fd, &mut [0u8; 128]);
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsFd;

    use super::*;
    use crate::selector::{Readiness, wait};

    fn ready(key: u64, readiness: Readiness) -> Event {
        Event::Ready { key: Key(key), readiness }
    }

    #[test]
    fn a_removed_descriptor_leaves_the_others_registered() {
        let (waker, _write_end) = rustix::pipe::pipe().unwrap();
        let pipes: Vec<_> = (0..3).map(|_| rustix::pipe::pipe().unwrap()).collect();
        let mut selector = Selector::new(waker.as_fd()).unwrap();
        for (key, (reader, writer)) in pipes.iter().enumerate() {
            selector.register(reader.as_raw_fd(), Key(key as u64), Interest::READABLE).unwrap();
            rustix::io::write(writer, b"x").unwrap();
        }
        selector.deregister(pipes[0].0.as_raw_fd()).unwrap();
        let mut events = Vec::new();
        assert!(!wait!(selector, WaitOptions::at_most(Some(0)), &mut events).unwrap());
        assert_eq!(events, [ready(2, Readiness::READABLE), ready(1, Readiness::READABLE)]);
    }

    #[test]
    fn a_descriptor_that_the_program_closed_is_forgotten() {
        let (waker, _write_end) = rustix::pipe::pipe().unwrap();
        // A number that no other test of this process opens meanwhile.
        let reader = rustix::io::fcntl_dupfd_cloexec(&waker, 200).unwrap();
        let mut selector = Selector::new(waker.as_fd()).unwrap();
        selector.register(reader.as_raw_fd(), Key(1), Interest::READABLE).unwrap();
        drop(reader);
        let mut events = Vec::new();
        wait!(selector, WaitOptions::at_most(Some(0)), &mut events).unwrap();
        assert!(events.is_empty() && selector.entries.len() == 1);
    }

    #[test]
    fn a_notification_is_reported_once() {
        let (waker, notify) = rustix::pipe::pipe().unwrap();
        let mut selector = Selector::new(waker.as_fd()).unwrap();
        rustix::io::write(&notify, b"x").unwrap();
        let mut events = Vec::new();
        assert!(wait!(selector, WaitOptions::at_most(None), &mut events).unwrap());
        assert!(!wait!(selector, WaitOptions::at_most(Some(0)), &mut events).unwrap());
        assert_eq!(events, [Event::Wake]);
    }

    #[test]
    fn files_and_directories_cannot_be_registered() {
        let (waker, _write_end) = rustix::pipe::pipe().unwrap();
        let mut selector = Selector::new(waker.as_fd()).unwrap();
        let directory = std::fs::File::open("/").unwrap();
        let registered = selector.register(directory.as_raw_fd(), Key(1), Interest::READABLE);
        assert_eq!(registered, Err(Errno::EPERM));
    }
}
