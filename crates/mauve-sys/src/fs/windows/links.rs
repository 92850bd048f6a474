//! Links and names of files.

use std::ffi::{CStr, CString, OsString};
use std::os::windows::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::windows::fs::{FileTypeExt as _, symlink_dir, symlink_file};

use super::path::{to_c, to_path};
use super::reparse;
pub use crate::fs::types::LinkKind;
use crate::{Errno, Result};

/// Creates a hard link at `new_path`.
#[doc(alias = "uv_fs_link")]
pub fn link(path: &CStr, new_path: &CStr) -> Result<()> {
    Ok(std::fs::hard_link(to_path(path)?, to_path(new_path)?)?)
}

/// Creates a symbolic link to a file or a directory, or a junction. `ENOTSUP` for a junction with a relative path.
#[doc(alias = "uv_fs_symlink")]
pub fn symlink(target: &CStr, new_path: &CStr, kind: LinkKind) -> Result<()> {
    match kind {
        LinkKind::File => Ok(symlink_file(to_path(target)?, to_path(new_path)?)?),
        LinkKind::Directory => Ok(symlink_dir(to_path(target)?, to_path(new_path)?)?),
        LinkKind::Junction => reparse::create_junction(target, new_path),
    }
}

/// Reads the target of a symbolic link or a junction. `EINVAL` for another file.
#[doc(alias = "uv_fs_readlink")]
pub fn readlink(path: &CStr) -> Result<CString> {
    CString::new(reparse::target(path)?).map_err(|_| Errno::EINVAL)
}

/// The canonical absolute path of an existing file.
#[doc(alias = "uv_fs_realpath")]
pub fn realpath(path: &CStr) -> Result<CString> {
    let found = std::fs::canonicalize(to_path(path)?)?;
    let wide: Vec<u16> = found.as_os_str().encode_wide().collect();
    to_c(&OsString::from_wide(&without_prefix(&wide)))
}

/// Removes the prefix of a path that is not interpreted further, as libuv does.
fn without_prefix(path: &[u16]) -> Vec<u16> {
    let prefix = |text: &str| text.encode_utf16().collect::<Vec<_>>();
    if let Some(rest) = path.strip_prefix(&prefix(r"\\?\UNC\")[..]) {
        return [&prefix(r"\\")[..], rest].concat();
    }
    path.strip_prefix(&prefix(r"\\?\")[..]).unwrap_or(path).to_vec()
}

/// Renames a file or directory. Replaces an existing file at `new_path`.
#[doc(alias = "uv_fs_rename")]
pub fn rename(path: &CStr, new_path: &CStr) -> Result<()> {
    Ok(std::fs::rename(to_path(path)?, to_path(new_path)?)?)
}

/// Removes a name of a file, also of one that is read-only, or a link to a directory.
#[doc(alias = "uv_fs_unlink")]
pub fn unlink(path: &CStr) -> Result<()> {
    let path = to_path(path)?;
    let Err(error) = std::fs::remove_file(&path) else { return Ok(()) };
    let Ok(found) = std::fs::symlink_metadata(&path) else { return Err(error.into()) };
    if found.file_type().is_symlink_dir() {
        return Ok(std::fs::remove_dir(path)?);
    }
    match found.permissions() {
        mut permissions if permissions.readonly() => {
            #[allow(clippy::permissions_set_readonly_false)] // That is about Unix.
            permissions.set_readonly(false);
            std::fs::set_permissions(&path, permissions)?;
            Ok(std::fs::remove_file(&path)?)
        }
        _ => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_no_link_has_no_target() {
        assert_eq!(readlink(c"no-such-file-of-mauve"), Err(Errno::ENOENT));
        let program = std::env::current_exe().unwrap();
        assert_eq!(readlink(&to_c(program.as_os_str()).unwrap()), Err(Errno::EINVAL));
    }

    #[test]
    fn the_prefix_of_a_path_is_removed() {
        let text = |path: &str| {
            let wide: Vec<u16> = path.encode_utf16().collect();
            String::from_utf16(&without_prefix(&wide)).unwrap()
        };
        assert_eq!(text(r"\\?\C:\a"), r"C:\a");
        assert_eq!(text(r"\\?\UNC\host\share"), r"\\host\share");
        assert_eq!(text(r"C:\a"), r"C:\a");
    }
}
