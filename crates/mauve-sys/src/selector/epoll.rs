//! The selector on Linux: epoll.

use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::time::Duration;

use rustix::event::Timespec;
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::io::Errno as RawErrno;

use crate::fd::borrow;
use crate::selector::{Event, Interest, Key, Readiness, Select, Timeout, WaitOptions};
use crate::{Errno, Result};

/// How many events one `epoll_pwait` returns at most.
const MAX_EVENTS: usize = 1024;

/// Room for the events of one wait.
type EventBuffer = [MaybeUninit<epoll::Event>; MAX_EVENTS];

/// An epoll descriptor.
pub struct Selector {
    epoll: OwnedFd,
    buffer: Box<EventBuffer>,
    implicit: ImplicitDeregister,
    /// Whether the kernel lacks `epoll_pwait2`, or a sandbox forbids it.
    lacks_pwait2: bool,
}

/// Whether `close` alone is used to deregister a descriptor, which saves an `epoll_ctl`.
///
/// A duplicate of the descriptor, in another process for example, keeps the registration alive.
/// Such a registration cannot be removed any more.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ImplicitDeregister {
    /// Allowed; not used so far.
    Unused,
    /// Used, and no stale event was seen since.
    Used,
    /// Not used any more: a registration has outlived its descriptor, or [`rebuild`] is impossible
    /// because the program has the epoll descriptor.
    ///
    /// [`rebuild`]: Selector::rebuild
    Disabled,
}

impl Selector {
    /// Opens a selector that reports writes to the eventfd `waker` as [`Event::Wake`].
    pub fn new(waker: BorrowedFd<'_>) -> Result<Self> {
        Ok(Self {
            epoll: open(waker)?,
            buffer: Box::new([MaybeUninit::uninit(); MAX_EVENTS]),
            implicit: ImplicitDeregister::Unused,
            lacks_pwait2: false,
        })
    }

    /// Calls `wait` and appends the events. Repeats an interrupted call if `immediate` is set.
    ///
    /// `wait` is borrowed: an unoptimised build would have a landing pad to drop an owned closure, and
    /// a cancelled thread must not unwind through one.
    #[inline(always)]
    fn wait_with(
        &mut self,
        immediate: bool,
        events: &mut Vec<Event>,
        wait: &impl Fn(&OwnedFd, &mut EventBuffer) -> Result<usize>,
    ) -> Result<bool> {
        let count = loop {
            match wait(&self.epoll, &mut self.buffer) {
                Ok(count) => break count,
                // The caller may park because of this result, so it has to be complete.
                Err(Errno::EINTR) if immediate => {}
                Err(Errno::EINTR) => return Ok(false),
                Err(error) => return Err(error),
            }
        };
        let mut woken = false;
        events.extend(self.buffer[..count].iter().map(|event| {
            // SAFETY: the kernel has filled the first `count` events.
            let event = event_from(unsafe { event.assume_init() });
            woken |= event == Event::Wake;
            event
        }));
        Ok(woken)
    }

    #[inline(always)]
    fn wait_millis(&mut self, options: WaitOptions<'_>, events: &mut Vec<Event>) -> Result<bool> {
        let timeout = options.timeout.millis();
        if !options.cancellable && options.mask.is_none() {
            return self.wait_with(timeout == 0, events, &|epoll, buffer| {
                epoll_wait(epoll, buffer, timeout)
            });
        }
        let mask = options.mask.map_or(std::ptr::null(), std::ptr::from_ref);
        self.wait_with(timeout == 0, events, &|epoll, buffer| {
            epoll_pwait(epoll, buffer, timeout, mask)
        })
    }

    #[inline(never)]
    fn wait_exact(
        &mut self,
        timeout: Duration,
        options: WaitOptions<'_>,
        events: &mut Vec<Event>,
    ) -> Result<bool> {
        let mask = options.mask.map_or(std::ptr::null(), std::ptr::from_ref);
        let waited = self.wait_with(timeout.is_zero(), events, &|epoll, buffer| {
            epoll_pwait2(epoll, buffer, timeout, mask)
        });
        match waited {
            Err(Errno::ENOSYS | Errno::EPERM) => self.lacks_pwait2 = true,
            waited => return waited,
        }
        self.wait_millis(options, events)
    }
}

impl Select for Selector {
    fn fd(&self) -> Option<RawFd> {
        Some(self.epoll.as_raw_fd())
    }

    #[inline]
    fn max_events(&self) -> usize {
        MAX_EVENTS
    }

