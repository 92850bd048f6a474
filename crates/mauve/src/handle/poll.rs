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

impl<S: 'static> Poll<S> {
    /// Creates a handle for `source`, and keeps `source` until the handle is closed. To keep using
    /// the source, pass an `Rc` of it. The descriptor is set to non-blocking mode.
    ///
    /// `EPERM` if the descriptor cannot be polled (a regular file), `EEXIST` if the loop polls it
    /// already.
    ///
    /// ```
    /// use mauve::{Errno, Loop, Poll};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let file = std::fs::File::open("/proc/self/status").unwrap();
    /// # let file = tempfile().unwrap_or(file);
    /// # fn tempfile() -> Option<std::fs::File> { std::fs::File::open(std::env::current_exe().ok()?).ok() }
    /// assert_eq!(Poll::new(&lp, file).unwrap_err(), Errno::EPERM);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
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
    ///
    /// ```
    /// use std::io::{Read, Write};
    /// use std::os::unix::net::UnixStream;
    /// use std::rc::Rc;
    /// use mauve::{Interest, Loop, Poll, Readiness, RunMode};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let (ours, mut theirs) = UnixStream::pair().unwrap();
    /// let ours = Rc::new(ours);
    /// let poll = Poll::new(&lp, ours.clone())?;
    /// poll.start(Interest::READABLE, move |_, poll, ready| {
    ///     assert_eq!(ready, Ok(Readiness::READABLE));
    ///     assert_eq!((&*ours).read(&mut [0; 8]).unwrap(), 5);
    ///     poll.close();
    /// })?;
    /// theirs.write_all(b"hello").unwrap();
    /// lp.run(RunMode::Default)?;
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_poll_start")]
    #[track_caller]
    pub fn start(
        &self,
        interest: Interest,
        mut callback: impl FnMut(&mut S, &Poll<S>, Result<Readiness>) + 'static,
    ) -> Result<()> {
        self.0
            .lp
            .core
            .engine_result(|engine| engine.poll(self.0.id).ok_or(Errno::EINVAL)?.start(interest))?;
        self.0.on_event(move |state, handle, completion| {
            let this = Self(handle);
            if let Completion::Poll { result, .. } = *completion {
                callback(state, &this, result);
            }
            this.0
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
        self.0.lp.core.try_engine(|engine| {
            if let Some(mut poll) = engine.poll(self.0.id) {
                poll.stop();
            }
        });
    }
}

impl<S: 'static> Poll<S> {
    /// The loop of the handle.
    #[doc(alias = "uv_handle_get_loop")]
    pub fn event_loop(&self) -> &LoopRef<S> {
        self.0.event_loop()
    }

    /// Whether the handle is active. It is while it is started.
    #[doc(alias = "uv_is_active")]
    pub fn is_active(&self) -> bool {
        self.0.is_active()
    }

    /// Whether the handle is closing or closed.
    #[doc(alias = "uv_is_closing")]
    pub fn is_closing(&self) -> bool {
        self.0.is_closing()
    }

    /// Whether the handle is referenced: it then keeps the loop alive while it is active.
    #[doc(alias = "uv_has_ref")]
    pub fn has_ref(&self) -> bool {
        self.0.has_ref()
    }

    /// References the handle. Handles are referenced when they are created.
    #[doc(alias = "uv_ref")]
    pub fn ref_(&self) {
        self.0.ref_();
    }

    /// Unreferences the handle: it no longer keeps the loop alive.
    #[doc(alias = "uv_unref")]
    pub fn unref(&self) {
        self.0.unref();
    }

    /// Closes the handle. Does nothing if it is closed already.
    #[doc(alias = "uv_close")]
    pub fn close(&self) {
        self.0.close();
    }

    /// Closes the handle and calls `callback` in the close phase. `EINVAL` if it is closed already.
    #[doc(alias = "uv_close")]
    #[track_caller]
    pub fn close_with(&self, callback: impl FnOnce(&mut S) + 'static) -> Result<()> {
        self.0.close_with(callback)
    }
}

impl<S> Clone for Poll<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S> std::fmt::Debug for Poll<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl<S> From<Poll<S>> for AnyHandle<S> {
    fn from(handle: Poll<S>) -> Self {
        handle.0
    }
}
