//! A running child process.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use mauve_core::HandleId;
use mauve_core::handle::process::{ProcessMut, Stdio};
use mauve_sys::driver::Platform;
use mauve_sys::process::{ExitStatus, ProcessOptions};
use mauve_sys::{Errno, Result};

use crate::core::{Core, future_token};
use crate::net::UnixStream;
use crate::task::Outcome;

/// A child process. Dropping it does not kill the process. The loop reaps the process when it
/// exits.
#[doc(alias = "uv_process_t")]
pub struct Child {
    /// The child's standard input, if it is piped. Dropping it closes it, so that the child reads
    /// the end of file.
    pub stdin: Option<UnixStream>,
    /// The child's standard output, if it is piped.
    pub stdout: Option<UnixStream>,
    /// The child's standard error, if it is piped.
    pub stderr: Option<UnixStream>,
    core: Rc<Core>,
    id: HandleId,
    key: usize,
    exit: Option<ExitStatus>,
}

impl Child {
    pub(super) fn spawn(
        core: Rc<Core>,
        options: &ProcessOptions,
        stdio: &[Stdio],
        pipes: [Option<UnixStream>; 3],
    ) -> Result<Self> {
        let key = core.futures.reserve();
        let (id, spawned) = core.engine(|engine| {
            let id = engine.open_process(future_token(key));
            // Not referenced: the task that waits for the child keeps the loop alive.
            engine.set_referenced(id, false);
            engine.hide(id);
            (id, engine.process(id).expect("just opened").spawn(options, stdio))
        });
        if let Err(error) = spawned {
            core.futures.detach(key);
            core.engine(|engine| engine.close_handle(id));
            return Err(error);
        }
        let [stdin, stdout, stderr] = pipes;
        Ok(Self { stdin, stdout, stderr, core, id, key, exit: None })
    }

    /// The process id.
    #[doc(alias = "uv_process_get_pid")]
    pub fn pid(&self) -> i32 {
        self.with(|mut process| process.pid())
    }

    /// Sends a signal to the process. `ESRCH` if it has exited.
    #[doc(alias = "uv_process_kill")]
    pub fn kill(&self, signal: i32) -> Result<()> {
        self.with(|mut process| process.kill(signal))
    }

    /// The exit status, if [`wait`](Self::wait) has returned it.
    pub fn exit_status(&self) -> Option<ExitStatus> {
        self.exit
    }

    /// Waits until the process exits. Returns the same status when called again.
    pub fn wait(&mut self) -> Wait<'_> {
        Wait(self)
    }

    fn with<R>(&self, operation: impl FnOnce(ProcessMut<'_, Platform>) -> R) -> R {
        self.core.engine(|engine| operation(engine.process(self.id).expect("open until dropped")))
    }
}

/// The future of [`Child::wait`].
#[must_use = "futures do nothing unless they are awaited"]
pub struct Wait<'a>(&'a mut Child);

impl Future for Wait<'_> {
    type Output = ExitStatus;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<ExitStatus> {
        let child = &mut *self.0;
        let Core { futures, executor, .. } = &*child.core;
        let exit = |outcome: &Outcome| match outcome {
            Outcome::Exit(exit) => Some(*exit),
            _ => None,
        };
        if let Some(Some(exit)) = futures.poll(child.key, context, executor, exit) {
            child.exit = Some(exit);
        }
        child.exit.map_or(Poll::Pending, Poll::Ready)
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // The slot is freed by the close completion.
        self.core.futures.detach(self.key);
        let running = self.exit.is_none() && self.kill(0) != Err(Errno::ESRCH);
        if running {
            self.core.add_orphan(self.key, self.id);
        } else {
            self.core.try_engine(|engine| engine.close_handle(self.id));
        }
    }
}
