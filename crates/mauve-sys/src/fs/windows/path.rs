//! Paths between C strings and Windows: C strings are in WTF-8, which is UTF-8 that can also express the
//! unpaired surrogates of a file name.

use std::borrow::Cow;
use std::ffi::{CStr, CString, OsStr, OsString};
use std::os::windows::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use crate::{Errno, Result};

/// The path of a C string. `EINVAL` if it is not WTF-8.
pub fn from_c(path: &CStr) -> Result<Cow<'_, Path>> {
    to_path(path).map(Into::into)
}

/// [`from_c`] for an owned string.
pub fn from_c_string(path: CString) -> Result<PathBuf> {
    to_path(&path)
}

/// The text after the last separator: `.` of `.`, nothing of `d/`.
pub fn after_separator(path: &Path) -> OsString {
    let wide: Vec<u16> = path.as_os_str().encode_wide().collect();
    let is_separator = |unit: &u16| [b'/', b'\\', b':'].map(u16::from).contains(unit);
    let begin = wide.iter().rposition(is_separator).map_or(0, |at| at + 1);
    OsString::from_wide(&wide[begin..])
}

/// The path of a C string. `EINVAL` if it is not WTF-8.
pub(super) fn to_path(path: &CStr) -> Result<PathBuf> {
    match path.to_str() {
        Ok(text) => Ok(text.into()),
        Err(_) => Ok(OsString::from_wide(&decode(path.to_bytes())?).into()),
    }
}

/// The null-terminated path of a C string, for system calls. `EINVAL` if it is not WTF-8.
pub fn to_wide(path: &CStr) -> Result<Vec<u16>> {
    let mut wide = decode(path.to_bytes())?;
    wide.push(0);
    Ok(wide)
}

/// The C string of a path, which contains no zero.
pub(super) fn to_c(path: &OsStr) -> Result<CString> {
    CString::new(to_bytes(path).into_owned()).map_err(|_| Errno::EINVAL)
}

/// The bytes of a path, as in a C string.
pub fn to_bytes(path: &OsStr) -> Cow<'_, [u8]> {
    encode(path.encode_wide()).into()
}

/// Text of the system, as in a C string.
pub fn from_wide(wide: &[u16]) -> Vec<u8> {
    encode(wide.iter().copied())
}

/// Characters of the system, as in a C string.
pub(crate) fn encode(wide: impl Iterator<Item = u16>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(wide.size_hint().0);
    for unit in char::decode_utf16(wide) {
        match unit {
            Ok(character) => {
                bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            Err(error) => {
                let surrogate = error.unpaired_surrogate();
                let continuation = |bits: u16| 0x80 | (bits & 0x3f) as u8;
                bytes.extend([0xed, continuation(surrogate >> 6), continuation(surrogate)]);
            }
        }
    }
    bytes
}

fn decode(mut bytes: &[u8]) -> Result<Vec<u16>> {
    let mut wide = Vec::with_capacity(bytes.len() + 1);
    while !bytes.is_empty() {
        let valid = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
        };
        wide.extend(valid.encode_utf16());
        bytes = match &bytes[valid.len()..] {
            [] => break,
            // The encoding of an unpaired surrogate.
            [0xed, high @ 0xa0..=0xbf, low @ 0x80..=0xbf, rest @ ..] => {
                wide.push(0xd000 | u16::from(high & 0x3f) << 6 | u16::from(low & 0x3f));
                rest
            }
            _ => return Err(Errno::EINVAL),
        };
    }
    Ok(wide)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_converted_to_windows_and_back() {
        let unpaired = [0x61, 0xd800, 0x62, 0xdfff];
        for wide in [&"aä€😀".encode_utf16().collect::<Vec<_>>(), &unpaired[..], &[]] {
            let path = OsString::from_wide(wide);
            let text = to_c(&path).unwrap();
            assert_eq!(to_path(&text).unwrap(), PathBuf::from(&path));
            assert_eq!(to_wide(&text).unwrap(), [wide, &[0]].concat());
        }
        assert_eq!(to_c(&OsString::from_wide(&[0xd800])).unwrap().as_bytes(), b"\xed\xa0\x80");
    }

    #[test]
    fn the_text_after_the_last_separator_may_be_empty() {
        let all = [("a/b", "b"), (r"a\b", "b"), ("C:b", "b"), (".", "."), ("d/", ""), (r"C:\", "")];
        for (path, text) in all {
            assert_eq!(after_separator(Path::new(path)), text);
        }
    }

    #[test]
    fn bytes_that_are_not_wtf_8_are_rejected() {
        for bytes in [c"\xff", c"a\xc3", c"\xed\xa0", c"\xc0\x80"] {
            assert_eq!(to_path(bytes), Err(Errno::EINVAL));
        }
    }
}
