//! What a child needs between `fork` and `exec`, prepared before.

use std::ffi::{CStr, CString, OsStr, c_char, c_int};
use std::os::unix::ffi::OsStrExt as _;

use super::options::{ProcessOptions, StdioFd};
use super::system::PATH_MAX;

/// The search path if `PATH` is not set.
const DEFAULT_PATH: &[u8] = b"/usr/bin:/bin";

impl ProcessOptions {
    /// Whether the child changes its user or group. libuv starts such a process with `fork` instead of
    /// `posix_spawn`, which has observable effects.
    pub(super) fn changes_user(&self) -> bool {
        self.uid.is_some() || self.gid.is_some()
    }

    /// The paths to try, in order.
    pub(super) fn candidates(&self) -> Vec<CString> {
        let file = self.file.as_bytes();
        if file.contains(&b'/') {
            return vec![self.file.clone()];
        }
        let inherited = std::env::var_os("PATH");
        let path = match &self.env {
            Some(env) => env.iter().find_map(|entry| entry.to_bytes().strip_prefix(b"PATH=")),
            None => inherited.as_deref().map(OsStr::as_bytes),
        };
        let directories = path.unwrap_or(DEFAULT_PATH).split(|byte| *byte == b':');
        // As in the C library, a directory that no path can contain does not end the search.
        let possible = directories.filter(|directory| directory.len() < PATH_MAX);
        possible.filter_map(|directory| CString::new(join(directory, file)).ok()).collect()
    }
}

/// Joins a directory and a file name. An empty directory means the working directory.
fn join(directory: &[u8], file: &[u8]) -> Vec<u8> {
    match directory {
        [] => file.to_vec(),
        directory => [directory, b"/", file].concat(),
    }
}

/// All data that the child needs, so that it does not allocate.
pub(crate) struct Prepared<'a> {
    pub options: &'a ProcessOptions,
    pub candidates: Vec<CString>,
    pub args: Vec<*const c_char>,
    pub env: Option<Vec<*const c_char>>,
    /// The descriptors of the child, by number.
    pub stdio: &'a mut [StdioFd],
}

impl<'a> Prepared<'a> {
    pub fn new(options: &'a ProcessOptions, stdio: &'a mut [StdioFd]) -> Self {
        Self {
            candidates: options.candidates(),
            args: pointers(&options.args),
            env: options.env.as_deref().map(pointers),
            options,
            stdio,
        }
    }
}

impl Prepared<'_> {
    /// Tries each candidate path until one is executed, which `execute` returns zero for, if it returns. Errors other
    /// than "not found" and "access denied" end the search. Does not allocate.
    pub fn try_candidates(&self, mut execute: impl FnMut(&CStr) -> c_int) -> c_int {
        let mut denied = false;
        let mut error = libc::ENOENT;
        for candidate in &self.candidates {
            error = execute(candidate);
            match error {
                libc::EACCES => denied = true,
                libc::ENOENT | libc::ENOTDIR | libc::ENODEV | libc::ESTALE | libc::ETIMEDOUT => {}
                end => return end,
            }
        }
        if denied { libc::EACCES } else { error }
    }
}

/// A null-terminated array of pointers, like `argv`.
fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    let pointers = strings.iter().map(|string| CStr::as_ptr(string));
    pointers.chain([std::ptr::null()]).collect()
}
