//! Readiness of descriptors.

use std::os::fd::{AsFd, AsRawFd};
use std::rc::Rc;

use mauve_core::Completion;
use mauve_sys::driver::{Interest, Readiness};
use mauve_sys::{Errno, Result};

use super::{AnyHandle, common_methods};
use crate::Loop;
use crate::core::callback_token;

/// Calls when a descriptor is ready.
///
/// Level-triggered: it calls in every iteration in which the descriptor is ready.
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

common_methods!(Poll);

impl<S: 'static> Poll<S> {
    /// Makes a handle for `source`, which it keeps open until it is closed itself. To go on using
    /// the source, give it an `Rc` of it. The descriptor is made non-blocking.
    ///
    /// `EPERM` if it cannot be polled (a regular file), `EEXIST` if the loop watches it already.
    #[doc(alias = "uv_poll_init")]
    pub fn new(lp: &Loop<S>, source: impl AsFd + 'static) -> Result<Self> {
        let fd = source.as_fd().as_raw_fd();
        let open = |key| {
            let id = lp.core.engine(|engine| engine.open_poll(callback_token(key), fd))?;
            mauve_sys::fd::set_nonblocking(fd, true)?;
            Ok(id)
        };
        let handle = AnyHandle::open(lp, open)?;
        // The source lives in the slot of the handle's last callback.
        let source: Rc<dyn AsFd> = Rc::new(source);
        lp.calls.set_last(handle.key, Box::new(move |_, _, _| drop(source)));
        Ok(Self(handle))
    }

    /// Calls `callback` when the descriptor is ready for something of `interest`. Replaces what
    /// was started before. An error means that polling has ended.
    #[doc(alias = "uv_poll_start")]
    pub fn start(
        &self,
        interest: Interest,
        mut callback: impl FnMut(&mut S, &Poll<S>, Result<Readiness>) + 'static,
    ) -> Result<()> {
        self.0
            .lp
            .core
            .engine(|engine| engine.poll(self.0.id).ok_or(Errno::EINVAL)?.start(interest))?;
        self.0.on_event(move |state, handle, completion| {
            let this = Self(handle);
            if let Completion::Poll { result, .. } = *completion {
                callback(state, &this, result);
            }
            this.0
        });
        Ok(())
    }

    /// Stops watching. Nothing happens if it is not started.
    #[doc(alias = "uv_poll_stop")]
    pub fn stop(&self) {
        self.0.lp.core.engine(|engine| {
            if let Some(mut poll) = engine.poll(self.0.id) {
                poll.stop();
            }
        });
    }
}
