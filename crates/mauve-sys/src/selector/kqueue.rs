//! The selector on macOS and the BSDs: kqueue.
//!
//! A descriptor has up to three filters: read, write and, where the system has it, out-of-band data.
//! Each filter is an event of its own; events of one descriptor are merged.
//!
//! The waker has a user event of the same kqueue. So the kqueue belongs to the waker, which closes it
//! after all threads have left it.

use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::time::Duration;

use super::registrations::Registrations;
use crate::fd::borrow;
use crate::kqueue::{self, Action, CLOSE_DELETES_FILTERS, Filter, Kevent};
use crate::selector::{Event, Interest, Key, MAX_EVENTS, Readiness, Select, WaitCall, WaitOptions};
use crate::signal::mask::wait_masked;
use crate::{Errno, Result};

/// The filters of a descriptor.
const FILTERS: [Filter; 3] = [Filter::Read, Filter::Write, Filter::OutOfBand];

/// A kqueue.
pub struct Selector {
    /// The descriptor of the waker.
    kqueue: RawFd,
    buffer: Box<[MaybeUninit<Kevent>; MAX_EVENTS]>,
    registrations: Registrations,
}

impl Selector {
    /// A selector on the kqueue of the waker.
    pub fn new(waker: BorrowedFd<'_>) -> Result<Self> {
        Ok(Self {
            kqueue: waker.as_raw_fd(),
            buffer: Box::new([const { MaybeUninit::uninit() }; MAX_EVENTS]),
            registrations: Registrations::default(),
        })
    }

    /// Performs a wait.
    ///
    /// # Safety
    /// The selector that has prepared it exists, and has begun no other wait since.
    pub unsafe fn run(call: &WaitCall) -> Result<usize> {
        let timeout = call.timeout.duration();
        let immediate = timeout == Some(Duration::ZERO);
        // SAFETY: the selector exists, and nothing else uses its buffer.
        let (buffer, mask) = unsafe {
            (std::slice::from_raw_parts_mut(call.buffer.cast(), call.length), call.mask.as_ref())
        };
        wait_masked(mask, immediate, &mut || kqueue::wait(call.fd, buffer, timeout))
    }

    /// Adds the filters of `new`, and deletes the other ones of `old`.
    fn change(&self, fd: RawFd, old: Interest, new: Interest) -> Result<()> {
        borrow(&fd)?;
        if FILTERS.iter().any(|filter| filter.trigger(new).is_some() && !filter.exists()) {
            return Err(Errno::ENOSYS);
        }
        for filter in FILTERS {
            match (filter.trigger(old), filter.trigger(new)) {
                (None, None) | (Some(Action::Add), Some(Action::Add)) => {}
                (None, Some(add)) => self.add(fd, filter, add)?,
                (Some(_), None) => self.delete(fd, filter)?,
                // Some systems do not change the trigger of a filter, nor report its event again.
                (Some(_), Some(add)) => {
                    self.delete(fd, filter)?;
                    self.add(fd, filter, add)?;
                }
            }
        }
        Ok(())
    }

    fn add(&self, fd: RawFd, filter: Filter, action: Action) -> Result<()> {
        match kqueue::apply(self.kqueue, &kqueue::change(fd as usize, filter, action, 0)?) {
            // The read end of a pipe is closed. The filter is added, and reports that.
            Err(Errno::EPIPE) => Ok(()),
            result => result,
        }
    }

    fn delete(&self, fd: RawFd, filter: Filter) -> Result<()> {
        match kqueue::apply(self.kqueue, &kqueue::change(fd as usize, filter, Action::Delete, 0)?) {
            // Closing the descriptor has deleted the filter.
            Err(Errno::ENOENT | Errno::EBADF) => Ok(()),
            result => result,
        }
    }

    /// Reports an event of a descriptor.
    fn collect(
        &mut self,
        event: &kqueue::Returned,
        filter: Filter,
        begin: usize,
        events: &mut Vec<Event>,
    ) {
        let fd = event.ident as RawFd;
        let interest = self.registrations.interest(fd);
        if filter.trigger(interest).is_some() {
            self.registrations.report(fd, readiness(event, filter, interest), begin, events);
        } else {
            // The program has closed and reopened the descriptor, while a duplicate kept the filter.
            let _ = self.delete(fd, filter);
        }
    }
}

/// The part of an event that `interest` contains, and what is always reported.
fn readiness(event: &kqueue::Returned, filter: Filter, interest: Interest) -> Readiness {
    let mut readiness = Readiness::empty();
    readiness.set(Readiness::READABLE, filter == Filter::Read);
    readiness.set(Readiness::WRITABLE, filter == Filter::Write);
    readiness.set(Readiness::PRIORITIZED, filter == Filter::OutOfBand);
    if event.is_eof {
        readiness.set(Readiness::DISCONNECT, filter == Filter::Read);
        readiness.set(Readiness::HANGUP, filter == Filter::Write);
        // The pending error of a socket.
        readiness.set(Readiness::ERROR, event.fflags != 0);
    }
    readiness.wanted(interest) | (readiness & (Readiness::ERROR | Readiness::HANGUP))
}

