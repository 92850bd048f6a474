//! Waits for objects of the kernel: events, processes, and the operations of pipes. A thread of the system
//! waits, and posts to the port.
//!
//! # Ownership
//!
//! An [`ObjectWait`] is on the heap, because the system's thread uses it. It is freed when its packet is taken
//! from the port, or when it is removed before the system's thread has posted.

use std::collections::HashMap;
use std::ffi::c_void;
use std::ptr::{NonNull, null_mut};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use windows_sys::Win32::Foundation::{HANDLE, INVALID_HANDLE_VALUE};
use windows_sys::Win32::System::IO::PostQueuedCompletionStatus;
use windows_sys::Win32::System::Threading::{
    INFINITE, RegisterWaitForSingleObject, UnregisterWaitEx, WT_EXECUTEINWAITTHREAD,
    WT_EXECUTEONLYONCE,
};

use super::OBJECT_KEY;
use crate::descriptor::{RawDescriptor, handle};
use crate::device::{self, Device, Wait};
use crate::selector::{Event, Interest, Key, Readiness};
use crate::{Errno, Result};

/// The directions of an object: an event of one is a readiness.
const DIRECTIONS: [(Interest, Readiness); 2] =
    [(Interest::READABLE, Readiness::READABLE), (Interest::WRITABLE, Readiness::WRITABLE)];

/// A wait for one direction of one object.
pub(super) struct ObjectWait {
    fd: RawDescriptor,
    direction: usize,
    port: HANDLE,
    /// Null if the object was ready, so that the selector has posted itself.
    wait: HANDLE,
    /// Set before the packet is posted.
    posted: AtomicBool,
    /// Set when the wait is no longer needed, and its packet is posted.
    removed: AtomicBool,
}

impl ObjectWait {
    /// Whether its packet is not to be reported. A wait on another thread reads it.
    pub fn is_removed(&self) -> bool {
        self.removed.load(Ordering::Relaxed)
    }
}

/// Called by the system on a thread of its own, when the object is signaled.
unsafe extern "system" fn post(wait: *mut c_void, _timed_out: bool) {
    let wait: *mut ObjectWait = wait.cast();
    // SAFETY: the wait is freed after its packet was taken, or after this function has returned. The port is
    // open, because the selector removes its waits first. Nothing is accessed after the packet is posted.
    unsafe {
        let port = (*wait).port;
        (*wait).posted.store(true, Ordering::Release);
        PostQueuedCompletionStatus(port, 0, OBJECT_KEY, wait.cast());
    }
}

/// What is waited for.
enum Source {
    /// The object itself, which is readable when it is signaled.
    Object,
    Device(Arc<dyn Device>),
}

/// A registered object.
struct Object {
    source: Source,
    key: Key,
    interest: Interest,
    waits: [Option<NonNull<ObjectWait>>; 2],
}

/// The registered objects of one selector.
#[derive(Default)]
pub(super) struct Objects {
    all: HashMap<RawDescriptor, Object>,
    /// Those whose wait has ended, and has to be started again.
    idle: Vec<RawDescriptor>,
    /// How many packets will be posted or are posted, also of removed waits.
    pub pending: usize,
}

impl Objects {
    /// Registers an object, or changes its registration.
    pub fn register(
        &mut self,
        fd: RawDescriptor,
        key: Key,
        interest: Interest,
        port: HANDLE,
    ) -> Result<()> {
        let object = self.all.entry(fd).or_insert_with(|| {
            let source = device::find(fd).map_or(Source::Object, Source::Device);
            Object { source, key, interest, waits: [None; 2] }
        });
        (object.key, object.interest) = (key, interest);
        self.start(fd, port).inspect_err(|_| self.remove(fd))
    }

    pub fn contains(&self, fd: RawDescriptor) -> bool {
        self.all.contains_key(&fd)
    }

