//! A running child process.

use std::fmt;
use std::future::{Future, poll_fn};
use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::pin::Pin;
use std::process::{ExitStatus, Output};
use std::rc::Rc;
use std::task::{Context, Poll, ready};

use futures_io::AsyncRead;
use mauve_core::handle::process;
use mauve_core::{Engine, HandleId};
use mauve_sys::process::{ExitStatus as ProcessExit, ProcessOptions};
use mauve_sys::signal::numbers::SIGKILL;
use mauve_sys::{Errno, Result};

use super::{ChildStderr, ChildStdin, ChildStdout, orphans};
use crate::core::{Core, future_token};
use crate::net::UnixStream;
use crate::task::Outcome;

/// A child process.
///
/// Dropping it does not kill the process, unless [`Command::kill_on_drop`] was set. The loop reaps
/// the process when it exits.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// use mauve::process::Command;
///
/// let mut child = Command::new("true").spawn()?;
/// assert!(child.wait().await?.success());
/// # Ok(())
/// # }
/// ```
///
/// [`Command::kill_on_drop`]: super::Command::kill_on_drop
#[doc(alias = "uv_process_t")]
pub struct Child {
    /// The child's standard input, if it is piped.
    pub stdin: Option<ChildStdin>,
    /// The child's standard output, if it is piped.
    pub stdout: Option<ChildStdout>,
    /// The child's standard error, if it is piped.
    pub stderr: Option<ChildStderr>,
    core: Rc<Core>,
    handle: HandleId,
    key: usize,
    pid: i32,
    exit: Option<ProcessExit>,
    kill_on_drop: bool,
}

impl Child {
    pub(super) fn spawn(
        core: Rc<Core>,
        options: &ProcessOptions,
        stdio: &[process::Stdio],
        pipes: [Option<UnixStream>; 3],
        kill_on_drop: bool,
    ) -> Result<Self> {
        let key = core.futures.reserve();
        let (handle, spawned) = core.engine(|engine| {
            let id = engine.open_process(future_token(key));
            // Not referenced: the task that waits for the child keeps the loop alive.
            engine.set_referenced(id, false);
            engine.hide(id);
            let mut process = engine.process(id).expect("just opened");
            (id, process.spawn(options, stdio).map(|()| process.pid()))
        });
        let pid = match spawned {
            Ok(pid) => pid,
            Err(error) => {
                core.futures.detach(key);
                core.engine(|engine| engine.close_handle(handle));
                return Err(error);
            }
        };
        let [stdin, stdout, stderr] = pipes;
        Ok(Self {
            stdin: stdin.map(ChildStdin),
            stdout: stdout.map(ChildStdout),
            stderr: stderr.map(ChildStderr),
            core,
            handle,
            key,
            pid,
            exit: None,
            kill_on_drop,
        })
    }

    /// The process id. `None` after the exit status was returned, since the id may then belong to
    /// another process.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// # use mauve::process::Command;
    /// let mut child = Command::new("true").spawn()?;
    /// assert!(child.id().is_some());
    /// child.wait().await?;
    /// assert_eq!(child.id(), None);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "uv_process_get_pid")]
    pub fn id(&self) -> Option<u32> {
        self.exit.is_none().then_some(self.pid as u32)
    }

    /// Sends a signal to the process. `ESRCH` if it has exited and was reaped.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// use std::os::unix::process::ExitStatusExt;
    /// # use mauve::process::{Command, SIGTERM};
    ///
    /// let mut child = Command::new("sleep").arg("3600").spawn()?;
    /// child.signal(SIGTERM)?;
    /// assert_eq!(child.wait().await?.signal(), Some(SIGTERM));
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "uv_process_kill")]
    pub fn signal(&self, signal: i32) -> io::Result<()> {
        let kill =
            |engine: &mut Engine<_>| engine.process(self.handle).ok_or(Errno::ESRCH)?.kill(signal);
        let killed = self.core.try_engine(kill);
        Ok(killed.unwrap_or_else(|| orphans::kill(self.pid, signal))?)
    }

    /// Sends `SIGKILL` to the process, and does not wait for its exit. Does nothing if it has
    /// exited.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// # use mauve::process::Command;
    /// let mut child = Command::new("sleep").arg("3600").spawn()?;
    /// child.start_kill()?;
    /// assert!(!child.wait().await?.success());
    /// # Ok(())
    /// # }
    /// ```
    pub fn start_kill(&mut self) -> io::Result<()> {
        match self.signal(SIGKILL) {
            Err(error) if error.raw_os_error() == Some(Errno::ESRCH.raw()) => Ok(()),
            result => result,
        }
    }

    /// Sends `SIGKILL` to the process and waits until it has exited.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// use std::os::unix::process::ExitStatusExt;
    /// use mauve::process::{Command, SIGKILL};
    ///
    /// let mut child = Command::new("sleep").arg("3600").spawn()?;
    /// child.kill().await?;
    /// assert_eq!(child.wait().await?.signal(), Some(SIGKILL));
    /// # Ok(())
    /// # }
    /// ```
    pub async fn kill(&mut self) -> io::Result<()> {
        self.start_kill()?;
        self.wait().await.map(drop)
    }

    /// The exit status, if the process has exited. Does not wait, and need not have been preceded
    /// by [`wait`](Self::wait).
    ///
    /// ```
    /// use mauve::process::Command;
    ///
    /// let lp: mauve::Loop = mauve::Loop::new()?;
    /// lp.block_on(async {
    ///     let mut child = Command::new("true").spawn()?;
    ///     while child.try_wait()?.is_none() {
    ///         mauve::yield_now().await;
    ///     }
    ///     std::io::Result::Ok(())
    /// })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// `ECHILD` if the process was reaped elsewhere and its status is lost. `EINVAL` if the loop was
    /// dropped before the exit.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.exit.is_none() {
            let reported = self.core.futures.outcome(self.key, exit_of).flatten();
            let reap = || {
                let process = |engine: &mut Engine<_>| {
                    engine.process(self.handle).and_then(|mut process| process.try_wait())
                };
                self.core.try_engine(process).flatten()
            };
            self.exit = reported.or_else(reap);
            if self.exit.is_none() && self.core.is_closed() {
                return Err(Errno::EINVAL.into());
            }
        }
        self.exit.map(exit_status).transpose()
    }

    /// Waits until the process exits. Returns the same status when called again.
    ///
    /// Closes the child's standard input first, so that a child that reads it to its end exits.
    ///
    /// # Errors
    /// `ECHILD` if the process was reaped elsewhere and its status is lost. `EINVAL` if the loop was
    /// dropped before the exit.
    pub fn wait(&mut self) -> Wait<'_> {
        drop(self.stdin.take());
        Wait(self)
    }

    /// Waits until the process exits, and returns what it wrote to its piped streams.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// use mauve::process::{Command, Stdio};
    ///
    /// let child = Command::new("echo").arg("hello").stdout(Stdio::piped()).spawn()?;
    /// assert_eq!(child.wait_with_output().await?.stdout, b"hello\n");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Those of reading, and of [`wait`](Self::wait).
    pub async fn wait_with_output(mut self) -> io::Result<Output> {
        let mut stdout = ReadToEnd::new(self.stdout.take());
        let mut stderr = ReadToEnd::new(self.stderr.take());
        let mut wait = self.wait();
        let mut status = None;
        // All at once: a child may block on one stream while the other is full.
        poll_fn(|context| {
            let streams = [stdout.poll(context)?, stderr.poll(context)?];
            if status.is_none()
                && let Poll::Ready(exit) = Pin::new(&mut wait).poll(context)
            {
                status = Some(exit?);
            }
            let done = status.is_some() && streams.iter().all(Poll::is_ready);
            if done { Poll::Ready(io::Result::Ok(())) } else { Poll::Pending }
        })
        .await?;
        let status = status.expect("the loop above ends after the exit");
        Ok(Output { status, stdout: stdout.bytes, stderr: stderr.bytes })
    }
}

