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

use super::kevent::{self, Action, Filter, Kevent};
use crate::fd::borrow;
use crate::selector::{Event, Interest, Key, Readiness, Select, probe_type};
use crate::signal::mask;
use crate::{Errno, Result};

/// How many events one `kevent` returns at most.
const MAX_EVENTS: usize = 1024;

/// The filters of a descriptor.
const FILTERS: [Filter; 3] = [Filter::Read, Filter::Write, Filter::OutOfBand];

/// A kqueue.
pub struct Selector {
    /// The descriptor of the waker.
    kqueue: RawFd,
    buffer: Box<[MaybeUninit<Kevent>; MAX_EVENTS]>,
    /// The registration of each descriptor, by its number.
    registrations: Vec<Registration>,
    /// The number of registered descriptors.
    registered: usize,
    /// The signals to block during a wait, if any.
    mask: Option<libc::sigset_t>,
}

#[derive(Clone, Copy)]
struct Registration {
    key: Key,
    /// Empty if the descriptor is not registered.
    interest: Interest,
    /// Where the last wait has stored an event, if it is still there.
    position: usize,
}

impl Registration {
    const NONE: Self = Self { key: Key::WAKER, interest: Interest::empty(), position: 0 };
}

impl Selector {
    /// A selector on the kqueue of the waker.
    pub fn new(waker: BorrowedFd<'_>) -> Result<Self> {
        Ok(Self {
            kqueue: waker.as_raw_fd(),
            buffer: Box::new([const { MaybeUninit::uninit() }; MAX_EVENTS]),
            registrations: Vec::new(),
            registered: 0,
            mask: None,
        })
    }

    fn registration(&self, fd: RawFd) -> Registration {
        let found = usize::try_from(fd).ok().and_then(|index| self.registrations.get(index));
        found.copied().unwrap_or(Registration::NONE)
    }

    fn set_registration(&mut self, fd: RawFd, key: Key, interest: Interest) {
        let index = fd as usize;
        if index >= self.registrations.len() {
            self.registrations.resize(index + 1, Registration::NONE);
        }
        let entry = &mut self.registrations[index];
        self.registered += usize::from(!interest.is_empty());
        self.registered -= usize::from(!entry.interest.is_empty());
        (entry.key, entry.interest) = (key, interest);
    }

    /// Adds the filters of `new`, and deletes the other ones of `old`.
    fn change(&mut self, fd: RawFd, key: Key, old: Interest, new: Interest) -> Result<()> {
        borrow(&fd)?;
        for filter in FILTERS {
            let action = match (filter.is_in(old), filter.is_in(new)) {
                (true, true) if is_edge(old) == is_edge(new) && !is_edge(new) => continue,
                (_, true) if is_edge(new) => Action::AddEdge,
                (_, true) => Action::Add,
                (true, false) => Action::Delete,
                (false, false) => continue,
            };
            if filter.is_in(old) && action != Action::Delete {
                // Some systems do not change the trigger of a filter, nor report its event again.
                self.delete(fd, filter)?;
            }
            match action {
                Action::Delete => self.delete(fd, filter)?,
                _ => self.add(fd, filter, action)?,
            }
        }
        self.set_registration(fd, key, new);
        Ok(())
    }

    fn add(&self, fd: RawFd, filter: Filter, action: Action) -> Result<()> {
        match kevent::apply(self.kqueue, &kevent::change(fd as usize, filter, action, 0)?) {
            // The read end of a pipe is closed. The filter is added, and reports that.
            Err(Errno::EPIPE) => Ok(()),
            result => result,
        }
    }

    fn delete(&self, fd: RawFd, filter: Filter) -> Result<()> {
        match kevent::apply(self.kqueue, &kevent::change(fd as usize, filter, Action::Delete, 0)?) {
            // Closing the descriptor has deleted the filter.
            Err(Errno::ENOENT | Errno::EBADF) => Ok(()),
            result => result,
        }
    }

