//! The environment variables for well-known paths on Windows.

use std::ffi::{OsStr, OsString};
use std::os::windows::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::PathBuf;

/// The variable of the home directory.
pub const HOME: &str = "USERPROFILE";

/// Whether a value of that variable is a home directory: it begins with a drive, at least.
pub fn is_home(path: &OsStr) -> bool {
    path.encode_wide().count() >= 3
}

/// The directory for temporary files, of the variables `TMP`, `TEMP` and `USERPROFILE`.
pub fn raw_temp_dir() -> OsString {
    std::env::temp_dir().into()
}

/// Removes a trailing backslash, except from the root directory of a drive.
pub fn without_trailing_slash(path: &OsStr) -> PathBuf {
    let wide: Vec<u16> = path.encode_wide().collect();
    let [backslash, colon] = [b'\\', b':'].map(u16::from);
    match &wide[..] {
        [rest @ .., before, last] if *last == backslash && *before != colon => {
            OsString::from_wide(&[rest, &[*before]].concat()).into()
        }
        _ => path.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_trailing_backslash_is_removed_except_from_a_drive() {
        let trim = |path: &str| without_trailing_slash(OsStr::new(path)).into_os_string();
        let paths = [r"C:\x\", r"C:\", "", r"C:\x"].map(trim);
        assert_eq!(paths, [r"C:\x", r"C:\", "", r"C:\x"]);
    }
}
