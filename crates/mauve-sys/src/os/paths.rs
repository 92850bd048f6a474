//! Well-known paths: working directory, executable, home and temporary directories.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{names, system, users};
use crate::{Errno, Result};

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

/// The home directory: the value of `HOME` (`USERPROFILE` on Windows), even if it is empty, else that of the
/// user database. On Windows `ENOENT` if the value is too short for a path.
#[doc(alias = "uv_os_homedir")]
pub fn home_dir() -> Result<PathBuf> {
    match std::env::var_os(names::HOME) {
        Some(path) if names::is_home(&path) => Ok(path.into()),
        Some(_) => Err(Errno::ENOENT),
        None => Ok(users::current_user()?.home),
    }
}

/// The directory for temporary files, without a trailing slash.
#[doc(alias = "uv_os_tmpdir")]
pub fn temp_dir() -> PathBuf {
    names::without_trailing_slash(&raw_temp_dir())
}

/// The directory for temporary files, as the environment variable has it.
pub fn raw_temp_dir() -> OsString {
    names::raw_temp_dir()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_executable_of_a_test_is_the_test() {
        assert_eq!(current_exe().unwrap(), std::env::current_exe().unwrap());
    }
}
