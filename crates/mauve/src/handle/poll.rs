//! Polling file descriptors of the user.

use mauve_core::Completion;
use mauve_sys::driver::{Interest, Readiness};
use mauve_sys::{Errno, Result};

use super::AnyHandle;
use crate::LoopRef;
use crate::os_io::{PollSource, raw_descriptor};
use crate::targets::Report;

/// Polls a file descriptor and runs a callback when it is ready.
///
/// Polling is level-triggered: the callback runs in every iteration in which the descriptor is
/// ready.
///
/// ```
/// use std::io::Write;
/// use std::os::unix::net::UnixStream;
/// use mauve::{Interest, Loop, Poll, RunMode};
///
/// let lp: Loop = Loop::new()?;
/// let (ours, mut theirs) = UnixStream::pair().unwrap();
/// let poll = Poll::new(&lp, ours)?;
/// poll.start(Interest::READABLE, |_, poll, result| {
///     assert!(result.is_ok());
///     poll.close();
/// })?;
/// theirs.write_all(b"!").unwrap();
/// lp.run(RunMode::Default)?;
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_poll_t")]
pub struct Poll<S = ()>(AnyHandle<S>);

handle_type!(Poll);

impl<S: 'static> Poll<S> {
    /// Creates a handle for `source`, and keeps `source` until the handle is closed. To keep using
    /// the source, pass an `Rc` of it. The descriptor is set to non-blocking mode.
    ///
    /// `EPERM` if the descriptor cannot be polled (a regular file), `EEXIST` if the loop polls it
    /// already.
    #[doc(alias = "uv_poll_init")]
    pub fn new(lp: &LoopRef<S>, source: impl PollSource + 'static) -> Result<Self> {
        let fd = raw_descriptor(&source);
        let handle = AnyHandle::try_open(lp, |engine, token| {
            let id = engine.open_poll(token, fd)?;
            mauve_sys::fd::set_nonblocking(fd, true)?;
            Ok(id)
        })?;
        // The close callback owns the source: the descriptor is open as long as the handle.
        lp.core.targets.set_close(handle.key, move |_: &mut S| drop(source));
        Ok(Self(handle))
    }

    /// Calls `callback` when the descriptor is ready for any of `interest`. Replaces an earlier
    /// interest and callback. After an error the handle is stopped.
    #[doc(alias = "uv_poll_start")]
    #[track_caller]
    pub fn start(
        &self,
        interest: Interest,
        mut callback: impl FnMut(&mut S, &Poll<S>, Result<Readiness>) + 'static,
    ) -> Result<()> {
        self.lp
            .core
            .engine_result(|engine| engine.poll(self.id).ok_or(Errno::EINVAL)?.start(interest))?;
        self.on_event(move |state, this: &Self, report| {
            if let Report::Event(Completion::Poll { result, .. }) = report {
                callback(state, this, *result);
            }
        });
        Ok(())
    }

    /// Stops polling. Does nothing if the handle is not started.
    #[doc(alias = "uv_poll_stop")]
    pub fn stop(&self) {
        self.lp.core.try_engine(|engine| {
            if let Some(mut poll) = engine.poll(self.id) {
                poll.stop();
            }
        });
    }
}
