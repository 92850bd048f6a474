//! The selector on Linux: epoll.

use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd as _, OwnedFd, RawFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use libc::{EPOLL_CTL_ADD, EPOLL_CTL_DEL, EPOLL_CTL_MOD, c_int};
use rustix::event::Timespec;
use rustix::event::epoll::{self, EventFlags};

use crate::selector::{
    Event, Interest, Key, MAX_EVENTS, Readiness, Select, Timeout, WaitCall, WaitOptions,
};
use crate::{Errno, Result, net};

/// Room for the events of one wait.
type EventBuffer = [MaybeUninit<epoll::Event>; MAX_EVENTS];

/// An epoll descriptor.
pub struct Selector {
    epoll: OwnedFd,
    buffer: Box<EventBuffer>,
    implicit: ImplicitDeregister,
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
        })
    }

    /// Performs a wait.
    ///
    /// # Safety
    /// The selector that has prepared it exists, and has begun no other wait since.
    #[inline(always)]
    pub unsafe fn run(call: &WaitCall) -> Result<usize> {
        if let Timeout::Exact(timeout) = call.timeout
            && !LACKS_PWAIT2.load(Ordering::Relaxed)
        {
            // SAFETY: the caller guarantees it.
            return unsafe { Self::run_exact(call, timeout) };
        }
        // SAFETY: the caller guarantees it.
        unsafe { Self::run_millis(call) }
    }

    /// # Safety
    /// As [`run`](Self::run).
    #[inline(always)]
    unsafe fn run_millis(call: &WaitCall) -> Result<usize> {
        let timeout = call.timeout.millis();
        if !call.cancellable && call.mask.is_null() {
            // SAFETY: the selector exists, and nothing else uses its buffer.
            let (epoll, buffer) = unsafe {
                (BorrowedFd::borrow_raw(call.fd), &mut *call.buffer.cast::<EventBuffer>())
            };
            return repeat(timeout == 0, &mut || epoll_wait(epoll, buffer, timeout));
        }
        // SAFETY: the caller guarantees it.
        repeat(timeout == 0, &mut || unsafe { epoll_pwait(call, timeout) })
    }

    /// # Safety
    /// As [`run`](Self::run).
    #[inline(never)]
    unsafe fn run_exact(call: &WaitCall, timeout: Duration) -> Result<usize> {
        // SAFETY: the caller guarantees it.
        let wait = &mut || unsafe { epoll_pwait2(call, timeout) };
        match repeat(timeout.is_zero(), wait) {
            Err(Errno::ENOSYS | Errno::EPERM) => LACKS_PWAIT2.store(true, Ordering::Relaxed),
            count => return count,
        }
        // SAFETY: the caller guarantees it.
        unsafe { Self::run_millis(call) }
    }
}

/// Whether the kernel lacks `epoll_pwait2`, or a sandbox forbids it.
static LACKS_PWAIT2: AtomicBool = AtomicBool::new(false);

/// Repeats an interrupted wait if it is `immediate`: the caller may park because of the result, so that
/// it has to be complete.
///
/// `wait` is borrowed: an unoptimised build would have a landing pad to drop an owned closure, and
/// a cancelled thread must not unwind through one.
#[inline(always)]
fn repeat(immediate: bool, wait: &mut impl FnMut() -> Result<usize>) -> Result<usize> {
    loop {
        match wait() {
            Err(Errno::EINTR) if immediate => {}
            Err(Errno::EINTR) => return Ok(0),
            count => return count,
        }
    }
}

impl Select for Selector {
    fn fd(&self) -> Option<RawFd> {
        Some(self.epoll.as_raw_fd())
    }

    #[inline]
    fn probe(&self, fd: RawFd) -> Result<()> {
        let flags = EventFlags::empty();
        match control(&self.epoll, EPOLL_CTL_ADD, fd, Key::WAKER, flags) {
            // EEXIST: a registration that a duplicate of a closed descriptor has kept alive.
            Ok(()) | Err(Errno::EEXIST) => {
                control(&self.epoll, EPOLL_CTL_DEL, fd, Key::WAKER, flags)
            }
            error => error,
        }
    }

