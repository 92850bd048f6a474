//! Processes, with a closure for their end.

use std::os::fd::RawFd;

use mauve_core::Completion;
use mauve_core::handle::process::Stdio;
use mauve_sys::process::{Command, Exit};
use mauve_sys::{Errno, Result};

use super::{AnyHandle, Pipe, common_methods};
use crate::Loop;
use crate::core::callback_token;

/// What a descriptor of a [`Process`] is.
pub enum Place<'a, S = ()> {
    /// Nothing; the null device for the first three.
    Null,
    /// A descriptor of ours.
    Inherit(RawFd),
    /// The other end of a pipe of ours, which has no descriptor yet. Both ends can be read and
    /// written.
    Pipe(&'a Pipe<S>),
}

/// A process that calls when it has ended. [`process::Command`](crate::process::Command) is the
/// same for tasks.
///
/// ```
/// use mauve::process::Program;
/// use mauve::{Loop, Place, Process, RunMode};
///
/// let lp: Loop = Loop::new()?;
/// let mut program = Program::new(c"sh".into());
/// program.args.extend([c"-c".into(), c"exit 3".into()]);
/// let process = Process::new(&lp);
/// process.spawn(&program, &[Place::Null, Place::Inherit(1), Place::Inherit(2)], |_, process, exit| {
///     assert_eq!(exit.status, 3);
///     process.close();
/// })?;
/// lp.run(RunMode::Default)?;
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_process_t")]
pub struct Process<S = ()>(AnyHandle<S>);

common_methods!(Process);

impl<S: 'static> Process<S> {
    /// Makes a handle without a process.
    pub fn new(lp: &Loop<S>) -> Self {
        let open = |key| Ok(lp.core.engine(|engine| engine.open_process(callback_token(key))));
        Self(AnyHandle::open(lp, open).expect("opening a process cannot fail"))
    }

    /// Starts a program; `ended` is called when it has ended. Fails if it cannot be started:
    /// `ENOENT` if there is no such program, `EACCES` if it is none.
    #[doc(alias = "uv_spawn")]
    pub fn spawn(
        &self,
        program: &Command,
        places: &[Place<'_, S>],
        ended: impl FnOnce(&mut S, &Process<S>, Exit) + 'static,
    ) -> Result<()> {
        let places: Vec<Stdio> = places.iter().map(stdio).collect();
        self.0.lp.core.engine(|engine| {
            let mut process = engine.process(self.0.id).ok_or(Errno::EINVAL)?;
            process.spawn(program, &places)
        })?;
        let mut ended = Some(ended);
        self.0.on_event(move |state, handle, completion| {
            let this = Self(handle);
            if let (Completion::Exit { exit, .. }, Some(ended)) = (completion, ended.take()) {
                ended(state, &this, *exit);
            }
            this.0
        });
        Ok(())
    }

    /// Its number; zero if it was not started.
    #[doc(alias = "uv_process_get_pid")]
    pub fn pid(&self) -> i32 {
        let pid = |mut process: mauve_core::handle::process::ProcessMut<'_, _>| process.pid();
        self.0.lp.core.engine(|engine| engine.process(self.0.id).map_or(0, pid))
    }

    /// Sends it a signal. `ESRCH` if it has ended.
    #[doc(alias = "uv_process_kill")]
    pub fn kill(&self, signal: i32) -> Result<()> {
        self.0.lp.core.engine(|engine| engine.process(self.0.id).ok_or(Errno::ESRCH)?.kill(signal))
    }
}

fn stdio<S>(place: &Place<'_, S>) -> Stdio {
    match place {
        Place::Null => Stdio::Ignore,
        Place::Inherit(fd) => Stdio::Inherit(*fd),
        Place::Pipe(pipe) => Stdio::Pipe { stream: pipe.0.id, readable: true, writable: true },
    }
}