    fn probe(&self, fd: RawFd) -> Result<()> {
        let fd = borrow(&fd)?;
        match epoll::add(&self.epoll, fd, EventData::new_u64(Key::WAKER.0), EventFlags::empty()) {
            // EEXIST: a registration that a duplicate of a closed descriptor has kept alive.
            Ok(()) | Err(RawErrno::EXIST) => epoll::delete(&self.epoll, fd)?,
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    fn register(&mut self, fd: RawFd, key: Key, interest: Interest) -> Result<()> {
        let fd = borrow(&fd)?;
        let (data, flags) = (EventData::new_u64(key.0), flags(interest));
        match epoll::add(&self.epoll, fd, data, flags) {
            // The program has closed and reopened the descriptor, or a duplicate keeps an old
            // registration alive: take that registration over.
            Err(RawErrno::EXIST) => epoll::modify(&self.epoll, fd, data, flags)?,
            result => result?,
        }
        Ok(())
    }

    fn reregister(&mut self, fd: RawFd, key: Key, interest: Interest) -> Result<()> {
        let fd = borrow(&fd)?;
        let (data, flags) = (EventData::new_u64(key.0), flags(interest));
        match epoll::modify(&self.epoll, fd, data, flags) {
            // The program has closed and reopened the descriptor.
            Err(RawErrno::NOENT) => Ok(epoll::add(&self.epoll, fd, data, flags)?),
            result => Ok(result?),
        }
    }

    fn deregister(&mut self, fd: RawFd) -> Result<()> {
        let fd = borrow(&fd)?;
        Ok(epoll::delete(&self.epoll, fd)?)
    }

    fn deregister_and_close(&mut self, fd: OwnedFd, explicit: bool) -> Result<()> {
        if explicit || self.implicit == ImplicitDeregister::Disabled {
            let deregistered = self.deregister(fd.as_raw_fd());
            crate::fd::close(fd);
            return deregistered;
        }
        self.implicit = ImplicitDeregister::Used;
        crate::fd::close(fd);
        Ok(())
    }

    fn rebuild(&mut self, waker: BorrowedFd<'_>) -> Result<bool> {
        if self.implicit != ImplicitDeregister::Used {
            return Ok(false);
        }
        let fresh = open(waker)?;
        rustix::io::dup3(&fresh, &mut self.epoll, rustix::io::DupFlags::CLOEXEC)?;
        self.implicit = ImplicitDeregister::Disabled;
        Ok(true)
    }

    #[inline(always)] // Called once per iteration, from one place.
    fn wait(&mut self, options: WaitOptions<'_>, events: &mut Vec<Event>) -> Result<bool> {
        if let Timeout::Exact(timeout) = options.timeout
            && !self.lacks_pwait2
        {
            return self.wait_exact(timeout, options, events);
        }
        self.wait_millis(options, events)
    }

    fn reopen(&mut self) -> Result<()> {
        self.epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        if self.implicit == ImplicitDeregister::Used {
            self.implicit = ImplicitDeregister::Unused;
        }
        Ok(())
    }

    fn add_waker(&mut self, waker: BorrowedFd<'_>) -> Result<()> {
        add_waker(&self.epoll, waker)
    }
}

/// The system call without the function of the C library, which is a cancellation point. It is
/// inlined, because a return that follows a system call is predicted badly.
#[inline(always)]
fn epoll_wait(epoll: &OwnedFd, buffer: &mut EventBuffer, timeout: i32) -> Result<usize> {
    let timeout = u32::try_from(timeout).ok().map(|ms| Timespec {
        tv_sec: (ms / 1000).into(),
        // The type depends on the platform. Less than a second fits into any of them.
        tv_nsec: (ms % 1000 * 1_000_000) as _,
    });
    Ok(epoll::wait(epoll, &mut buffer[..], timeout.as_ref())?.0.len())
}

/// The system call, in a frame of its own. A thread that is cancelled in it unwinds through this
/// frame, which has nothing to clean up.
#[inline]
fn epoll_pwait(
    epoll: &OwnedFd,
    buffer: &mut EventBuffer,
    timeout: i32,
    mask: *const libc::sigset_t,
) -> Result<usize> {
    let (epoll, events) = (epoll.as_raw_fd(), buffer.as_mut_ptr().cast());
    // SAFETY: the buffer has room for MAX_EVENTS events, and the mask is null or a valid set.
    let count = unsafe { libc::epoll_pwait(epoll, events, MAX_EVENTS as i32, timeout, mask) };
    usize::try_from(count).map_err(|_| Errno::last())
}

/// The timeout of `epoll_pwait2`: 64-bit on every architecture.
#[repr(C)]
struct KernelTimespec {
    seconds: i64,
    nanoseconds: i64,
}

/// Size in bytes of the kernel's signal set.
const KERNEL_SIGSET_SIZE: usize = 8;

/// As [`epoll_pwait`], with a timeout in nanoseconds: Linux 5.11. Called by number, because older C
/// libraries lack it.
fn epoll_pwait2(
    epoll: &OwnedFd,
    buffer: &mut EventBuffer,
    timeout: Duration,
    mask: *const libc::sigset_t,
) -> Result<usize> {
    let timeout = KernelTimespec {
        seconds: i64::try_from(timeout.as_secs()).unwrap_or(i64::MAX),
        nanoseconds: timeout.subsec_nanos().into(),
    };
    let events: *mut libc::epoll_event = buffer.as_mut_ptr().cast();
    // SAFETY: the buffer has room for MAX_EVENTS events, the timeout outlives the call, and the mask
    // is null or a set at least as large as the kernel's.
    let count = unsafe {
        libc::syscall(
            libc::SYS_epoll_pwait2,
            epoll.as_raw_fd(),
            events,
            MAX_EVENTS,
            &raw const timeout,
            mask,
            KERNEL_SIGSET_SIZE,
        )
    };
    usize::try_from(count).map_err(|_| Errno::last())
}

/// Opens an epoll descriptor and registers the waker's eventfd with it.
fn open(waker: BorrowedFd<'_>) -> Result<OwnedFd> {
    let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
    add_waker(&epoll, waker)?;
    Ok(epoll)
}

/// Registers the waker's eventfd, edge-triggered: every write to it is one event. Its counter is never
/// read, which saves a system call per wake-up.
fn add_waker(epoll: &OwnedFd, waker: BorrowedFd<'_>) -> Result<()> {
    let data = EventData::new_u64(Key::WAKER.0);
    Ok(epoll::add(epoll, waker, data, EventFlags::IN | EventFlags::ET)?)
}

fn flags(interest: Interest) -> EventFlags {
    let mut flags = EventFlags::empty();
    flags.set(EventFlags::IN, interest.contains(Interest::READABLE));
    flags.set(EventFlags::OUT, interest.contains(Interest::WRITABLE));
    flags.set(EventFlags::RDHUP, interest.contains(Interest::DISCONNECT));
    flags.set(EventFlags::PRI, interest.contains(Interest::PRIORITIZED));
    flags
}

fn event_from(event: epoll::Event) -> Event {
    let key = Key(event.data.u64());
    if key == Key::WAKER {
        return Event::Wake;
    }
    // A copy, because the struct is packed on some architectures.
    let flags = event.flags;
    let mut readiness = Readiness::empty();
    readiness.set(Readiness::READABLE, flags.contains(EventFlags::IN));
    readiness.set(Readiness::WRITABLE, flags.contains(EventFlags::OUT));
    readiness.set(Readiness::DISCONNECT, flags.contains(EventFlags::RDHUP));
    readiness.set(Readiness::PRIORITIZED, flags.contains(EventFlags::PRI));
    readiness.set(Readiness::ERROR, flags.contains(EventFlags::ERR));
    readiness.set(Readiness::HANGUP, flags.contains(EventFlags::HUP));
    Event::Ready { key, readiness }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsFd as _;
    use std::time::Instant;

    use super::*;

    fn options(timeout: Option<u32>, cancellable: bool) -> WaitOptions<'static> {
        WaitOptions { cancellable, ..WaitOptions::at_most(timeout) }
    }

    #[test]
    fn a_wait_that_is_no_cancellation_point_returns_the_same_events() {
        let waker = crate::waker::open().unwrap().fd;
        // The waits of the second are no cancellation points.
        let mut selectors =
            [true, false].map(|cancellable| (Selector::new(waker.as_fd()).unwrap(), cancellable));
        let pairs: Vec<_> = (0..9)
            .map(|_| crate::net::socket_pair(libc::SOCK_STREAM, 0, [false, false]).unwrap())
            .collect();
        for (key, [ours, _]) in pairs.iter().enumerate() {
            let mut interest = Interest::READABLE;
            interest.set(Interest::WRITABLE, key % 2 == 1);
            interest.set(Interest::DISCONNECT, key % 3 == 1);
            for (selector, _) in &mut selectors {
                selector.register(ours.as_raw_fd(), Key(key as u64), interest).unwrap();
            }
        }
        for (key, [_, theirs]) in pairs.iter().enumerate() {
            rustix::io::write(theirs, b"mauve").unwrap();
            if key % 4 == 0 {
                rustix::net::shutdown(theirs, rustix::net::Shutdown::Both).unwrap();
            }
            let [expected, events] = selectors.each_mut().map(|(selector, cancellable)| {
                let mut events = Vec::new();
                assert_eq!(selector.wait(options(None, *cancellable), &mut events), Ok(false));
                // The order is that of the registrations in each ready list.
                events.sort_by_key(|event| match event {
                    Event::Wake => u64::MAX,
                    Event::Ready { key, .. } => key.0,
                });
                events
            });
            assert!(expected.len() > key);
            assert_eq!(events, expected);
        }
        rustix::io::write(&waker, &1u64.to_ne_bytes()).unwrap();
        for (selector, cancellable) in &mut selectors {
            assert_eq!(selector.wait(options(Some(0), *cancellable), &mut Vec::new()), Ok(true));
        }
    }

    #[test]
    fn a_wait_lasts_for_its_timeout() {
        let waker = crate::waker::open().unwrap().fd;
        for cancellable in [true, false] {
            let mut selector = Selector::new(waker.as_fd()).unwrap();
            for timeout in [0, 1, 30, 1001] {
                let mut lasts = || {
                    let begin = Instant::now();
                    assert_eq!(
                        selector.wait(options(Some(timeout), cancellable), &mut Vec::new()),
                        Ok(false)
                    );
                    begin.elapsed() >= Duration::from_millis(timeout.into())
                };
                // Signals of other tests may interrupt some of the waits.
                assert!((0..50).any(|_| lasts()), "{timeout} ms");
            }
        }
    }
}
