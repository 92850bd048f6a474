//! Unix signals: their names, and waiting for them in tasks.
//!
//! ```
//! use mauve::process;
//! use mauve::signal::{SignalKind, signal};
//!
//! let lp: mauve::Loop = mauve::Loop::new()?;
//! lp.block_on(async {
//!     let mut hangups = signal(SignalKind::hangup())?;
//!     process::kill(std::process::id(), SignalKind::hangup())?;
//!     hangups.recv().await;
//!     std::io::Result::Ok(())
//! })?;
//! # Ok::<(), std::io::Error>(())
//! ```

use std::fmt;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use futures_core::Stream;
use mauve_core::HandleId;
use mauve_sys::Errno;
use mauve_sys::signal::{Delivery, numbers};

use crate::core::{Core, current};
use crate::targets;

/// A signal. All functions that take a signal take a number, too, such as that of another crate.
///
/// ```
/// use mauve::signal::SignalKind;
///
/// let kind = SignalKind::hangup();
/// assert_eq!(SignalKind::from(kind.as_raw_value()), kind);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SignalKind(i32);

macro_rules! kinds {
    ($($function:ident $number:ident $text:literal),* $(,)?) => {
        $(
            #[doc = $text]
            pub const fn $function() -> Self {
                Self(numbers::$number)
            }
        )*
    };
}

impl SignalKind {
    /// Any signal, by its number.
    pub const fn from_raw(number: i32) -> Self {
        Self(number)
    }

    /// The number of the signal.
    pub const fn as_raw_value(self) -> i32 {
        self.0
    }

    kinds! {
        alarm SIGALRM "`SIGALRM`: a timer of the process expired.",
        child SIGCHLD "`SIGCHLD`: a child has exited or stopped.",
        cont SIGCONT "`SIGCONT`: continues a stopped process.",
        hangup SIGHUP "`SIGHUP`: the terminal was closed. Many services reload their configuration.",
        interrupt SIGINT "`SIGINT`: Ctrl-C in the terminal.",
        io SIGIO "`SIGIO`: a descriptor is ready.",
        kill SIGKILL "`SIGKILL`: ends a process. It cannot be caught.",
        pipe SIGPIPE "`SIGPIPE`: a write to a pipe without a reader.",
        quit SIGQUIT "`SIGQUIT`: Ctrl-\\ in the terminal.",
        stop SIGSTOP "`SIGSTOP`: stops a process. It cannot be caught.",
        terminate SIGTERM "`SIGTERM`: a request to terminate.",
        user_defined1 SIGUSR1 "`SIGUSR1`: defined by the program.",
        user_defined2 SIGUSR2 "`SIGUSR2`: defined by the program.",
        window_change SIGWINCH "`SIGWINCH`: the terminal was resized.",
    }
}

impl From<i32> for SignalKind {
    fn from(number: i32) -> Self {
        Self(number)
    }
}

impl From<SignalKind> for i32 {
    fn from(kind: SignalKind) -> Self {
        kind.0
    }
}

/// Watches for a signal, on the loop that runs on this thread. Its default action is disabled until
/// the last watcher of the process is dropped.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// # use mauve::process::kill;
/// use mauve::signal::{SignalKind, signal};
///
/// let mut hangup = signal(SignalKind::hangup())?;
/// # kill(std::process::id(), SignalKind::hangup())?;
/// hangup.recv().await;
/// println!("reading the configuration again");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// `EINVAL` if the signal cannot be caught.
///
/// # Panics
/// Panics if no loop runs on this thread.
pub fn signal(kind: impl Into<SignalKind>) -> io::Result<Signals> {
    let kind = kind.into();
    let core = current();
    let key = core.targets.insert_future();
    let opened = core.engine_result(|engine| {
        let handle = engine.open_signal(targets::token(key))?;
        // Not referenced: the task that waits for the signal keeps the loop alive.
        engine.set_referenced(handle, false);
        engine.hide(handle);
        Ok(handle)
    });
    let handle = match opened {
        Ok(handle) => handle,
        Err(error) => {
            core.targets.remove(key);
            return Err(error.into());
        }
    };
    let signal = Signals { core, handle, key, kind };
    signal.core.engine_result(|engine| {
        engine.signal(handle).ok_or(Errno::EINVAL)?.start(kind.0, Delivery::Persistent)
    })?;
    Ok(signal)
}

/// Waits for Ctrl-C (`SIGINT`).
///
/// The signal is watched from the first poll until the future completes or is dropped. Use
/// [`signal`] to watch it all the time.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// # use mauve::{process::kill, signal::SignalKind};
/// # mauve::spawn(async {
/// #     mauve::yield_now().await;
/// #     kill(std::process::id(), SignalKind::interrupt())
/// # });
/// mauve::signal::ctrl_c().await?;
/// println!("shutting down");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Those of [`signal`].
///
/// # Cancel safety
/// A signal that is delivered after the future was dropped has its default action again.
///
/// # Panics
/// Panics if no loop runs on this thread.
pub async fn ctrl_c() -> io::Result<()> {
    signal(SignalKind::interrupt())?.recv().await;
    Ok(())
}

/// The deliveries of a signal: see [`signal`].
///
/// Deliveries are merged: several before a [`recv`](Self::recv) count as one, as in the kernel.
pub struct Signals {
    core: Rc<Core>,
    handle: HandleId,
    key: usize,
    kind: SignalKind,
}

impl Signals {
    /// Waits for the next delivery. Returns `Some`, in the shape of a stream without an end.
    ///
    /// # Cancel safety
    /// No delivery is lost if the future is dropped before it completes.
    ///
    /// # Panics
    /// Panics if another loop runs on this thread: its task would wait for ever.
    pub async fn recv(&mut self) -> Option<()> {
        poll_fn(|context| self.poll_recv(context)).await
    }

    /// Polls for the next delivery.
    ///
    /// # Panics
    /// As [`recv`](Self::recv) does.
    pub fn poll_recv(&mut self, context: &mut Context<'_>) -> Poll<Option<()>> {
        let Core { targets, executor, .. } = &*self.core;
        match targets.poll_future(self.key, context, executor, |_| ()) {
            Some(()) => {
                targets.reset_future(self.key);
                Poll::Ready(Some(()))
            }
            None if self.core.is_closed() => Poll::Ready(None),
            None => {
                self.core.assert_current("a signal");
                Poll::Pending
            }
        }
    }
}

/// The deliveries, as a stream without an end.
impl Stream for Signals {
    type Item = ();

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<()>> {
        self.get_mut().poll_recv(context)
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        // The close completion is the last one and frees the slot.
        self.core.targets.detach_future(self.key);
        self.core.try_engine(|engine| engine.close_handle(self.handle));
    }
}

impl fmt::Debug for Signals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signals").field("kind", &self.kind).finish_non_exhaustive()
    }
}
