//! Terminals on Windows: consoles.
//!
//! * [`input`]: keys and lines; [`keys`]: the text of keys.
//! * [`output`]: text with VT sequences, which the console interprets.
//! * [`sequences`], [`screen`]: the same for consoles that interpret none.

mod cursor;
mod input;
mod keys;
mod output;
mod screen;
mod sequences;

use std::sync::Arc;

use windows_sys::Win32::System::Console::GetNumberOfConsoleInputEvents;

pub use output::{interprets_sequences, set_interprets_sequences};

use super::Mode;
use crate::descriptor::{AsDescriptor as _, BorrowedDescriptor, Terminal};
use crate::{Errno, Result, device, fd};

/// The mode of a console.
#[derive(Clone, Copy)]
pub struct Termios(Mode);

impl Termios {
    /// The mode that a console has at first. `EINVAL` unless it is an [opened](reopen) input.
    pub fn get(fd: BorrowedDescriptor<'_>) -> Result<Self> {
        let device = device::find(fd.raw_descriptor()).ok_or(Errno::EINVAL)?;
        if device.access().0 { Ok(Self(Mode::Normal)) } else { Err(Errno::EINVAL) }
    }

    /// Sets the mode. `ENOTSUP` for [`Mode::Io`].
    pub fn apply(&self, fd: BorrowedDescriptor<'_>) -> Result<()> {
        device::find(fd.raw_descriptor()).ok_or(Errno::EINVAL)?.set_mode(self.0)
    }

    /// These attributes, changed for `mode`.
    pub fn with_mode(&self, mode: Mode) -> Self {
        Self(mode)
    }
}

/// Returns the console itself, whose reads do not block from now on: other owners of the handle may use it
/// further. `terminal` is a duplicate then.
pub fn reopen(terminal: &mut Terminal) -> Result<Option<Terminal>> {
    let duplicate = fd::duplicate(terminal.as_descriptor())?;
    let raw = terminal.raw_descriptor();
    if is_input(terminal.as_descriptor()) {
        device::insert(raw, Arc::new(input::Input::new(raw)?));
    } else {
        device::insert(raw, Arc::new(output::Output::new(raw)));
    }
    Ok(Some(std::mem::replace(terminal, duplicate)))
}

/// Whether a console is an input.
pub(crate) fn is_input(console: BorrowedDescriptor<'_>) -> bool {
    let mut count = 0;
    // SAFETY: the number is stored in a local variable. The call fails for an output.
    unsafe { GetNumberOfConsoleInputEvents(console.handle(), &raw mut count) != 0 }
}

/// The size of the window: columns and rows. `EBADF` for an input.
pub fn window_size(fd: BorrowedDescriptor<'_>) -> Result<(u16, u16)> {
    let window = cursor::screen(fd.handle())?.srWindow;
    let size = |from: i16, to: i16| u16::try_from(to - from + 1).unwrap_or_default();
    Ok((size(window.Left, window.Right), size(window.Top, window.Bottom)))
}

/// The mode that `mode` is on this system: each is different.
pub fn effective(mode: Mode) -> Mode {
    mode
}

/// Not needed: [`restore`] changes nothing.
pub fn save(_: BorrowedDescriptor<'_>, _: &Termios) {}

/// Does nothing: a closed console keeps its mode, as in libuv.
pub fn restore_on_close(_: BorrowedDescriptor<'_>) {}

/// Does nothing: a console keeps its mode, as in libuv.
#[doc(alias = "uv_tty_reset_mode")]
pub fn restore() -> Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests;
