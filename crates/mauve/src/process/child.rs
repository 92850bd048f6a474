//! A process that was started.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use mauve_core::HandleId;
use mauve_core::handle::process::Stdio;
use mauve_sys::process::{Command, Exit};
use mauve_sys::{Errno, Result};

use crate::core::{Core, future_token};
use crate::net::UnixStream;
use crate::task::News;

/// A process that was started. Dropping it does not end the process; the loop sees to it that
/// nothing of it stays when it has ended.
#[doc(alias = "uv_process_t")]
pub struct Child {
    /// What it reads, if that was asked for. Drop it to tell the child that nothing more comes.
    pub stdin: Option<UnixStream>,
    /// What it writes, if that was asked for.
    pub stdout: Option<UnixStream>,
    /// What it complains of, if that was asked for.
    pub stderr: Option<UnixStream>,
    core: Rc<Core>,
    id: HandleId,
    key: usize,
    exit: Option<Exit>,
}

impl Child {
    pub(super) fn spawn(
        core: Rc<Core>,
        command: &Command,
        places: &[Stdio],
        pipes: [Option<UnixStream>; 3],
    ) -> Result<Self> {
        let key = core.futures.reserve();
        let (id, spawned) = core.engine(|engine| {
            let id = engine.open_process(future_token(key));
            // It belongs to a task; the loop does not wait for it but for the task.
            engine.set_referenced(id, false);
            engine.hide(id);
            (id, engine.process(id).expect("just opened").spawn(command, places))
        });
        if let Err(error) = spawned {
            core.futures.forget(key);
            core.engine(|engine| engine.close_handle(id));
            return Err(error);
        }
        let [stdin, stdout, stderr] = pipes;
        Ok(Self { stdin, stdout, stderr, core, id, key, exit: None })
    }

    /// The number of the process.
    #[doc(alias = "uv_process_get_pid")]
    pub fn pid(&self) -> i32 {
        self.with(|mut process| process.pid())
    }

    /// Sends it a signal. `ESRCH` if it has ended.
    #[doc(alias = "uv_process_kill")]
    pub fn kill(&self, signal: i32) -> Result<()> {
        self.with(|mut process| process.kill(signal))
    }

    /// How it ended, if it has.
    pub fn try_status(&self) -> Option<Exit> {
        self.exit
    }

    /// Waits for its end. May be asked again after that.
    pub fn status(&mut self) -> Status<'_> {
        Status(self)
    }

    fn with<R>(
        &self,
        operation: impl FnOnce(
            mauve_core::handle::process::ProcessMut<'_, mauve_sys::driver::Platform>,
        ) -> R,
    ) -> R {
        self.core.engine(|engine| operation(engine.process(self.id).expect("open until dropped")))
    }
}

/// Waits for the end of a [`Child`].
#[must_use = "futures do nothing unless they are awaited"]
pub struct Status<'a>(&'a mut Child);

impl Future for Status<'_> {
    type Output = Exit;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Exit> {
        let child = &mut *self.0;
        let Core { futures, executor, .. } = &*child.core;
        let exit = |news: &News| if let News::Exit(exit) = news { Some(*exit) } else { None };
        if let Some(Some(exit)) = futures.poll(child.key, context, executor, exit) {
            child.exit = Some(exit);
        }
        child.exit.map_or(Poll::Pending, Poll::Ready)
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // The slot is freed by the close completion.
        self.core.futures.forget(self.key);
        let running = self.exit.is_none() && self.kill(0) != Err(Errno::ESRCH);
        if running {
            self.core.adopt(self.key, self.id);
        } else {
            self.core.engine(|engine| engine.close_handle(self.id));
        }
    }
}
