//! The selector on Windows: polls of sockets by the [AFD device](afd), on a completion port.
//!
//! A poll ends with its first event. So the selector submits it again before the next wait; readiness that is
//! left is then reported again, as with level-triggered selectors.
//!
//! Other objects are waited for by [threads of the system](object), which post to the port.
//!
//! The waker posts to the same port. So the port belongs to the waker. The selector has a handle of its own for
//! it, because polls that are pending when it is dropped complete there.
//!
//! # Ownership
//!
//! A [`Registration`] is on the heap, because the device writes to it while its poll is pending. It is freed
//! when it is removed and its poll is not pending, whichever comes last: `remove` frees it, or the completion.

mod afd;
mod object;

use std::collections::HashMap;
use std::mem::MaybeUninit;
use std::os::windows::io::{AsRawHandle as _, FromRawHandle as _, OwnedHandle};
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use windows_sys::Win32::Foundation::{
    DUPLICATE_SAME_ACCESS, DuplicateHandle, GetLastError, HANDLE, WAIT_TIMEOUT,
};
use windows_sys::Win32::System::IO::{GetQueuedCompletionStatusEx, OVERLAPPED_ENTRY};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, INFINITE};

use afd::{Afd, Poll};
use object::{ObjectWait, Objects};

use crate::descriptor::{AsDescriptor as _, BorrowedDescriptor, Descriptor, RawDescriptor, handle};
use crate::driver::ceil_millis;
use crate::selector::{Event, Interest, Key, MAX_EVENTS, Select, WaitCall, WaitOptions};
use crate::waker::WAKER_KEY;
use crate::{Errno, Result, fd, net};

/// The completion key of polls.
const POLL_KEY: usize = WAKER_KEY + 1;

/// The completion key of waits for other objects.
const OBJECT_KEY: usize = WAKER_KEY + 2;

/// Room for the completions of a wait.
type Entries = [MaybeUninit<OVERLAPPED_ENTRY>; MAX_EVENTS];

/// A completion port with a handle of the AFD device.
pub struct Selector {
    port: OwnedHandle,
    afd: Afd,
    entries: Box<Entries>,
    registrations: HashMap<RawDescriptor, NonNull<Registration>>,
    /// What is registered besides sockets.
    objects: Objects,
    /// The descriptors whose poll has ended, and is to be submitted again.
    idle: Vec<RawDescriptor>,
    /// How many polls are pending, also of removed registrations.
    pending: usize,
}

// SAFETY: the selector owns its registrations, which belong to no thread.
unsafe impl Send for Selector {}

/// A registered socket.
struct Registration {
    poll: Poll,
    socket: RawDescriptor,
    key: Key,
    interest: Interest,
    is_pending: bool,
    /// Set when the socket is deregistered. A wait on another thread reads it.
    removed: AtomicBool,
}

impl Selector {
    /// A selector on the port of the waker.
    pub fn new(waker: BorrowedDescriptor<'_>) -> Result<Self> {
        let (port, afd) = open(waker)?;
        Ok(Self {
            port,
            afd,
            entries: Box::new([const { MaybeUninit::uninit() }; MAX_EVENTS]),
            registrations: HashMap::new(),
            objects: Objects::default(),
            idle: Vec::new(),
            pending: 0,
        })
    }

    /// Performs a wait. It continues if it has only taken completions of removed registrations.
    ///
    /// # Safety
    /// The selector that has prepared it exists, and has begun no other wait since.
    pub unsafe fn run(call: &WaitCall) -> Result<usize> {
        let begin = Instant::now();
        let timeout = call.timeout.duration();
        // SAFETY: the selector exists, and nothing else uses its buffer.
        let entries = unsafe { &mut *call.buffer.cast::<Entries>() };
        let mut count = 0;
        loop {
            let left = timeout.map(|timeout| timeout.saturating_sub(begin.elapsed()));
            let taken = take(handle(call.fd), &mut entries[count..], left)?;
            let new = &entries[count..count + taken];
            count += taken;
            // SAFETY: the system has filled these entries.
            let is_event = |entry: &MaybeUninit<_>| unsafe { is_event(entry.assume_init_ref()) };
            if taken == 0 || count == MAX_EVENTS || new.iter().any(is_event) {
                return Ok(count);
            }
        }
    }

