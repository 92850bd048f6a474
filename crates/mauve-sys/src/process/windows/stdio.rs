//! The descriptors that a child inherits. The C runtime of the child takes their numbers from a block in the
//! information with which the process is started (`lpReserved2`).

use std::fs::OpenOptions;
use std::os::windows::io::{AsRawHandle as _, FromRawHandle as _, OwnedHandle};
use std::ptr::null_mut;

use windows_sys::Win32::Foundation::{
    DUPLICATE_SAME_ACCESS, DuplicateHandle, HANDLE, INVALID_HANDLE_VALUE,
};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_TYPE_CHAR, FILE_TYPE_DISK, FILE_TYPE_PIPE, GetFileType,
};
use windows_sys::Win32::System::Threading::GetCurrentProcess;

use crate::descriptor::{CLOSED, RawDescriptor, handle};
use crate::process::StdioFd;
use crate::{Errno, Result};

// The flags of a descriptor in the block.
const OPEN: u8 = 0x01;
const PIPE: u8 = 0x08;
const DEVICE: u8 = 0x40;

/// Inheritable duplicates of the descriptors of a child, by number.
pub struct ChildStdio(Vec<Option<OwnedHandle>>);

impl ChildStdio {
    pub fn new(stdio: &[StdioFd]) -> Result<Self> {
        let open = |(number, source): (usize, &StdioFd)| match *source {
            StdioFd::Ignore if number < 3 => null_device().map(Some),
            StdioFd::Ignore => Ok(None),
            StdioFd::Created(raw) => inheritable(raw).map(Some),
            // A standard stream that this process does not have.
            StdioFd::Inherit(CLOSED) if number < 3 => Ok(None),
            StdioFd::Inherit(raw) => inheritable(raw).map(Some),
        };
        Ok(Self(stdio.iter().enumerate().map(open).collect::<Result<_>>()?))
    }

    /// The handle of a descriptor, or the invalid one.
    pub fn handle(&self, number: usize) -> HANDLE {
        let found = self.0.get(number).and_then(Option::as_ref);
        found.map_or(INVALID_HANDLE_VALUE, |handle| handle.as_raw_handle())
    }

    /// All handles that are open.
    pub fn handles(&self) -> Vec<HANDLE> {
        self.0.iter().flatten().map(|handle| handle.as_raw_handle()).collect()
    }

    /// The block for the C runtime: the number of descriptors, the flags of each, and the handle of each.
    pub fn block(&self) -> Vec<u8> {
        let count = self.0.len();
        let mut block = (count as u32).to_ne_bytes().to_vec();
        block.extend((0..count).map(|number| flags(self.handle(number))));
        block.extend((0..count).flat_map(|number| (self.handle(number) as usize).to_ne_bytes()));
        block
    }
}

/// The flags of a handle, by its type.
fn flags(handle: HANDLE) -> u8 {
    if handle == INVALID_HANDLE_VALUE {
        return 0;
    }
    // SAFETY: the handle is open.
    match unsafe { GetFileType(handle) } {
        FILE_TYPE_DISK => OPEN,
        FILE_TYPE_PIPE => OPEN | PIPE,
        FILE_TYPE_CHAR => OPEN | DEVICE,
        _ => OPEN | DEVICE,
    }
}

/// Duplicates a handle, so that it is inherited.
fn inheritable(raw: RawDescriptor) -> Result<OwnedHandle> {
    let mut duplicate = null_mut();
    // SAFETY: takes no arguments. The result is no handle that has to be closed.
    let process = unsafe { GetCurrentProcess() };
    let (from, at) = (handle(raw), &raw mut duplicate);
    // SAFETY: the call fails if the number is not an open handle. The result is stored in a local variable.
    if unsafe { DuplicateHandle(process, from, process, at, 0, 1, DUPLICATE_SAME_ACCESS) } == 0 {
        return Err(Errno::last());
    }
    // SAFETY: the system has just opened it, and nothing owns it.
    Ok(unsafe { OwnedHandle::from_raw_handle(duplicate) })
}

/// The null device, for reading and writing.
fn null_device() -> Result<OwnedHandle> {
    let file = OpenOptions::new().read(true).write(true).open("NUL")?;
    inheritable(file.as_raw_handle() as RawDescriptor)
}