fn exit_of(outcome: &Outcome) -> Option<ProcessExit> {
    match outcome {
        Outcome::Exit(exit) => Some(*exit),
        _ => None,
    }
}

/// The status in the form of the standard library. A negative one is an error number.
fn exit_status(exit: ProcessExit) -> io::Result<ExitStatus> {
    if exit.status < 0 {
        return Err(io::Error::from_raw_os_error(-exit.status as i32));
    }
    // The encoding of `waitpid`.
    let core_dumped = i32::from(exit.core_dumped) << 7;
    Ok(ExitStatus::from_raw((exit.status as i32 & 0xff) << 8 | core_dumped | exit.signal & 0x7f))
}

/// Reads a stream to its end.
struct ReadToEnd<R> {
    /// `None` at the end.
    stream: Option<R>,
    bytes: Vec<u8>,
    /// The number of bytes that were read. The rest of `bytes` is room.
    len: usize,
}

impl<R: AsyncRead + Unpin> ReadToEnd<R> {
    fn new(stream: Option<R>) -> Self {
        Self { stream, bytes: Vec::new(), len: 0 }
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some(stream) = &mut self.stream {
            if self.len == self.bytes.len() {
                self.bytes.resize((self.len * 2).max(4096), 0);
            }
            match ready!(Pin::new(stream).poll_read(context, &mut self.bytes[self.len..]))? {
                0 => {
                    self.stream = None;
                    self.bytes.truncate(self.len);
                }
                read => self.len += read,
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// The future of [`Child::wait`].
#[derive(Debug)]
#[must_use = "futures do nothing unless they are awaited"]
pub struct Wait<'a>(&'a mut Child);

impl Future for Wait<'_> {
    type Output = io::Result<ExitStatus>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let child = &mut *self.0;
        if child.exit.is_none() {
            let Core { futures, executor, .. } = &*child.core;
            child.exit = futures.poll(child.key, context, executor, exit_of).flatten();
            if child.exit.is_none() && child.core.is_closed() {
                return Poll::Ready(Err(Errno::EINVAL.into()));
            }
        }
        child.exit.map_or(Poll::Pending, |exit| Poll::Ready(exit_status(exit)))
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // The slot is freed by the close completion.
        self.core.futures.detach(self.key);
        let running = self.exit.is_none() && self.signal(0).is_ok();
        if running && self.kill_on_drop {
            // The error means that the process has exited meanwhile.
            let _ = self.signal(SIGKILL);
        }
        if running {
            self.core.add_orphan(self.key, self.handle);
        } else {
            self.core.try_engine(|engine| engine.close_handle(self.handle));
        }
    }
}

impl fmt::Debug for Child {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Child")
            .field("id", &self.pid)
            .field("exit", &self.exit)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exit_status_has_the_encoding_of_waitpid() {
        let exited = ProcessExit { status: 3, ..ProcessExit::default() };
        assert_eq!(exit_status(exited).unwrap().code(), Some(3));
        for core_dumped in [false, true] {
            let killed = ProcessExit { signal: SIGKILL, core_dumped, ..ProcessExit::default() };
            let status = exit_status(killed).unwrap();
            assert_eq!((status.signal(), status.core_dumped()), (Some(SIGKILL), core_dumped));
        }
        let lost = ProcessExit { status: -10, ..ProcessExit::default() };
        assert_eq!(exit_status(lost).unwrap_err().raw_os_error(), Some(10));
    }
}
