//! Builds and spawns child processes.

use std::collections::BTreeMap;
use std::ffi::{CString, OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use mauve_core::handle::process;
use mauve_sys::{Errno, Result};

use super::child::Child;
use crate::core::current;
use crate::net::UnixStream;

/// What a standard stream of the child refers to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stdio {
    /// The same stream of this process.
    #[default]
    Inherit,
    /// `/dev/null`.
    Null,
    /// A pipe. The [`Child`] has its other end.
    Piped,
}

/// A builder for child processes, as [`std::process::Command`].
#[derive(Clone, Debug)]
#[doc(alias = "uv_process_options_t")]
pub struct Command {
    args: Vec<OsString>,
    clear_env: bool,
    /// Variables to set, or to remove.
    env: BTreeMap<OsString, Option<OsString>>,
    cwd: Option<OsString>,
    uid: Option<u32>,
    gid: Option<u32>,
    detached: bool,
    stdio: [Stdio; 3],
}

impl Command {
    /// Creates a builder for a program, given by its path or by a name that is searched in `PATH`.
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        Self {
            args: vec![program.as_ref().to_owned()],
            clear_env: false,
            env: BTreeMap::new(),
            cwd: None,
            uid: None,
            gid: None,
            detached: false,
            stdio: [Stdio::Inherit; 3],
        }
    }

    /// Adds an argument.
    pub fn arg(&mut self, arg: impl AsRef<OsStr>) -> &mut Self {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    /// Adds arguments.
    pub fn args(&mut self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> &mut Self {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    /// Sets an environment variable. The others are inherited.
    pub fn env(&mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> &mut Self {
        self.env.insert(name.as_ref().to_owned(), Some(value.as_ref().to_owned()));
        self
    }

    /// Removes an environment variable.
    pub fn env_remove(&mut self, name: impl AsRef<OsStr>) -> &mut Self {
        self.env.insert(name.as_ref().to_owned(), None);
        self
    }

    /// Clears the environment: no variable is inherited.
    pub fn env_clear(&mut self) -> &mut Self {
        self.clear_env = true;
        self.env.clear();
        self
    }

    /// Sets the working directory of the child.
    pub fn current_dir(&mut self, directory: impl AsRef<Path>) -> &mut Self {
        self.cwd = Some(directory.as_ref().as_os_str().to_owned());
        self
    }

    /// Sets the user id of the child.
    pub fn uid(&mut self, uid: u32) -> &mut Self {
        self.uid = Some(uid);
        self
    }

    /// Sets the group id of the child.
    pub fn gid(&mut self, gid: u32) -> &mut Self {
        self.gid = Some(gid);
        self
    }

    /// Makes the child the leader of a new session, so that it survives the end of this one.
    #[doc(alias = "UV_PROCESS_DETACHED")]
    pub fn detached(&mut self, detached: bool) -> &mut Self {
        self.detached = detached;
        self
    }

    /// Sets standard input. The default is [`Stdio::Inherit`].
    pub fn stdin(&mut self, stdio: Stdio) -> &mut Self {
        self.stdio[0] = stdio;
        self
    }

    /// Sets standard output. The default is [`Stdio::Inherit`].
    pub fn stdout(&mut self, stdio: Stdio) -> &mut Self {
        self.stdio[1] = stdio;
        self
    }

    /// Sets standard error. The default is [`Stdio::Inherit`].
    pub fn stderr(&mut self, stdio: Stdio) -> &mut Self {
        self.stdio[2] = stdio;
        self
    }

    /// Spawns the child, on the loop that runs on this thread. `ENOENT` if the program does not
    /// exist, `EACCES` if it is not executable.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    #[doc(alias = "uv_spawn")]
    pub fn spawn(&self) -> Result<Child> {
        let core = current();
        let options = self.options()?;
        let mut pipes = [const { None }; 3];
        for (pipe, stdio) in pipes.iter_mut().zip(self.stdio) {
            if stdio == Stdio::Piped {
                *pipe = Some(UnixStream::unconnected(core.clone())?);
            }
        }
        let mut stdio = [process::Stdio::Ignore; 3];
        for (fd, stdio) in stdio.iter_mut().enumerate() {
            *stdio = match (self.stdio[fd], &pipes[fd]) {
                (Stdio::Null, _) => process::Stdio::Ignore,
                (Stdio::Piped, Some(pipe)) => {
                    process::Stdio::Pipe { stream: pipe.id(), readable: fd == 0, writable: fd != 0 }
                }
                _ => process::Stdio::Inherit(fd as i32),
            };
        }
        Child::spawn(core, &options, &stdio, pipes)
    }

    /// The options in the form of the system layer. `EINVAL` if a string contains a NUL byte.
    fn options(&self) -> Result<mauve_sys::process::ProcessOptions> {
        let args = self.args.iter().map(|arg| c_string(arg)).collect::<Result<Vec<_>>>()?;
        Ok(mauve_sys::process::ProcessOptions {
            file: args[0].clone(),
            args,
            env: self.environment()?,
            cwd: self.cwd.as_deref().map(c_string).transpose()?,
            uid: self.uid,
            gid: self.gid,
            detached: self.detached,
        })
    }

    fn environment(&self) -> Result<Option<Vec<CString>>> {
        if self.env.is_empty() && !self.clear_env {
            return Ok(None);
        }
        let mut all: BTreeMap<OsString, Option<OsString>> = BTreeMap::new();
        if !self.clear_env {
            all.extend(std::env::vars_os().map(|(name, value)| (name, Some(value))));
        }
        all.extend(self.env.clone());
        let set = all.into_iter().filter_map(|(name, value)| Some((name, value?)));
        set.map(|(mut entry, value)| {
            entry.push("=");
            entry.push(value);
            c_string(&entry)
        })
        .collect::<Result<_>>()
        .map(Some)
    }
}

fn c_string(text: &OsStr) -> Result<CString> {
    CString::new(text.as_bytes()).map_err(|_| Errno::EINVAL)
}
