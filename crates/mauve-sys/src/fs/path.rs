//! Paths as C strings, whose bytes are those of the path.

use std::borrow::Cow;
use std::ffi::{CStr, CString, OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use crate::Result;

/// The path of a C string.
pub fn from_c(path: &CStr) -> Result<Cow<'_, Path>> {
    Ok(Path::new(OsStr::from_bytes(path.to_bytes())).into())
}

/// [`from_c`] for an owned string.
pub fn from_c_string(path: CString) -> Result<PathBuf> {
    Ok(OsString::from_vec(path.into_bytes()).into())
}

/// The bytes of a path, as in a C string.
pub fn to_bytes(path: &OsStr) -> Cow<'_, [u8]> {
    path.as_bytes().into()
}

/// The text after the last slash: `.` of `.`, nothing of `d/`.
pub fn after_separator(path: &Path) -> &OsStr {
    let bytes = path.as_os_str().as_bytes();
    let begin = bytes.iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1);
    OsStr::from_bytes(&bytes[begin..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_after_the_last_slash_may_be_empty() {
        for (path, text) in [("a/b", "b"), (".", "."), ("d/", ""), ("/", "")] {
            assert_eq!(after_separator(Path::new(path)), text);
        }
    }
}
