//! The selector on illumos and Solaris: event ports.
//!
//! The port forgets a descriptor when it has reported an event. So the selector associates the
//! descriptors again before the next wait; readiness that is left is then reported again, as with
//! level-triggered selectors.
//!
//! The waker sends an event to the same port. So the port belongs to the waker, which closes it after
//! all threads have left it.

use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, RawFd};
use std::time::Duration;

use super::poll_flags::{flags, readiness};
use super::registrations::Registrations;
use crate::fd::borrow;
use crate::selector::{Event, Interest, Key, MAX_EVENTS, Select, WaitCall, WaitOptions};
use crate::signal::mask::wait_masked;
use crate::{Errno, Result};

/// An event port.
pub struct Selector {
    /// The descriptor of the waker.
    port: RawFd,
    buffer: Box<[MaybeUninit<libc::port_event>; MAX_EVENTS]>,
    registrations: Registrations,
    /// The descriptors that have reported an event, and are to be associated again.
    reported: Vec<RawFd>,
}

impl Selector {
    /// A selector on the port of the waker.
    pub fn new(waker: BorrowedFd<'_>) -> Result<Self> {
        Ok(Self {
            port: waker.as_raw_fd(),
            buffer: Box::new([const { MaybeUninit::uninit() }; MAX_EVENTS]),
            registrations: Registrations::default(),
            reported: Vec::new(),
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
        wait_masked(mask, immediate, &mut || wait(call.fd, buffer, timeout))
    }

    fn associate(&self, fd: RawFd, interest: Interest) -> Result<()> {
        let (object, user) = (fd as libc::uintptr_t, std::ptr::null_mut());
        let (source, flags) = (libc::PORT_SOURCE_FD, flags(interest)?.into());
        // SAFETY: takes numbers, and a pointer that is not followed.
        match unsafe { libc::port_associate(self.port, source, object, flags, user) } {
            -1 => Err(Errno::last()),
            _ => Ok(()),
        }
    }
}

impl Select for Selector {
    fn fd(&self) -> Option<RawFd> {
        Some(self.port)
    }

    fn register(&mut self, fd: RawFd, key: Key, interest: Interest) -> Result<()> {
        self.probe(fd)?;
        self.associate(fd, interest)?;
        self.registrations.insert(fd, key, interest);
        Ok(())
    }

    fn reregister(&mut self, fd: RawFd, key: Key, interest: Interest) -> Result<()> {
        self.register(fd, key, interest)
    }

    fn deregister(&mut self, fd: RawFd) -> Result<()> {
        borrow(&fd)?;
        // Fails if the descriptor has reported an event, or was closed.
        // SAFETY: takes numbers.
        unsafe {
            libc::port_dissociate(self.port, libc::PORT_SOURCE_FD, fd as libc::uintptr_t);
        }
        self.registrations.remove(fd);
        Ok(())
    }

    #[inline]
    fn begin_wait(&mut self, options: WaitOptions<'_>) -> WaitCall {
        while let Some(fd) = self.reported.pop() {
            let interest = self.registrations.interest(fd);
            // A descriptor that the program has closed is forgotten.
            if !interest.is_empty() && self.associate(fd, interest).is_err() {
                self.registrations.remove(fd);
            }
        }
        WaitCall::new(self.port, &mut self.buffer[..], options)
    }

    fn end_wait(&mut self, count: usize, events: &mut Vec<Event>) -> bool {
        let (begin, mut woken) = (events.len(), false);
        for index in 0..count {
            // SAFETY: the system has filled the first `count` events.
            let event = unsafe { self.buffer[index].assume_init_ref() };
            if i32::from(event.portev_source) != libc::PORT_SOURCE_FD {
                woken = true;
                continue;
            }
            let fd = event.portev_object as RawFd;
            self.reported.push(fd);
            self.registrations.report(fd, readiness(event.portev_events as i16), begin, events);
        }
        if woken {
            events.push(Event::Wake);
        }
        woken
    }

    fn reopen(&mut self) -> Result<()> {
        self.registrations.clear();
        self.reported.clear();
        Ok(())
    }

    fn add_waker(&mut self, waker: BorrowedFd<'_>) -> Result<()> {
        self.port = waker.as_raw_fd();
        Ok(())
    }
}

/// The system call, in a frame of its own. A thread that is cancelled in it unwinds through this
/// frame, which has nothing to clean up.
#[inline]
fn wait(
    port: RawFd,
    buffer: &mut [MaybeUninit<libc::port_event>],
    timeout: Option<Duration>,
) -> Result<usize> {
    // A longer wait ends early; the engine waits again.
    let mut timeout = timeout.map(|timeout| libc::timespec {
        tv_sec: i32::try_from(timeout.as_secs()).unwrap_or(i32::MAX).into(),
        tv_nsec: timeout.subsec_nanos().into(),
    });
    let timeout = timeout.as_mut().map_or(std::ptr::null_mut(), std::ptr::from_mut);
    // The call returns as soon as there is one event.
    let mut count = 1;
    let (events, max) = (buffer.as_mut_ptr().cast(), buffer.len() as u32);
    // SAFETY: the buffer has room for `max` events, and the timeout outlives the call.
    let result = unsafe { libc::port_getn(port, events, max, &raw mut count, timeout) };
    // There may be events nevertheless, if the timeout has expired. If a signal has interrupted the
    // call, the number is not changed.
    if result == 0 || Errno::last().raw() == libc::ETIME {
        Ok(count as usize)
    } else {
        Err(Errno::last())
    }
}
