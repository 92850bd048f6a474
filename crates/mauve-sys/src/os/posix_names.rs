//! The environment variables for well-known paths on Unix.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

/// The variable of the home directory.
pub const HOME: &str = "HOME";

/// Whether a value of that variable is a home directory: any is.
pub fn is_home(_: &OsStr) -> bool {
    true
}

/// The directory for temporary files, as the environment variable has it.
pub fn raw_temp_dir() -> OsString {
    let path = ["TMPDIR", "TMP", "TEMP", "TEMPDIR"].into_iter().find_map(std::env::var_os);
    path.unwrap_or_else(|| "/tmp".into())
}

/// Removes a trailing slash, except from the root directory.
pub fn without_trailing_slash(path: &OsStr) -> PathBuf {
    match path.as_bytes() {
        [rest @ .., b'/'] if !rest.is_empty() => OsStr::from_bytes(rest).into(),
        _ => path.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_trailing_slash_is_removed_except_from_the_root() {
        let trim = |path: &str| without_trailing_slash(OsStr::new(path)).into_os_string();
        assert_eq!(["/x/y/", "/", "", "/x//", "q/"].map(trim), ["/x/y", "/", "", "/x/", "q"]);
    }
}
