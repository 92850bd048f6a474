//! Events of Windows: objects that are set until they are reset. A selector waits for them.

use std::os::windows::io::{AsRawHandle as _, FromRawHandle as _, OwnedHandle};
use std::ptr::null;

use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::System::Threading::{CreateEventW, ResetEvent, SetEvent};

use crate::descriptor::{AsDescriptor, Descriptor, RawDescriptor};
use crate::{Errno, Result};

/// An event that is reset by hand.
#[derive(Debug)]
pub(crate) struct Event(OwnedHandle);

impl Event {
    /// Creates an event that is not set.
    pub fn new() -> Result<Self> {
        // SAFETY: the pointers are null, and the numbers mean: reset by hand, and not set.
        let event = unsafe { CreateEventW(null(), 1, 0, null()) };
        if event.is_null() {
            return Err(Errno::last());
        }
        // SAFETY: the system has just opened it, and nothing owns it.
        Ok(Self(unsafe { OwnedHandle::from_raw_handle(event) }))
    }

    /// A descriptor of the event, which is closed apart from it.
    pub fn duplicate(&self) -> Result<Descriptor> {
        Ok(self.0.try_clone()?.into())
    }

    pub fn handle(&self) -> HANDLE {
        self.0.as_raw_handle()
    }

    pub fn set(&self) {
        // SAFETY: the event is open.
        unsafe { SetEvent(self.handle()) };
    }

    pub fn reset(&self) {
        // SAFETY: the event is open.
        unsafe { ResetEvent(self.handle()) };
    }
}

impl AsDescriptor for Event {
    fn raw_descriptor(&self) -> RawDescriptor {
        self.handle() as RawDescriptor
    }
}