    #[inline]
    fn wait_with(&mut self, timeout: Option<Duration>, events: &mut Vec<Event>) -> Result<bool> {
        let immediate = timeout == Some(Duration::ZERO);
        let count = loop {
            let count = wait_masked(self.kqueue, &mut self.buffer[..], timeout, self.mask.as_ref());
            if count >= 0 {
                break count;
            }
            match Errno::last() {
                // The caller may park because of this result, so it has to be complete.
                Errno::EINTR if immediate => {}
                Errno::EINTR => return Ok(false),
                error => return Err(error),
            }
        };
        let (begin, mut woken) = (events.len(), false);
        for index in 0..count as usize {
            // SAFETY: the kernel has filled the first `count` events.
            let event = kevent::read(unsafe { self.buffer[index].assume_init_ref() });
            match event.filter {
                Some(Filter::User) => woken = true,
                Some(filter) => self.collect(&event, filter, begin, events),
                None => {}
            }
        }
        if woken {
            events.push(Event::Wake);
        }
        Ok(woken)
    }

    /// Appends an event of a descriptor, or merges it with one of this wait, which are those from
    /// `begin` on.
    fn collect(
        &mut self,
        event: &kevent::Returned,
        filter: Filter,
        begin: usize,
        events: &mut Vec<Event>,
    ) {
        let fd = event.ident as RawFd;
        let Registration { key, interest, position } = self.registration(fd);
        if !filter.is_in(interest) {
            // The program has closed and reopened the descriptor, while a duplicate kept the filter.
            let _ = self.delete(fd, filter);
            return;
        }
        let readiness = readiness(event, filter, interest);
        if readiness.is_empty() {
            return;
        }
        if let Some(Event::Ready { key: same, readiness: so_far }) = events.get_mut(position)
            && position >= begin
            && *same == key
        {
            *so_far |= readiness;
            return;
        }
        self.registrations[event.ident].position = events.len();
        events.push(Event::Ready { key, readiness });
    }
}

/// The part of an event that `interest` contains, and what is always reported.
fn readiness(event: &kevent::Returned, filter: Filter, interest: Interest) -> Readiness {
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
    let mut reported = interest;
    reported.set(Interest::DISCONNECT, interest.intersects(Interest::DISCONNECT | Interest::EDGE));
    readiness.wanted(reported) | (readiness & (Readiness::ERROR | Readiness::HANGUP))
}

/// Whether events are reported once. A disconnect alone is: unread data must not end every wait.
fn is_edge(interest: Interest) -> bool {
    interest.contains(Interest::EDGE)
        || interest.contains(Interest::DISCONNECT) && !interest.contains(Interest::READABLE)
}

impl Filter {
    /// Whether a descriptor with `interest` has this filter.
    fn is_in(self, interest: Interest) -> bool {
        match self {
            Self::Read => interest.intersects(Interest::READABLE | Interest::DISCONNECT),
            Self::Write => interest.contains(Interest::WRITABLE),
            Self::OutOfBand => interest.contains(Interest::PRIORITIZED),
            Self::User | Self::Process | Self::Vnode => false,
        }
    }
}

impl Select for Selector {
    fn fd(&self) -> Option<RawFd> {
        Some(self.kqueue)
    }

    fn max_events(&self) -> usize {
        MAX_EVENTS
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.registered == 0
    }

    fn probe(&self, fd: RawFd) -> Result<()> {
        probe_type(fd)
    }

    fn register(&mut self, fd: RawFd, key: Key, interest: Interest) -> Result<()> {
        // The program may have closed and reopened the descriptor, which has deleted its filters.
        self.change(fd, key, Interest::empty(), interest)
    }

    fn reregister(&mut self, fd: RawFd, key: Key, interest: Interest) -> Result<()> {
        let old = self.registration(fd).interest;
        self.change(fd, key, old, interest)
    }

    fn deregister(&mut self, fd: RawFd, _registered: bool) -> Result<()> {
        let old = self.registration(fd).interest;
        self.change(fd, Key::WAKER, old, Interest::empty())
    }

    /// Closing a descriptor deletes its filters, even if it has duplicates.
    fn deregister_and_close(&mut self, fd: OwnedFd, registered: bool, _: bool) -> Result<()> {
        if registered {
            self.set_registration(fd.as_raw_fd(), Key::WAKER, Interest::empty());
        }
        crate::fd::close(fd);
        Ok(())
    }

