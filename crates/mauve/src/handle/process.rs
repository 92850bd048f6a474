//! Child processes, with an exit callback.

use mauve_core::handle::process;
use mauve_core::{Completion, Engine};
use mauve_sys::descriptor::RawDescriptor;
use mauve_sys::process::{ExitStatus, ProcessOptions};
use mauve_sys::{Errno, Result};

use super::{AnyHandle, Pipe};
use crate::LoopRef;
use crate::signal::SignalKind;
use crate::targets::Report;

/// What a file descriptor of a [`Process`] refers to.
///
/// [`process::Stdio`](crate::process::Stdio) is the type for [`process::Command`].
///
/// ```
/// use mauve::process::ProcessOptions;
/// use mauve::{Loop, Pipe, Process, RunMode, ProcessStdio};
///
/// let lp = Loop::<Vec<u8>>::new()?;
/// let stdout = Pipe::new(&lp);
/// let mut options = ProcessOptions::new(c"echo".into());
/// options.args.push(c"hello".into());
/// let stdio = [ProcessStdio::Null, ProcessStdio::Pipe(&stdout), ProcessStdio::Inherit(2)];
/// Process::new(&lp).spawn(&options, &stdio, |_, process, _| process.close())?;
/// stdout.read_start(|output, stdout, data| match data {
///     Ok(Some(bytes)) => output.extend(bytes),
///     _ => stdout.close(),
/// })?;
/// let mut output = Vec::new();
/// lp.run_with(&mut output, RunMode::Default)?;
/// assert_eq!(output, b"hello\n");
/// # Ok::<(), mauve::Errno>(())
/// ```
///
/// [`process::Command`]: crate::process::Command
#[doc(alias = "uv_stdio_container_t")]
#[non_exhaustive]
pub enum ProcessStdio<'a, S = ()> {
    /// `/dev/null` for the first three descriptors. Other descriptors are not opened.
    #[doc(alias = "UV_IGNORE")]
    Null,
    /// A descriptor of this process.
    #[doc(alias = "UV_INHERIT_FD")]
    Inherit(RawDescriptor),
    /// The peer of a pipe, which must not have a descriptor yet. Both ends are readable and
    /// writable.
    #[doc(alias = "UV_CREATE_PIPE")]
    Pipe(&'a Pipe<S>),
}

impl<S> std::fmt::Debug for ProcessStdio<'_, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Null => f.write_str("Null"),
            Self::Inherit(fd) => f.debug_tuple("Inherit").field(fd).finish(),
            Self::Pipe(pipe) => f.debug_tuple("Pipe").field(pipe).finish(),
        }
    }
}

/// A child process with an exit callback. Tasks use [`process::Command`](crate::process::Command).
///
/// ```
/// use mauve::process::ProcessOptions;
/// use mauve::{Loop, Process, RunMode, ProcessStdio};
///
/// let lp: Loop = Loop::new()?;
/// let mut options = ProcessOptions::new(c"sh".into());
/// options.args.extend([c"-c".into(), c"exit 3".into()]);
/// let process = Process::new(&lp);
/// let stdio = [ProcessStdio::Null, ProcessStdio::Inherit(1), ProcessStdio::Inherit(2)];
/// process.spawn(&options, &stdio, |_, process, exit| {
///     assert_eq!(exit.status, 3);
///     process.close();
/// })?;
/// lp.run(RunMode::Default)?;
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_process_t")]
pub struct Process<S = ()>(AnyHandle<S>);

handle_type!(Process);

impl<S: 'static> Process<S> {
    /// Creates a handle without a process.
    pub fn new(lp: &LoopRef<S>) -> Self {
        Self(AnyHandle::open(lp, Engine::open_process))
    }

    /// Starts a program, and calls `callback` when it exits. `stdio` lists the child's descriptors
    /// from zero on.
    ///
    /// `ENOENT` if the program does not exist, `EACCES` if it is not executable.
    #[doc(alias = "uv_spawn")]
    #[track_caller]
    pub fn spawn(
        &self,
        options: &ProcessOptions,
        stdio: &[ProcessStdio<'_, S>],
        callback: impl FnOnce(&mut S, &Process<S>, ExitStatus) + 'static,
    ) -> Result<()> {
        let stdio: Vec<process::Stdio> = stdio.iter().map(engine_stdio).collect();
        self.lp.core.engine_result(|engine| {
            let mut process = engine.process(self.id).ok_or(Errno::EINVAL)?;
            process.spawn(options, &stdio)
        })?;
        let mut callback = Some(callback);
        self.on_event(move |state, this: &Self, report| {
            if let Report::Event(Completion::Exit { exit, .. }) = report
                && let Some(callback) = callback.take()
            {
                callback(state, this, *exit);
            }
        });
        Ok(())
    }

    /// The process id. `None` if no process was started.
    #[doc(alias = "uv_process_get_pid")]
    pub fn id(&self) -> Option<u32> {
        let pid = self.lp.core.try_engine(|engine| Some(engine.process(self.id)?.pid()));
        // Zero before the start.
        pid.flatten().filter(|pid| *pid > 0).map(i32::cast_unsigned)
    }

    /// Sends a signal to the process. `ESRCH` if it has exited.
    ///
    /// ```
    /// use mauve::process::ProcessOptions;
    /// use mauve::signal::SignalKind;
    /// use mauve::{Errno, Loop, Process, RunMode};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let mut options = ProcessOptions::new(c"sleep".into());
    /// options.args.push(c"60".into());
    /// let process = Process::new(&lp);
    /// process.spawn(&options, &[], |_, process, exit| {
    ///     assert_eq!(SignalKind::from(exit.signal), SignalKind::terminate());
    ///     assert_eq!(process.signal(SignalKind::kill()), Err(Errno::ESRCH));
    ///     process.close();
    /// })?;
    /// assert!(process.id().is_some());
    /// process.signal(SignalKind::terminate())?;
    /// lp.run(RunMode::Default)?;
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_process_kill")]
    pub fn signal(&self, signal: impl Into<SignalKind>) -> Result<()> {
        let number = signal.into().as_raw_value();
        self.lp
            .core
            .engine_result(|engine| engine.process(self.id).ok_or(Errno::ESRCH)?.kill(number))
    }
}

fn engine_stdio<S>(stdio: &ProcessStdio<'_, S>) -> process::Stdio {
    match stdio {
        ProcessStdio::Null => process::Stdio::Ignore,
        ProcessStdio::Inherit(fd) => process::Stdio::Inherit(*fd),
        ProcessStdio::Pipe(pipe) => {
            process::Stdio::Pipe { stream: pipe.id, readable: true, writable: true }
        }
    }
}
