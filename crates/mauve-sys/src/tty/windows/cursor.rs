//! The position of the cursor, and the size of the window.

use std::os::windows::io::{AsRawHandle as _, OwnedHandle};

use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::System::Console::{
    CONSOLE_SCREEN_BUFFER_INFO, COORD, GetConsoleScreenBufferInfo, SetConsoleCursorPosition,
};

use crate::{Errno, Result};

/// What the system knows about the output of a console.
pub(super) fn screen(output: HANDLE) -> Result<CONSOLE_SCREEN_BUFFER_INFO> {
    // SAFETY: all bits of the struct may be zero.
    let mut info: CONSOLE_SCREEN_BUFFER_INFO = unsafe { std::mem::zeroed() };
    // SAFETY: the information is stored in a local variable. The call fails for other handles.
    let found = unsafe { GetConsoleScreenBufferInfo(output, &raw mut info) };
    if found == 0 { Err(Errno::last()) } else { Ok(info) }
}

/// Where the cursor was.
pub(super) struct Cursor {
    output: OwnedHandle,
    position: COORD,
}

impl Cursor {
    /// `None` if the process has no console.
    pub fn save() -> Option<Self> {
        let output = std::fs::OpenOptions::new().read(true).write(true).open("CONOUT$").ok()?;
        let output = OwnedHandle::from(output);
        let position = screen(output.as_raw_handle()).ok()?.dwCursorPosition;
        Some(Self { output, position })
    }

    /// Moves the cursor back.
    pub fn restore(&self) {
        // SAFETY: takes numbers. The handle is open.
        unsafe { SetConsoleCursorPosition(self.output.as_raw_handle(), self.position) };
    }
}