    #[inline]
    fn wait(&mut self, timeout: Option<u32>, events: &mut Vec<Event>) -> Result<bool> {
        self.wait_with(timeout.map(|ms| Duration::from_millis(ms.into())), events)
    }

    fn wait_for(&mut self, timeout: Duration, events: &mut Vec<Event>) -> Result<bool> {
        self.wait_with(Some(timeout), events)
    }

    fn block_profiling_signal(&mut self, block: bool) {
        self.mask = block.then(mask::profiling);
    }

    #[inline]
    fn has_mask(&self) -> bool {
        self.mask.is_some()
    }

    /// A forked child does not inherit a kqueue.
    fn reopen(&mut self) -> Result<()> {
        self.registrations.clear();
        self.registered = 0;
        Ok(())
    }

    fn add_waker(&mut self, waker: BorrowedFd<'_>) -> Result<()> {
        self.kqueue = waker.as_raw_fd();
        Ok(())
    }
}

/// Calls `kevent`, with the signals of `mask` blocked. Borrows everything: a thread that is cancelled
/// in it unwinds through this frame, which has nothing to clean up.
#[inline]
fn wait_masked(
    kqueue: RawFd,
    buffer: &mut [MaybeUninit<Kevent>],
    timeout: Option<Duration>,
    mask: Option<&libc::sigset_t>,
) -> i32 {
    let Some(mask) = mask else { return kevent::wait(kqueue, buffer, timeout) };
    let mut before = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: both sets are valid for the call, which initialises `before`.
    unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, mask, before.as_mut_ptr()) };
    let count = kevent::wait(kqueue, buffer, timeout);
    // SAFETY: the first call has initialised the set.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), std::ptr::null_mut()) };
    count
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsFd;

    use super::*;
    use crate::platform::waker;

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
        selector.deregister(pipes[0].0.as_raw_fd(), true).unwrap();
        let mut events = Vec::new();
        assert!(!selector.wait(Some(0), &mut events).unwrap());
        assert_eq!(events, [ready(1, Readiness::READABLE)]);
        assert!(!selector.is_empty());
        selector.deregister(pipes[1].0.as_raw_fd(), true).unwrap();
        assert!(selector.is_empty());
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
        selector.wait(Some(0), &mut events).unwrap();
        assert_eq!(events, [ready(7, Readiness::READABLE | Readiness::WRITABLE)]);
        selector.reregister(ours.as_raw_fd(), Key(8), Interest::READABLE).unwrap();
        events.clear();
        selector.wait(Some(0), &mut events).unwrap();
        assert_eq!(events, [ready(8, Readiness::READABLE)]);
    }

    #[test]
    fn unread_data_of_an_edge_triggered_descriptor_is_reported_again_when_registered_again() {
        let waker = waker::open().unwrap().fd;
        let (reader, writer) = rustix::pipe::pipe().unwrap();
        let mut selector = Selector::new(waker.as_fd()).unwrap();
        let edge = Interest::READABLE | Interest::EDGE;
        selector.register(reader.as_raw_fd(), Key(1), edge).unwrap();
        rustix::io::write(&writer, b"x").unwrap();
        let mut events = Vec::new();
        selector.wait(Some(0), &mut events).unwrap();
        selector.wait(Some(0), &mut events).unwrap();
        assert_eq!(events.len(), 1);
        selector.reregister(reader.as_raw_fd(), Key(1), edge).unwrap();
        selector.wait(Some(0), &mut events).unwrap();
        assert_eq!(events.len(), 2);
    }

    #[test]
    fn a_notification_is_reported_once() {
        let waker = waker::open().unwrap().fd;
        let mut selector = Selector::new(waker.as_fd()).unwrap();
        waker::notify(waker.as_fd());
        waker::notify(waker.as_fd());
        let mut events = Vec::new();
        assert!(selector.wait(None, &mut events).unwrap());
        assert!(!selector.wait(Some(0), &mut events).unwrap());
        assert_eq!(events, [Event::Wake]);
    }
}
