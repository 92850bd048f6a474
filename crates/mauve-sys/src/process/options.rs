//! The description of a process to start.

use std::ffi::CString;

use crate::descriptor::RawDescriptor;

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
    /// Attributes that only Windows has.
    pub windows: WindowsOptions,
}

/// Attributes of a process that have an effect on Windows only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "uv_process_flags")]
pub struct WindowsOptions {
    /// The arguments are joined with spaces, without quotes.
    pub verbatim_arguments: bool,
    /// The child has no console window.
    pub hide_console: bool,
    /// The first window of the child is hidden.
    pub hide_window: bool,
    /// The file is started as it is named, without an extension.
    pub exact_file: bool,
}

impl ProcessOptions {
    /// Options for a program without arguments.
    pub fn new(file: CString) -> Self {
        Self { args: vec![file.clone()], file, ..Self::default() }
    }
}

/// The source of a descriptor of the child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StdioFd {
    /// Not inherited; `/dev/null` for the first three.
    Ignore,
    /// A descriptor of this process. It is made blocking for the child.
    Inherit(RawDescriptor),
    /// A descriptor that was created for the child.
    Created(RawDescriptor),
}
