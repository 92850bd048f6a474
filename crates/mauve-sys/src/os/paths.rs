//! Well-known paths: working directory, executable, home and temporary directories.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::system;
use super::users;
use crate::Result;

/// The working directory of the process.
#[doc(alias = "uv_cwd")]
pub fn current_dir() -> Result<PathBuf> {
    Ok(std::env::current_dir()?)
}

/// Changes the working directory of the process.
#[doc(alias = "uv_chdir")]
pub fn set_current_dir(path: &Path) -> Result<()> {
    Ok(std::env::set_current_dir(path)?)
}

/// The path of the running executable.
#[doc(alias = "uv_exepath")]
pub fn current_exe() -> Result<PathBuf> {
    system::current_exe()
}

/// The home directory: the value of `HOME`, even if it is empty, else that of the user database.
#[doc(alias = "uv_os_homedir")]
pub fn home_dir() -> Result<PathBuf> {
    match std::env::var_os("HOME") {
        Some(path) => Ok(path.into()),
        None => Ok(users::current_user()?.home),
    }
}

/// The directory for temporary files, without a trailing slash.
#[doc(alias = "uv_os_tmpdir")]
pub fn temp_dir() -> PathBuf {
    without_trailing_slash(&raw_temp_dir())
}

/// The directory for temporary files, as the environment variable has it.
pub fn raw_temp_dir() -> OsString {
    let path = ["TMPDIR", "TMP", "TEMP", "TEMPDIR"].into_iter().find_map(std::env::var_os);
    path.unwrap_or_else(|| "/tmp".into())
}

/// Removes a trailing slash, except from the root directory.
fn without_trailing_slash(path: &OsStr) -> PathBuf {
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

    #[test]
    fn the_executable_of_a_test_is_the_test() {
        assert_eq!(current_exe().unwrap(), std::env::current_exe().unwrap());
    }
}
