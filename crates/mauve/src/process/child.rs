//! A running child process.

use std::fmt;
use std::future::{Future, poll_fn};
use std::io;
use std::pin::Pin;
use std::process::{ExitStatus, Output};
use std::rc::Rc;
use std::task::{Context, Poll, ready};

use futures_io::AsyncRead;
use mauve_core::handle::process;
use mauve_core::{Engine, HandleId};
use mauve_sys::process::{ExitStatus as ProcessExit, ProcessOptions};
use mauve_sys::{Errno, Result};

use super::{ChildStderr, ChildStdin, ChildStdout, orphans};
use crate::core::Core;
use crate::net::PipeStream;
use crate::signal::SignalKind;
use crate::targets::{self, Outcome};

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
        pipes: [Option<PipeStream>; 3],
        kill_on_drop: bool,
    ) -> Result<Self> {
        let key = core.targets.insert_future();
        let (handle, spawned) = core.engine(|engine| {
            let id = engine.open_process(targets::token(key));
            // Not referenced: the task that waits for the child keeps the loop alive.
            engine.set_referenced(id, false);
            engine.hide(id);
            let mut process = engine.process(id).expect("just opened");
            (id, process.spawn(options, stdio).map(|()| process.pid()))
        });
        let pid = match spawned {
            Ok(pid) => pid,
            Err(error) => {
                core.targets.detach_future(key);
                core.engine(|engine| engine.close_handle(handle));
                return Err(error);
            }
        };
        let [stdin, stdout, stderr] = pipes;
        Ok(Self {
            stdin: stdin.map(ChildStdin::new),
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
    /// # use mauve::process::Command;
    /// # use mauve::signal::SignalKind;
    ///
    /// let mut child = Command::new("sleep").arg("3600").spawn()?;
    /// child.signal(SignalKind::terminate())?;
    /// let signal = child.wait().await?.signal().map(SignalKind::from);
    /// assert_eq!(signal, Some(SignalKind::terminate()));
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "uv_process_kill")]
    pub fn signal(&self, signal: impl Into<SignalKind>) -> io::Result<()> {
        let signal = signal.into().as_raw_value();
        let kill =
            |engine: &mut Engine<_>| engine.process(self.handle).ok_or(Errno::ESRCH)?.kill(signal);
        let killed = self.core.try_engine(kill);
        Ok(killed.unwrap_or_else(|| orphans::kill(self.pid, signal))?)
    }

    /// Sends `SIGKILL` to the process, and does not wait for its exit. Does nothing if it has
    /// exited.
    pub fn start_kill(&mut self) -> io::Result<()> {
        match self.signal(SignalKind::kill()).map_err(Errno::from) {
            Err(Errno::ESRCH) => Ok(()),
            result => Ok(result?),
        }
    }

    /// Sends `SIGKILL` to the process and waits until it has exited.
    ///
    /// # Cancel safety
    /// The signal is sent at the first poll. If the future is dropped, [`wait`](Self::wait) returns the status.
    pub async fn kill(&mut self) -> io::Result<()> {
        self.start_kill()?;
        self.wait().await.map(drop)
    }

    /// The exit status, if the process has exited. Does not wait, and need not have been preceded
    /// by [`wait`](Self::wait).
    ///
    /// # Errors
    /// `ECHILD` if the process was reaped elsewhere and its status is lost. `EINVAL` if the loop was
    /// dropped before the exit.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.exit.is_none() {
            let reported = self.core.targets.outcome(self.key, exit_of).flatten();
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
    /// dropped before the exit. An error that names both loops if another loop runs on this thread: its
    /// task would wait for ever.
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
    ///
    /// # Cancel safety
    /// If the future is dropped, the output is lost. The child runs on, unless
    /// [`kill_on_drop`](super::Command::kill_on_drop) is set.
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
        return Err(Errno::from_raw(-exit.status as i32).into());
    }
    Ok(exit.to_std())
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
            let Core { targets, executor, .. } = &*child.core;
            child.exit = targets.poll_future(child.key, context, executor, exit_of).flatten();
            if child.exit.is_none() {
                if child.core.is_closed() {
                    return Poll::Ready(Err(Errno::EINVAL.into()));
                }
                child.core.check_current("a child")?;
            }
        }
        child.exit.map_or(Poll::Pending, |exit| Poll::Ready(exit_status(exit)))
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // The slot is freed by the close completion.
        self.core.targets.detach_future(self.key);
        let running = self.exit.is_none() && self.signal(0).is_ok();
        if running && self.kill_on_drop {
            // The error means that the process has exited meanwhile.
            let _ = self.signal(SignalKind::kill());
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
    fn a_negative_status_is_an_error() {
        let mut exit = ProcessExit::default();
        exit.status = 3;
        assert_eq!(exit_status(exit).unwrap().code(), Some(3));
        exit.status = -i64::from(Errno::ESRCH.raw());
        assert_eq!(Errno::from(exit_status(exit).unwrap_err()), Errno::ESRCH);
    }
}
