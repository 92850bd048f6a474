//! Recursive operations on directories.

use std::ffi::{CString, OsStr};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use mauve::Errno;
use mauve_sys::fs::directory;
use rquickjs::{Object, Result};

use super::request::{PathArg, text};
use crate::binding::define;
use crate::binding::pool_request::PoolRequest;

pub(super) fn fill<'js>(object: &Object<'js>) -> Result<()> {
    define(object, "mkdirp", |path: PathArg, mode: u32, request: PoolRequest<'js>| {
        request.run(move || create_dir_all(OsStr::from_bytes(path.to_bytes()), mode))
    })?;
    Ok(())
}

/// Creates a directory and its missing parents. Returns the first directory that was created.
fn create_dir_all(path: &OsStr, mode: u32) -> mauve::Result<Option<String>> {
    let path = Path::new(path);
    let mut missing: Vec<PathBuf> = vec![path.to_owned()];
    let mut first = None;
    while let Some(next) = missing.last().cloned() {
        let name = CString::new(next.as_os_str().as_bytes()).map_err(|_| Errno::EINVAL)?;
        match directory::mkdir(&name, mode) {
            Ok(()) => {
                first.get_or_insert(next);
                missing.pop();
            }
            Err(Errno::ENOENT) => match next.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => missing.push(parent.to_owned()),
                _ => return Err(Errno::ENOENT),
            },
            Err(error @ (Errno::EACCES | Errno::ENOSPC | Errno::ENOTDIR | Errno::EPERM)) => {
                return Err(error);
            }
            // The directory may exist already, possibly as a symbolic link.
            Err(error) => {
                if !next.is_dir() {
                    let is_last = missing.len() == 1;
                    return Err(match error {
                        Errno::EEXIST if !is_last => Errno::ENOTDIR,
                        error => error,
                    });
                }
                missing.pop();
            }
        }
    }
    Ok(first.map(|path| text(path.into_os_string().into_vec())))
}