    /// Submits the poll of a registration that has none. An error means that it is no open socket.
    fn submit(&mut self, registration: NonNull<Registration>) -> Result<()> {
        let registration = registration.as_ptr();
        // SAFETY: the registration is not freed, and its poll is not pending. It is on the heap, and is not
        // freed before its completion was taken.
        unsafe {
            let events = afd::events((*registration).interest);
            self.afd.submit(&raw mut (*registration).poll, events, registration.cast())?;
            (*registration).is_pending = true;
        }
        self.pending += 1;
        Ok(())
    }

    /// Removes a registration. If `cancel` is not set, its poll ends because the socket is closed.
    fn remove(&mut self, fd: RawDescriptor, cancel: bool) {
        self.objects.remove(fd);
        let Some(registration) = self.registrations.remove(&fd) else { return };
        let registration = registration.as_ptr();
        // SAFETY: the registration is not freed: it was in the table. It is freed here if no poll is pending,
        // else by its completion.
        unsafe {
            (*registration).removed.store(true, Ordering::Relaxed);
            if !(*registration).is_pending {
                drop(Box::from_raw(registration));
            } else if cancel {
                self.afd.cancel(&raw mut (*registration).poll);
            }
        }
    }

    /// Handles the completion of a poll. Returns its event, if it has one.
    fn complete(&mut self, registration: *mut Registration) -> Option<Event> {
        self.pending -= 1;
        // SAFETY: the address comes from `submit`. The registration is not freed, because its poll was
        // pending; now it is not. If it is removed, nothing else refers to it.
        let registration = unsafe {
            (*registration).is_pending = false;
            if (*registration).removed.load(Ordering::Relaxed) {
                drop(Box::from_raw(registration));
                return None;
            }
            &*registration
        };
        self.idle.push(registration.socket);
        let readiness = afd::readiness(registration.poll.events(), registration.interest);
        (!readiness.is_empty()).then_some(Event::Ready { key: registration.key, readiness })
    }
}

/// Opens a handle for the port of the waker, and the device.
fn open(waker: BorrowedDescriptor<'_>) -> Result<(OwnedHandle, Afd)> {
    let mut port = null_mut();
    // SAFETY: takes no arguments. The result is no handle that has to be closed.
    let process = unsafe { GetCurrentProcess() };
    let (from, access) = (waker.handle(), DUPLICATE_SAME_ACCESS);
    // SAFETY: the waker's handle is open. The result is stored in a local variable.
    if unsafe { DuplicateHandle(process, from, process, &raw mut port, 0, 0, access) } == 0 {
        return Err(Errno::last());
    }
    // SAFETY: the system has just opened it, and nothing owns it.
    let port = unsafe { OwnedHandle::from_raw_handle(port) };
    let afd = Afd::open(port.as_raw_handle(), POLL_KEY)?;
    Ok((port, afd))
}

/// Takes completions from the port. Zero if there are none within the timeout.
fn take(
    port: HANDLE,
    entries: &mut [MaybeUninit<OVERLAPPED_ENTRY>],
    timeout: Option<Duration>,
) -> Result<usize> {
    // A longer wait ends early; the engine waits again.
    let millis = timeout.map_or(INFINITE, |timeout| ceil_millis(timeout).min(INFINITE - 1));
    let (at, room, mut count) = (entries.as_mut_ptr().cast(), entries.len() as u32, 0);
    // SAFETY: there is room for that many entries, and the count is stored in a local variable.
    if unsafe { GetQueuedCompletionStatusEx(port, at, room, &raw mut count, millis, 0) } != 0 {
        return Ok(count as usize);
    }
    // SAFETY: takes no arguments.
    if unsafe { GetLastError() } == WAIT_TIMEOUT { Ok(0) } else { Err(Errno::last()) }
}

/// Whether a completion is a notification, or belongs to a registration that is not removed.
///
/// # Safety
/// The entry was taken from the port of a selector that exists, and its completion was not handled.
unsafe fn is_event(entry: &OVERLAPPED_ENTRY) -> bool {
    // SAFETY: with these keys it is the address of a registration or a wait, which is freed when its
    // completion is handled.
    unsafe {
        match entry.lpCompletionKey {
            POLL_KEY => {
                let registration = entry.lpOverlapped.cast::<Registration>();
                !(*registration).removed.load(Ordering::Relaxed)
            }
            OBJECT_KEY => !(*entry.lpOverlapped.cast::<ObjectWait>()).is_removed(),
            _ => true,
        }
    }
}