    fn register(&mut self, fd: RawFd, key: Key, interest: Interest) -> Result<()> {
        match control(&self.epoll, EPOLL_CTL_ADD, fd, key, flags(interest)) {
            // The program has closed and reopened the descriptor, or a duplicate keeps an old
            // registration alive: take that registration over.
            Err(Errno::EEXIST) => control(&self.epoll, EPOLL_CTL_MOD, fd, key, flags(interest)),
            result => result,
        }
    }

    fn reregister(&mut self, fd: RawFd, key: Key, interest: Interest) -> Result<()> {
        match control(&self.epoll, EPOLL_CTL_MOD, fd, key, flags(interest)) {
            // The program has closed and reopened the descriptor.
            Err(Errno::ENOENT) => control(&self.epoll, EPOLL_CTL_ADD, fd, key, flags(interest)),
            result => result,
        }
    }

    fn deregister(&mut self, fd: RawFd) -> Result<()> {
        control(&self.epoll, EPOLL_CTL_DEL, fd, Key::WAKER, EventFlags::empty())
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
        net::duplicate_onto(&fresh, &mut self.epoll)?;
        self.implicit = ImplicitDeregister::Disabled;
        Ok(true)
    }

    #[inline(always)] // Called once per iteration, by one caller.
    fn begin_wait(&mut self, options: WaitOptions<'_>) -> WaitCall {
        WaitCall::new(self.epoll.as_raw_fd(), &mut self.buffer[..], options)
    }

    #[inline(always)] // As `begin_wait`.
    fn end_wait(&mut self, count: usize, events: &mut Vec<Event>) -> bool {
        let mut woken = false;
        events.extend(self.buffer[..count].iter().map(|event| {
            // SAFETY: the kernel has filled the first `count` events.
            let event = event_from(unsafe { event.assume_init() });
            woken |= event == Event::Wake;
            event
        }));
        woken
    }

    fn reopen(&mut self) -> Result<()> {
        self.epoll = create()?;
        if self.implicit == ImplicitDeregister::Used {
            self.implicit = ImplicitDeregister::Unused;
        }
        Ok(())
    }

    fn add_waker(&mut self, waker: BorrowedFd<'_>) -> Result<()> {
        add_waker(&self.epoll, waker)
    }
}

/// The system call without the function of the C library, which is a cancellation point. The C ABI never
/// calls it: under a network stack that replaces the functions, the descriptor may be unknown to the kernel. It
/// is inlined, because a return that follows a system call is predicted badly.
#[inline(always)]
fn epoll_wait(epoll: BorrowedFd<'_>, buffer: &mut EventBuffer, timeout: i32) -> Result<usize> {
    let timeout = u32::try_from(timeout).ok().map(|ms| Timespec {
        tv_sec: (ms / 1000).into(),
        // The type depends on the platform. Less than a second fits into any of them.
        tv_nsec: (ms % 1000 * 1_000_000) as _,
    });
    Ok(epoll::wait(epoll, &mut buffer[..], timeout.as_ref())?.0.len())
}

