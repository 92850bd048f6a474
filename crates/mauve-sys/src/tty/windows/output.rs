//! The output of a console. Writes block until the console has taken all, as in libuv.

use std::io::IoSlice;
use std::ptr::null;
use std::sync::Mutex;

use windows_sys::Win32::System::Console::{
    ENABLE_PROCESSED_OUTPUT, ENABLE_VIRTUAL_TERMINAL_PROCESSING, GetConsoleMode, SetConsoleMode,
    WriteConsoleW,
};

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
    /// The beginning of a character whose other bytes are not written yet.
    partial: Mutex<Vec<u8>>,
}

impl Output {
    /// Has the console interpret VT sequences. A console that cannot shows them.
    pub fn new(raw: RawDescriptor) -> Self {
        let mut mode = 0;
        // SAFETY: the mode is stored in a local variable. A call that fails changes nothing.
        unsafe {
            if GetConsoleMode(handle(raw), &raw mut mode) != 0 {
                let vt = ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING;
                SetConsoleMode(handle(raw), mode | vt);
            }
        }
        Self { raw, partial: Mutex::default() }
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
        let mut partial = lock(&self.partial);
        let before = partial.len();
        partial.extend(slices.iter().flat_map(|slice| slice.iter()));
        let count = partial.len() - before;
        self.write_all(&decode(&mut partial))?;
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