impl Select for Selector {
    /// There is none that a program could wait for.
    fn fd(&self) -> Option<RawDescriptor> {
        None
    }

    fn register(&mut self, fd: RawDescriptor, key: Key, interest: Interest) -> Result<()> {
        fd::refuse_files(fd)?;
        self.remove(fd, true);
        if !net::is_socket(fd) {
            return self.objects.register(fd, key, interest, self.port.as_raw_handle());
        }
        let registration = Box::new(Registration {
            poll: Poll::new(afd::base_socket(fd)),
            socket: fd,
            key,
            interest,
            is_pending: false,
            removed: AtomicBool::new(false),
        });
        let registration = NonNull::from(Box::leak(registration));
        self.registrations.insert(fd, registration);
        self.submit(registration).inspect_err(|_| self.remove(fd, true))
    }

    fn reregister(&mut self, fd: RawDescriptor, key: Key, interest: Interest) -> Result<()> {
        if self.objects.contains(fd) {
            return self.objects.register(fd, key, interest, self.port.as_raw_handle());
        }
        let Some(registration) = self.registrations.get(&fd) else {
            return self.register(fd, key, interest);
        };
        let registration = registration.as_ptr();
        // SAFETY: the registration is in the table, so it is not freed. The device writes only to its poll.
        let is_same = unsafe {
            let is_same = !(*registration).is_pending || (*registration).interest == interest;
            if is_same {
                ((*registration).key, (*registration).interest) = (key, interest);
            }
            is_same
        };
        // A pending poll cannot be changed.
        if is_same { Ok(()) } else { self.register(fd, key, interest) }
    }

    fn deregister(&mut self, fd: RawDescriptor) -> Result<()> {
        self.remove(fd, true);
        Ok(())
    }

    fn deregister_and_close(&mut self, fd: Descriptor, _explicit: bool) -> Result<()> {
        self.remove(fd.raw_descriptor(), false);
        crate::fd::close(fd);
        Ok(())
    }

    fn begin_wait(&mut self, options: WaitOptions<'_>) -> WaitCall {
        while let Some(fd) = self.idle.pop() {
            let Some(&registration) = self.registrations.get(&fd) else { continue };
            // SAFETY: the registration is in the table, so it is not freed.
            let is_pending = unsafe { (*registration.as_ptr()).is_pending };
            // A socket that the program has closed is forgotten.
            if !is_pending && self.submit(registration).is_err() {
                self.remove(fd, true);
            }
        }
        self.objects.start_idle(self.port.as_raw_handle());
        let port = self.port.as_raw_handle() as RawDescriptor;
        WaitCall::new(port, &mut self.entries[..], options)
    }

    fn end_wait(&mut self, count: usize, events: &mut Vec<Event>) -> bool {
        let mut woken = false;
        for index in 0..count {
            // SAFETY: the system has filled the first `count` entries.
            let entry = unsafe { self.entries[index].assume_init_ref() };
            match entry.lpCompletionKey {
                POLL_KEY => events.extend(self.complete(entry.lpOverlapped.cast())),
                OBJECT_KEY => {
                    let wait = entry.lpOverlapped.cast();
                    // SAFETY: the packet was taken from the port, and is handled once.
                    events.extend(unsafe { self.objects.complete(wait) });
                }
                _ => woken = true,
            }
        }
        if woken {
            events.push(Event::Wake);
        }
        woken
    }

    /// Not called: there are no forked children.
    fn reopen(&mut self) -> Result<()> {
        self.clear();
        Ok(())
    }

    fn add_waker(&mut self, waker: BorrowedDescriptor<'_>) -> Result<()> {
        (self.port, self.afd) = open(waker)?;
        Ok(())
    }
}

impl Selector {
    /// Removes all registrations, and takes the completions of their polls.
    fn clear(&mut self) {
        let registered: Vec<_> = self.registrations.keys().copied().collect();
        for fd in registered {
            self.remove(fd, true);
        }
        self.idle.clear();
        self.objects.clear();
        while self.pending + self.objects.pending > 0 {
            // An open port has no other errors. The registrations are leaked if it is not open.
            let Ok(count) = take(self.port.as_raw_handle(), &mut self.entries[..], None) else {
                break;
            };
            self.end_wait(count, &mut Vec::new());
        }
    }
}

impl Drop for Selector {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests;