impl Filter {
    /// How the filter is added for a descriptor with `interest`; `None` if it is not.
    fn trigger(self, interest: Interest) -> Option<Action> {
        let has = |wanted: Interest| interest.intersects(wanted);
        match self {
            Self::Read if has(Interest::READABLE) => Some(Action::Add),
            // Reported once: unread data must not end every wait.
            Self::Read if has(Interest::DISCONNECT) => Some(Action::AddEdge),
            Self::Write if has(Interest::WRITABLE) => Some(Action::Add),
            Self::OutOfBand if has(Interest::PRIORITIZED) => Some(Action::Add),
            _ => None,
        }
    }
}

impl Select for Selector {
    fn fd(&self) -> Option<RawFd> {
        Some(self.kqueue)
    }

    fn register(&mut self, fd: RawFd, key: Key, interest: Interest) -> Result<()> {
        // The program may have closed and reopened the descriptor, which has deleted its filters.
        self.change(fd, Interest::empty(), interest)?;
        self.registrations.insert(fd, key, interest);
        Ok(())
    }

    fn reregister(&mut self, fd: RawFd, key: Key, interest: Interest) -> Result<()> {
        self.change(fd, self.registrations.interest(fd), interest)?;
        self.registrations.insert(fd, key, interest);
        Ok(())
    }

    fn deregister(&mut self, fd: RawFd) -> Result<()> {
        self.change(fd, self.registrations.interest(fd), Interest::empty())?;
        self.registrations.remove(fd);
        Ok(())
    }

    fn deregister_and_close(&mut self, fd: OwnedFd, _: bool) -> Result<()> {
        let deregistered = if CLOSE_DELETES_FILTERS {
            self.registrations.remove(fd.as_raw_fd());
            Ok(())
        } else {
            self.deregister(fd.as_raw_fd())
        };
        crate::fd::close(fd);
        deregistered
    }

    #[inline]
    fn begin_wait(&mut self, options: WaitOptions<'_>) -> WaitCall {
        WaitCall::new(self.kqueue, &mut self.buffer[..], options)
    }

    fn end_wait(&mut self, count: usize, events: &mut Vec<Event>) -> bool {
        let (begin, mut woken) = (events.len(), false);
        for index in 0..count {
            // SAFETY: the kernel has filled the first `count` events.
            let event = kqueue::read(unsafe { self.buffer[index].assume_init_ref() });
            match event.filter {
                Some(Filter::User) => woken = true,
                Some(filter) => self.collect(&event, filter, begin, events),
                None => {}
            }
        }
        if woken {
            events.push(Event::Wake);
        }
        woken
    }

    /// A forked child does not inherit a kqueue.
    fn reopen(&mut self) -> Result<()> {
        self.registrations.clear();
        Ok(())
    }

    fn add_waker(&mut self, waker: BorrowedFd<'_>) -> Result<()> {
        self.kqueue = waker.as_raw_fd();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsFd;

    use super::*;
    use crate::selector::wait;
    use crate::waker;

    fn ready(key: u64, readiness: Readiness) -> Event {
        Event::Ready { key: Key(key), readiness }
    }

    #[test]
    fn a_removed_descriptor_leaves_the_others_registered() {
        let waker = waker::open().unwrap().fd;
        let pipes: Vec<_> = (0..2).map(|_| rustix::pipe::pipe().unwrap()).collect();
        let mut selector = Selector::new(waker.as_fd()).unwrap();
        for (key, (reader, writer)) in pipes.iter().enumerate() {
            selector.register(reader.as_raw_fd(), Key(key as u64), Interest::READABLE).unwrap();
            rustix::io::write(writer, b"x").unwrap();
        }
        selector.deregister(pipes[0].0.as_raw_fd()).unwrap();
        let mut events = Vec::new();
        assert!(!wait!(selector, WaitOptions::at_most(Some(0)), &mut events).unwrap());
        assert_eq!(events, [ready(1, Readiness::READABLE)]);
        selector.deregister(pipes[1].0.as_raw_fd()).unwrap();
    }

    #[test]
    fn a_descriptor_that_is_ready_for_both_has_one_event() {
        let waker = waker::open().unwrap().fd;
        let [ours, theirs] = crate::net::socket_pair(libc::SOCK_STREAM, 0, [true, true]).unwrap();
        let mut selector = Selector::new(waker.as_fd()).unwrap();
        rustix::io::write(&theirs, b"x").unwrap();
        let both = Interest::READABLE | Interest::WRITABLE;
        selector.register(ours.as_raw_fd(), Key(7), both).unwrap();
        let mut events = Vec::new();
        wait!(selector, WaitOptions::at_most(Some(0)), &mut events).unwrap();
        assert_eq!(events, [ready(7, Readiness::READABLE | Readiness::WRITABLE)]);
        selector.reregister(ours.as_raw_fd(), Key(8), Interest::READABLE).unwrap();
        events.clear();
        wait!(selector, WaitOptions::at_most(Some(0)), &mut events).unwrap();
        assert_eq!(events, [ready(8, Readiness::READABLE)]);
    }

    #[test]
    fn a_notification_is_reported_once() {
        let waker = waker::open().unwrap().fd;
        let mut selector = Selector::new(waker.as_fd()).unwrap();
        waker::notify(waker.as_fd());
        waker::notify(waker.as_fd());
        let mut events = Vec::new();
        assert!(wait!(selector, WaitOptions::at_most(None), &mut events).unwrap());
        assert!(!wait!(selector, WaitOptions::at_most(Some(0)), &mut events).unwrap());
        assert_eq!(events, [Event::Wake]);
    }
}