/// The system call, in a frame of its own. A thread that is cancelled in it unwinds through this
/// frame, which has nothing to clean up.
///
/// # Safety
/// As [`Selector::run`].
#[inline]
unsafe fn epoll_pwait(call: &WaitCall, timeout: i32) -> Result<usize> {
    let events = call.buffer.cast();
    // SAFETY: the buffer has room for MAX_EVENTS events, and the mask is null or a valid set.
    let count =
        unsafe { libc::epoll_pwait(call.fd, events, MAX_EVENTS as i32, timeout, call.mask) };
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
/// libraries lack it. The C ABI calls it under `mauve sim` only: its timeouts are in milliseconds.
///
/// # Safety
/// As [`Selector::run`].
unsafe fn epoll_pwait2(call: &WaitCall, timeout: Duration) -> Result<usize> {
    let timeout = KernelTimespec {
        seconds: i64::try_from(timeout.as_secs()).unwrap_or(i64::MAX),
        nanoseconds: timeout.subsec_nanos().into(),
    };
    let events: *mut libc::epoll_event = call.buffer.cast();
    // SAFETY: the buffer has room for MAX_EVENTS events, the timeout outlives the call, and the mask
    // is null or a set at least as large as the kernel's.
    let count = unsafe {
        libc::syscall(
            libc::SYS_epoll_pwait2,
            call.fd,
            events,
            MAX_EVENTS,
            &raw const timeout,
            call.mask,
            KERNEL_SIGSET_SIZE,
        )
    };
    usize::try_from(count).map_err(|_| Errno::last())
}

/// Opens an epoll descriptor and registers the waker's eventfd with it.
fn open(waker: BorrowedFd<'_>) -> Result<OwnedFd> {
    let epoll = create()?;
    add_waker(&epoll, waker)?;
    Ok(epoll)
}

/// Creates an epoll descriptor with the function of the C library, which network stacks in user space
/// replace. [`control`] likewise.
fn create() -> Result<OwnedFd> {
    // SAFETY: the function accesses no memory of this program.
    let fd = unsafe { libc::epoll_create1(libc::EPOLL_CLOEXEC) };
    if fd < 0 {
        return Err(Errno::last());
    }
    // SAFETY: a new descriptor that nothing else owns.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

fn control(
    epoll: &OwnedFd,
    operation: c_int,
    fd: RawFd,
    key: Key,
    flags: EventFlags,
) -> Result<()> {
    let mut event = libc::epoll_event { events: flags.bits(), u64: key.0 };
    // SAFETY: the event outlives the call.
    let status = unsafe { libc::epoll_ctl(epoll.as_raw_fd(), operation, fd, &raw mut event) };
    if status == 0 { Ok(()) } else { Err(Errno::last()) }
}

/// Registers the waker's eventfd, edge-triggered: every write to it is one event. Its counter is never
/// read, which saves a system call per wake-up.
fn add_waker(epoll: &OwnedFd, waker: BorrowedFd<'_>) -> Result<()> {
    let flags = EventFlags::IN | EventFlags::ET;
    control(epoll, EPOLL_CTL_ADD, waker.as_raw_fd(), Key::WAKER, flags)
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
    Event::Ready { key, readiness: BY_FLAGS[packed(flags)] }
}

/// The flags and what they mean.
const MEANINGS: [(EventFlags, Readiness); 6] = [
    (EventFlags::IN, Readiness::READABLE),
    (EventFlags::OUT, Readiness::WRITABLE),
    (EventFlags::RDHUP, Readiness::DISCONNECT),
    (EventFlags::PRI, Readiness::PRIORITIZED),
    (EventFlags::ERR, Readiness::ERROR),
    (EventFlags::HUP, Readiness::HANGUP),
];

/// The flags of [`MEANINGS`] in the low bits. `RDHUP` is the only one above them.
const fn packed(flags: EventFlags) -> usize {
    (flags.bits() & 0x1f | flags.bits() >> 8 & 0x20) as usize
}

/// The readiness by [packed](packed) flags, so that six flags are translated at once.
const BY_FLAGS: [Readiness; 64] = {
    let mut table = [Readiness::empty(); 64];
    let mut at = 0;
    while at < table.len() * MEANINGS.len() {
        let (index, (flag, readiness)) = (at / MEANINGS.len(), MEANINGS[at % MEANINGS.len()]);
        assert!(packed(flag).is_power_of_two());
        if index & packed(flag) != 0 {
            table[index] = table[index].union(readiness);
        }
        at += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use std::os::fd::AsFd as _;
    use std::time::Instant;

    use super::*;
    use crate::selector::wait;

    #[test]
    fn each_combination_of_flags_has_its_readiness() {
        for combination in 0..1_u32 << MEANINGS.len() {
            let chosen = MEANINGS.iter().enumerate().filter(|(at, _)| combination >> at & 1 != 0);
            let (mut flags, mut expected) = (EventFlags::ET, Readiness::empty());
            for (_, (flag, readiness)) in chosen {
                flags |= *flag;
                expected |= *readiness;
            }
            assert_eq!(BY_FLAGS[packed(flags)], expected, "{flags:?}");
        }
    }

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
                assert_eq!(wait!(selector, options(None, *cancellable), &mut events), Ok(false));
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
            assert_eq!(wait!(selector, options(Some(0), *cancellable), &mut Vec::new()), Ok(true));
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
                        wait!(selector, options(Some(timeout), cancellable), &mut Vec::new()),
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
