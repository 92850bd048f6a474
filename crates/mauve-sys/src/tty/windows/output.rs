//! The output of a console. Writes block until the console has taken all, as in libuv.
//!
//! The console interprets [sequences](super::sequences) itself, if it can and the program does not say otherwise.

use std::io::IoSlice;
use std::ptr::null;
use std::sync::Mutex;

use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::System::Console::{
    ENABLE_PROCESSED_OUTPUT, ENABLE_VIRTUAL_TERMINAL_PROCESSING, GetConsoleMode, SetConsoleMode,
    WriteConsoleW,
};

use super::screen::{self, Saved};
use super::sequences::{Parser, Part};
use crate::descriptor::{RawDescriptor, handle};
use crate::device::{Device, Wait, lock};
use crate::fd::FdType;
use crate::{Errno, Result};

/// How many characters are written at a time: an older console accepts 64 KiB.
const CHUNK: usize = 8192;

/// The output of a console.
#[derive(Debug)]
pub(super) struct Output {
    raw: RawDescriptor,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The beginning of a character whose other bytes are not written yet.
    partial: Vec<u8>,
    parser: Parser,
    saved: Saved,
}

/// Whether consoles interpret sequences.
static INTERPRETS: Mutex<Option<bool>> = Mutex::new(None);

/// Whether consoles interpret sequences. False until the first one was opened.
#[doc(alias = "uv_tty_get_vterm_state")]
pub fn interprets_sequences() -> bool {
    lock(&INTERPRETS).unwrap_or(false)
}

/// Says whether consoles interpret sequences, so that it is not determined.
#[doc(alias = "uv_tty_set_vterm_state")]
pub fn set_interprets_sequences(interprets: bool) {
    *lock(&INTERPRETS) = Some(interprets);
}

impl Output {
    /// Has the console interpret sequences, unless the program says that it cannot.
    pub fn new(raw: RawDescriptor) -> Self {
        screen::remember(handle(raw));
        let mut interprets = lock(&INTERPRETS);
        if *interprets != Some(false) {
            let enabled = enable_sequences(handle(raw));
            interprets.get_or_insert(enabled);
        }
        Self { raw, state: Mutex::default() }
    }

    /// Writes a text, whose sequences are performed here. What is between two of them is written at once, as
    /// consoles begin a new line in another way between two writes.
    fn write_parts(&self, mut text: &[u16], state: &mut State) -> Result<()> {
        let mut plain = Vec::new();
        while let Some(part) = state.parser.next(&mut text) {
            match part {
                Part::Text(text) => plain.extend_from_slice(text),
                Part::Command(command) => {
                    self.write_all(&std::mem::take(&mut plain))?;
                    screen::perform(handle(self.raw), command, &mut state.saved)?;
                }
            }
        }
        self.write_all(&plain)
    }

    fn write_all(&self, mut text: &[u16]) -> Result<()> {
        while !text.is_empty() {
            let mut size = text.len().min(CHUNK);
            // Both halves of a character are written together.
            if size < text.len() && (0xd800..0xdc00).contains(&text[size - 1]) {
                size -= 1;
            }
            let (at, mut count) = (text.as_ptr().cast(), 0);
            // SAFETY: the text is borrowed during the call, and has at least `size` characters.
            let written =
                unsafe { WriteConsoleW(handle(self.raw), at, size as u32, &raw mut count, null()) };
            if written == 0 {
                return Err(Errno::last());
            }
            text = &text[(count as usize).min(size)..];
        }
        Ok(())
    }
}

/// Returns whether the console interprets sequences from now on.
fn enable_sequences(console: HANDLE) -> bool {
    let mut mode = 0;
    // SAFETY: the mode is stored in a local variable. A call that fails changes nothing.
    unsafe {
        let vt = ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING;
        GetConsoleMode(console, &raw mut mode) != 0 && SetConsoleMode(console, mode | vt) != 0
    }
}

/// Decodes UTF-8, and replaces what is none. The beginning of a character at the end stays in `bytes`.
fn decode(bytes: &mut Vec<u8>) -> Vec<u16> {
    let mut text = Vec::with_capacity(bytes.len());
    let mut rest = &bytes[..];
    loop {
        let error = match std::str::from_utf8(rest) {
            Ok(valid) => {
                text.extend(valid.encode_utf16());
                rest = &[];
                break;
            }
            Err(error) => error,
        };
        let (valid, invalid) = rest.split_at(error.valid_up_to());
        text.extend(std::str::from_utf8(valid).unwrap_or_default().encode_utf16());
        rest = invalid;
        let Some(length) = error.error_len() else { break };
        text.push(char::REPLACEMENT_CHARACTER as u16);
        rest = &rest[length..];
    }
    *bytes = rest.to_vec();
    text
}

impl Device for Output {
    fn fd_type(&self) -> FdType {
        FdType::Tty
    }

    fn access(&self) -> (bool, bool) {
        (false, true)
    }

    fn write(&self, slices: &[IoSlice<'_>]) -> Result<usize> {
        let state = &mut *lock(&self.state);
        let before = state.partial.len();
        state.partial.extend(slices.iter().flat_map(|slice| slice.iter()));
        let count = state.partial.len() - before;
        let text = decode(&mut state.partial);
        if interprets_sequences() {
            self.write_all(&text)?;
        } else {
            self.write_parts(&text, state)?;
        }
        Ok(count)
    }

    fn can_try_write(&self) -> bool {
        true
    }

    fn await_readable(&self) -> Result<Wait> {
        Err(Errno::ENOTCONN)
    }

    fn await_writable(&self) -> Result<Wait> {
        Ok(Wait::Ready)
    }

    fn shut_down(&self) -> Result<()> {
        Ok(())
    }

    fn close(&self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_may_be_split_and_invalid_bytes_are_replaced() {
        let decoded = |bytes: &mut Vec<u8>| String::from_utf16(&decode(bytes)).unwrap();
        let mut bytes = b"a\xe2\x82".to_vec();
        assert_eq!(decoded(&mut bytes), "a");
        bytes.extend(b"\xac\xff|\xf0\x9f\x98\x80\xf0");
        assert_eq!(decoded(&mut bytes), "€\u{fffd}|😀");
        bytes.extend(b"x");
        assert_eq!(decoded(&mut bytes), "\u{fffd}x");
        assert_eq!(bytes, b"");
    }
}
