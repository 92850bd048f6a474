//! What is to be started.

use std::ffi::{CStr, CString, OsStr, c_char};
use std::os::fd::RawFd;
use std::os::unix::ffi::OsStrExt as _;

/// Where programs are looked for if nothing says where.
const DEFAULT_PATH: &[u8] = b"/usr/bin:/bin";

pub(super) const SHELL: &CStr = c"/bin/sh";

/// A program and how to start it.
#[derive(Clone, Debug, Default)]
#[doc(alias = "uv_process_options_t")]
pub struct Command {
    /// The program. Without a slash it is looked for in `PATH`: that of `env` if there is one.
    pub file: CString,
    /// Its arguments, the first of which is its name.
    pub args: Vec<CString>,
    /// Its environment, `NAME=value` each; ours if `None`.
    pub env: Option<Vec<CString>>,
    /// The directory to start in; ours if `None`.
    pub cwd: Option<CString>,
    /// The user to become.
    pub uid: Option<u32>,
    /// The group to become.
    pub gid: Option<u32>,
    /// Whether it leads a new session.
    pub detached: bool,
}

impl Command {
    /// A command without arguments.
    pub fn new(file: CString) -> Self {
        Self { args: vec![file.clone()], file, ..Self::default() }
    }

    /// Whether the child becomes another user or group. libuv starts such a process in another way,
    /// and its way shows.
    pub(super) fn changes_user(&self) -> bool {
        self.uid.is_some() || self.gid.is_some()
    }

    /// The paths to try, in this order.
    pub(super) fn candidates(&self) -> Vec<CString> {
        let file = self.file.as_bytes();
        if file.contains(&b'/') || file.is_empty() && self.changes_user() {
            return vec![self.file.clone()];
        }
        let ours = std::env::var_os("PATH");
        let path = match &self.env {
            Some(env) => env.iter().find_map(|entry| entry.to_bytes().strip_prefix(b"PATH=")),
            None => ours.as_deref().map(OsStr::as_bytes),
        };
        let directories = path.unwrap_or(DEFAULT_PATH).split(|byte| *byte == b':');
        directories.filter_map(|directory| CString::new(join(directory, file)).ok()).collect()
    }
}

/// An empty directory means the current one.
fn join(directory: &[u8], file: &[u8]) -> Vec<u8> {
    match directory {
        [] => file.to_vec(),
        directory => [directory, b"/", file].concat(),
    }
}

/// What the child needs, with nothing left to allocate.
pub(super) struct Prepared<'a> {
    pub command: &'a Command,
    pub candidates: Vec<CString>,
    pub args: Vec<*const c_char>,
    /// The arguments with which the shell runs a script that does not say what runs it. Its second
    /// one is the script. Empty if that is an error.
    pub shell_args: Vec<*const c_char>,
    pub env: Option<Vec<*const c_char>>,
    /// The descriptor for each place, and whether it is a pipe that was made for the child.
    pub stdio: &'a mut [Place],
}

/// What a descriptor of the child shall be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nothing; the null device for the first three.
    Ignore,
    /// A descriptor that this process goes on using.
    Shared(RawFd),
    /// A descriptor made for the child.
    Given(RawFd),
}

impl<'a> Prepared<'a> {
    pub fn new(command: &'a Command, stdio: &'a mut [Place]) -> Self {
        Self {
            candidates: command.candidates(),
            args: pointers(&command.args),
            shell_args: if command.changes_user() { shell_args(&command.args) } else { Vec::new() },
            env: command.env.as_deref().map(pointers),
            command,
            stdio,
        }
    }
}

fn shell_args(args: &[CString]) -> Vec<*const c_char> {
    let mut shell = vec![SHELL.as_ptr(), std::ptr::null()];
    shell.extend(pointers(args.get(1..).unwrap_or_default()));
    shell
}

/// A list the way `argv` is one.
fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    let pointers = strings.iter().map(|string| CStr::as_ptr(string));
    pointers.chain([std::ptr::null()]).collect()
}
