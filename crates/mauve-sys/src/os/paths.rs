//! Directories and files that every program asks for.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::users;
use crate::Result;

/// The working directory.
#[doc(alias = "uv_cwd")]
pub fn working_directory() -> Result<PathBuf> {
    Ok(std::env::current_dir()?)
}

/// Makes `path` the working directory of the process.
#[doc(alias = "uv_chdir")]
pub fn set_working_directory(path: &Path) -> Result<()> {
    Ok(rustix::process::chdir(path)?)
}

/// The file that this process was started from.
#[doc(alias = "uv_exepath")]
pub fn executable() -> Result<PathBuf> {
    Ok(std::fs::read_link("/proc/self/exe")?)
}

/// Where the user's files are: what `HOME` says, even if that is nothing, or else the user
/// database.
#[doc(alias = "uv_os_homedir")]
pub fn home_directory() -> Result<PathBuf> {
    match std::env::var_os("HOME") {
        Some(path) => Ok(path.into()),
        None => Ok(users::current_user()?.home),
    }
}

/// Where temporary files go.
#[doc(alias = "uv_os_tmpdir")]
pub fn temporary_directory() -> PathBuf {
    without_slash(&temporary_setting())
}

/// What the environment says about temporary files, with a final slash if it has one.
pub fn temporary_setting() -> OsString {
    let path = ["TMPDIR", "TMP", "TEMP", "TEMPDIR"].into_iter().find_map(std::env::var_os);
    path.unwrap_or_else(|| "/tmp".into())
}

/// The root keeps its slash.
fn without_slash(path: &OsStr) -> PathBuf {
    match path.as_bytes() {
        [rest @ .., b'/'] if !rest.is_empty() => OsStr::from_bytes(rest).into(),
        _ => path.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_final_slash_is_cut_off_and_the_root_is_left_alone() {
        let cut = |path: &str| without_slash(OsStr::new(path)).into_os_string();
        assert_eq!(["/x/y/", "/", "", "/x//", "q/"].map(cut), ["/x/y", "/", "", "/x/", "q"]);
    }

    #[test]
    fn the_executable_of_a_test_is_the_test() {
        assert_eq!(executable().unwrap(), std::env::current_exe().unwrap());
    }
}
