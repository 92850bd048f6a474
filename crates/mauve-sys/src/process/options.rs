//! The description of a process to start.

use std::ffi::{CStr, CString, OsStr, c_char};
use std::os::fd::RawFd;
use std::os::unix::ffi::OsStrExt as _;

use super::system::PATH_MAX;

/// The search path if `PATH` is not set.
const DEFAULT_PATH: &[u8] = b"/usr/bin:/bin";

pub(super) const SHELL: &CStr = c"/bin/sh";

/// A program to start, with its arguments and attributes.
#[derive(Clone, Debug, Default)]
#[doc(alias = "uv_process_options_t")]
pub struct ProcessOptions {
    /// The program. A name without a slash is searched for in the `PATH` of `env`, or of this
    /// process if `env` is `None`.
    pub file: CString,
    /// The arguments, beginning with the program name.
    pub args: Vec<CString>,
    /// The environment as `NAME=value`; inherited if `None`.
    pub env: Option<Vec<CString>>,
    /// The working directory; inherited if `None`.
    pub cwd: Option<CString>,
    /// The user id to set.
    pub uid: Option<u32>,
    /// The group id to set.
    pub gid: Option<u32>,
    /// Whether the child becomes the leader of a new session.
    pub detached: bool,
}

impl ProcessOptions {
    /// Options for a program without arguments.
    pub fn new(file: CString) -> Self {
        Self { args: vec![file.clone()], file, ..Self::default() }
    }

    /// Whether the child changes its user or group. libuv starts such a process with `fork` instead of
    /// `posix_spawn`, which has observable effects.
    pub(super) fn changes_user(&self) -> bool {
        self.uid.is_some() || self.gid.is_some()
    }

    /// The paths to try, in order.
    pub(super) fn candidates(&self) -> Vec<CString> {
        let file = self.file.as_bytes();
        if file.contains(&b'/') || file.is_empty() && self.changes_user() {
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
    /// The arguments to run a script without `#!` in the shell; the second one is the script. Empty
    /// if such a script is an error.
    pub shell_args: Vec<*const c_char>,
    pub env: Option<Vec<*const c_char>>,
    /// The descriptors of the child, by number.
    pub stdio: &'a mut [StdioFd],
}

/// The source of a descriptor of the child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StdioFd {
    /// Not inherited; `/dev/null` for the first three.
    Ignore,
    /// A descriptor of this process. It is made blocking for the child.
    Inherit(RawFd),
    /// A descriptor that was created for the child.
    Created(RawFd),
}

impl<'a> Prepared<'a> {
    pub fn new(options: &'a ProcessOptions, stdio: &'a mut [StdioFd]) -> Self {
        Self {
            candidates: options.candidates(),
            args: pointers(&options.args),
            shell_args: if options.changes_user() { shell_args(&options.args) } else { Vec::new() },
            env: options.env.as_deref().map(pointers),
            options,
            stdio,
        }
    }
}

fn shell_args(args: &[CString]) -> Vec<*const c_char> {
    let mut shell = vec![SHELL.as_ptr(), std::ptr::null()];
    shell.extend(pointers(args.get(1..).unwrap_or_default()));
    shell
}

/// A null-terminated array of pointers, like `argv`.
fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    let pointers = strings.iter().map(|string| CStr::as_ptr(string));
    pointers.chain([std::ptr::null()]).collect()
}
