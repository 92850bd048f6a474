//! Builds and spawns child processes.

use std::collections::BTreeMap;
use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::{ExitStatus, Output};

use mauve_core::handle::process;
use mauve_sys::descriptor::AsDescriptor as _;
use mauve_sys::fd::standard;
use mauve_sys::{Errno, Result};

use super::child::Child;
use super::orphans;
use super::stdio::{Stdio, StdioKind};
use crate::core::current;
use crate::net::PipeStream;

/// A builder for child processes, as [`std::process::Command`].
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// use mauve::process::Command;
///
/// let output = Command::new("echo").arg("hello").output().await?;
/// assert_eq!(output.stdout, b"hello\n");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "uv_process_options_t")]
pub struct Command {
    program: OsString,
    /// With the name by which the program is called.
    args: Vec<OsString>,
    clear_env: bool,
    /// Variables to set, or to remove.
    env: BTreeMap<OsString, Option<OsString>>,
    cwd: Option<OsString>,
    uid: Option<u32>,
    gid: Option<u32>,
    detached: bool,
    kill_on_drop: bool,
    /// `None` for the default.
    stdio: [Option<Stdio>; 3],
}

impl Command {
    /// Creates a builder for a program, given by its path or by a name that is searched in `PATH`.
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        Self {
            program: program.as_ref().to_owned(),
            args: vec![program.as_ref().to_owned()],
            clear_env: false,
            env: BTreeMap::new(),
            cwd: None,
            uid: None,
            gid: None,
            detached: false,
            kill_on_drop: false,
            stdio: [None, None, None],
        }
    }

    /// Sets the first argument, by which the program is called. The default is the program itself.
    pub fn arg0(&mut self, name: impl AsRef<OsStr>) -> &mut Self {
        self.args[0] = name.as_ref().to_owned();
        self
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

    /// Sets environment variables. The others are inherited.
    pub fn envs(
        &mut self,
        variables: impl IntoIterator<Item = (impl AsRef<OsStr>, impl AsRef<OsStr>)>,
    ) -> &mut Self {
        for (name, value) in variables {
            self.env(name, value);
        }
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

    /// Sets whether dropping the [`Child`] kills the process with `SIGKILL`. The default is not to.
    pub fn kill_on_drop(&mut self, kill: bool) -> &mut Self {
        self.kill_on_drop = kill;
        self
    }

    /// Sets standard input. The default is [`Stdio::inherit`], and [`Stdio::null`] for
    /// [`output`](Self::output).
    pub fn stdin(&mut self, stdio: impl Into<Stdio>) -> &mut Self {
        self.stdio[0] = Some(stdio.into());
        self
    }

    /// Sets standard output. The default is [`Stdio::inherit`], and [`Stdio::piped`] for
    /// [`output`](Self::output).
    pub fn stdout(&mut self, stdio: impl Into<Stdio>) -> &mut Self {
        self.stdio[1] = Some(stdio.into());
        self
    }

    /// Sets standard error. The default is [`Stdio::inherit`], and [`Stdio::piped`] for
    /// [`output`](Self::output).
    pub fn stderr(&mut self, stdio: impl Into<Stdio>) -> &mut Self {
        self.stdio[2] = Some(stdio.into());
        self
    }

    /// Spawns the child, on the loop that runs on this thread.
    ///
    /// # Errors
    /// `ENOENT` if the program does not exist, `EACCES` if it is not executable, `EINVAL` if a
    /// string contains a NUL byte.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    #[doc(alias = "uv_spawn")]
    pub fn spawn(&self) -> io::Result<Child> {
        self.spawn_with([Stdio::inherit(), Stdio::inherit(), Stdio::inherit()])
    }

    /// Spawns the child and waits until it exits.
    ///
    /// # Errors
    /// Those of [`spawn`](Self::spawn) and [`Child::wait`].
    ///
    /// # Cancel safety
    /// If the future is dropped after its first poll, the child runs on, unless
    /// [`kill_on_drop`](Self::kill_on_drop) is set.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    pub async fn status(&self) -> io::Result<ExitStatus> {
        self.spawn()?.wait().await
    }

    /// Spawns the child, waits until it exits, and returns what it has written.
    ///
    /// # Errors
    /// Those of [`spawn`](Self::spawn) and [`Child::wait_with_output`].
    ///
    /// # Cancel safety
    /// If the future is dropped after its first poll, the output is lost. The child runs on, unless
    /// [`kill_on_drop`](Self::kill_on_drop) is set.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    pub async fn output(&self) -> io::Result<Output> {
        let child = self.spawn_with([Stdio::null(), Stdio::piped(), Stdio::piped()])?;
        child.wait_with_output().await
    }

    /// Spawns the child. `default` is for the streams that were not set.
    fn spawn_with(&self, default: [Stdio; 3]) -> io::Result<Child> {
        let core = current();
        let options = self.options()?;
        orphans::reap();
        let mut pipes = [None, None, None];
        let mut stdio = [process::Stdio::Ignore; 3];
        for (fd, default) in default.iter().enumerate() {
            stdio[fd] = match &self.stdio[fd].as_ref().unwrap_or(default).0 {
                StdioKind::Null => process::Stdio::Ignore,
                StdioKind::Inherit => process::Stdio::Inherit(standard(fd)),
                StdioKind::Descriptor(descriptor) => {
                    process::Stdio::Inherit(descriptor.raw_descriptor())
                }
                StdioKind::Piped => {
                    let pipe = pipes[fd].insert(PipeStream::unconnected(core.clone())?);
                    process::Stdio::OneWayPipe { stream: pipe.id(), child_reads: fd == 0 }
                }
            };
        }
        Ok(Child::spawn(core, &options, &stdio, pipes, self.kill_on_drop)?)
    }

    /// The options in the form of the system layer. `EINVAL` if a string contains a NUL byte.
    fn options(&self) -> Result<mauve_sys::process::ProcessOptions> {
        let args = self.args.iter().map(|arg| c_string(arg)).collect::<Result<Vec<_>>>()?;
        Ok(mauve_sys::process::ProcessOptions {
            file: c_string(&self.program)?,
            args,
            env: self.environment()?,
            cwd: self.cwd.as_deref().map(c_string).transpose()?,
            uid: self.uid,
            gid: self.gid,
            detached: self.detached,
            ..Default::default()
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
    CString::new(text.as_encoded_bytes()).map_err(|_| Errno::EINVAL)
}
