//! The descriptor of the waker on Windows: the completion port of the selector.

use std::os::windows::io::{FromRawHandle as _, OwnedHandle};
use std::ptr::{null, null_mut};

use windows_sys::Win32::Foundation::INVALID_HANDLE_VALUE;
use windows_sys::Win32::System::IO::{CreateIoCompletionPort, PostQueuedCompletionStatus};

use crate::descriptor::BorrowedDescriptor;
use crate::waker::WakerFds;
use crate::{Errno, Result};

/// The completion key of a notification.
pub(crate) const WAKER_KEY: usize = 0;

pub(crate) fn open() -> Result<WakerFds> {
    // SAFETY: without a file, the call opens a new port. One thread at a time takes its completions.
    let port = unsafe { CreateIoCompletionPort(INVALID_HANDLE_VALUE, null_mut(), 0, 1) };
    if port.is_null() {
        return Err(Errno::last());
    }
    // SAFETY: the system has just opened it, and nothing owns it.
    let port = unsafe { OwnedHandle::from_raw_handle(port) };
    Ok(WakerFds { fd: port.into(), read_end: None })
}

/// Ends a wait.
pub(crate) fn notify(port: BorrowedDescriptor<'_>) {
    // SAFETY: the port is open, and a notification has no `OVERLAPPED`. It can fail without memory only.
    unsafe { PostQueuedCompletionStatus(port.handle(), 0, WAKER_KEY, null()) };
}
