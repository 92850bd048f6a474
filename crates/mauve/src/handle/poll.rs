//! Polling file descriptors of the user.

use std::os::fd::{AsFd, AsRawFd};
use std::rc::Rc;

use mauve_core::Completion;
use mauve_sys::driver::{Interest, Readiness};
use mauve_sys::{Errno, Result};

use super::AnyHandle;
use crate::LoopRef;
use crate::core::handle_token;

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
    pub fn new(lp: &LoopRef<S>, source: impl AsFd + 'static) -> Result<Self> {
        let fd = source.as_fd().as_raw_fd();
        let open = |key| {
            let id = lp.core.engine_result(|engine| engine.open_poll(handle_token(key), fd))?;
            mauve_sys::fd::set_nonblocking(fd, true)?;
            Ok(id)
        };
        let handle = AnyHandle::open(lp, open)?;
        // The close callback owns the source: the descriptor is open as long as the handle.
        let source: Rc<dyn AsFd> = Rc::new(source);
        lp.callbacks.set_close(handle.key, move |_, _, _| drop(source));
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
        self.on_event(move |state, this: &Self, completion| {
            if let Completion::Poll { result, .. } = *completion {
                callback(state, this, result);
            }
        });
        Ok(())
    }

    /// Stops polling. Does nothing if the handle is not started.
    ///
    /// ```
    /// use mauve::{Interest, Loop, Poll, RunMode};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let (ours, _theirs) = std::os::unix::net::UnixStream::pair().unwrap();
    /// let poll = Poll::new(&lp, ours)?;
    /// poll.start(Interest::WRITABLE, |_, poll, _| poll.stop())?;
    /// // The handle is open, but does not keep the loop alive.
    /// assert!(!lp.run(RunMode::Default)?);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_poll_stop")]
    pub fn stop(&self) {
        self.lp.core.try_engine(|engine| {
            if let Some(mut poll) = engine.poll(self.id) {
                poll.stop();
            }
        });
    }
}