    /// Starts the waits that an object needs and does not have.
    fn start(&mut self, fd: RawDescriptor, port: HANDLE) -> Result<()> {
        let Some(object) = self.all.get_mut(&fd) else { return Ok(()) };
        for (direction, (wanted, _)) in DIRECTIONS.into_iter().enumerate() {
            if !object.interest.contains(wanted) || object.waits[direction].is_some() {
                continue;
            }
            let target = match &object.source {
                Source::Object => Wait::For(handle(fd)),
                Source::Device(device) if direction == 0 => device.await_readable()?,
                Source::Device(device) => device.await_writable()?,
            };
            let wait = Box::new(ObjectWait {
                fd,
                direction,
                port,
                wait: null_mut(),
                posted: AtomicBool::new(false),
                removed: AtomicBool::new(false),
            });
            let wait = NonNull::from(Box::leak(wait));
            match target {
                // SAFETY: the wait is on the heap, and is freed by its packet.
                Wait::Ready => unsafe { post(wait.as_ptr().cast(), false) },
                Wait::For(object) => {
                    // SAFETY: the wait is on the heap. It is freed after the system's thread has used it.
                    if let Err(error) = unsafe { start_wait(wait.as_ptr(), object) } {
                        // SAFETY: there is no wait, so nothing else refers to it.
                        drop(unsafe { Box::from_raw(wait.as_ptr()) });
                        return Err(error);
                    }
                }
            }
            object.waits[direction] = Some(wait);
            self.pending += 1;
        }
        Ok(())
    }

    /// Starts the waits that have ended again.
    pub fn start_idle(&mut self, port: HANDLE) {
        for fd in std::mem::take(&mut self.idle) {
            // An object that the program has closed is forgotten.
            if self.start(fd, port).is_err() {
                self.remove(fd);
            }
        }
    }

    pub fn remove(&mut self, fd: RawDescriptor) {
        let Some(object) = self.all.remove(&fd) else { return };
        if let Source::Device(device) = &object.source {
            device.stop_waiting();
        }
        for wait in object.waits.into_iter().flatten() {
            let wait = wait.as_ptr();
            // SAFETY: the wait was in the table, so it is not freed. After the second call, the system's thread
            // no longer uses it. Then it has posted a packet, which frees the wait, or will never do that.
            unsafe {
                (*wait).removed.store(true, Ordering::Relaxed);
                if !(*wait).wait.is_null() {
                    UnregisterWaitEx((*wait).wait, INVALID_HANDLE_VALUE);
                    (*wait).wait = null_mut();
                }
                if !(*wait).posted.load(Ordering::Acquire) {
                    drop(Box::from_raw(wait));
                    self.pending -= 1;
                }
            }
        }
    }

    /// Removes all objects.
    pub fn clear(&mut self) {
        let all: Vec<_> = self.all.keys().copied().collect();
        all.into_iter().for_each(|fd| self.remove(fd));
        self.idle.clear();
    }

    /// Handles a packet. Returns its event, if it has one.
    ///
    /// # Safety
    /// It was taken from the port of this selector with [`OBJECT_KEY`], and was not handled before.
    pub unsafe fn complete(&mut self, wait: *mut ObjectWait) -> Option<Event> {
        self.pending -= 1;
        // SAFETY: it was posted with the address of a wait, which this packet frees.
        let wait = unsafe { Box::from_raw(wait) };
        if !wait.wait.is_null() {
            // SAFETY: the wait was registered, and is unregistered once. The system's thread may not have
            // returned, but it no longer uses the memory.
            unsafe { UnregisterWaitEx(wait.wait, null_mut()) };
        }
        if wait.is_removed() {
            return None;
        }
        let object = self.all.get_mut(&wait.fd)?;
        object.waits[wait.direction] = None;
        self.idle.push(wait.fd);
        let (wanted, readiness) = DIRECTIONS[wait.direction];
        let is_wanted = object.interest.contains(wanted);
        is_wanted.then_some(Event::Ready { key: object.key, readiness })
    }
}

/// Has a thread of the system wait for an object.
///
/// # Safety
/// `wait` is valid until its packet is taken, or until it is unregistered.
unsafe fn start_wait(wait: *mut ObjectWait, object: HANDLE) -> Result<()> {
    let flags = WT_EXECUTEONLYONCE | WT_EXECUTEINWAITTHREAD;
    // SAFETY: the caller guarantees that the wait is valid. The system stores a handle in it, which the
    // callback does not use. The call fails if the object is not open.
    let registered = unsafe {
        let at = &raw mut (*wait).wait;
        RegisterWaitForSingleObject(at, object, Some(post), wait.cast(), INFINITE, flags)
    };
    if registered == 0 { Err(Errno::last()) } else { Ok(()) }
}
