//! Unix signals, for tasks.
//!
//! ```
//! use mauve::process;
//! use mauve::signal::{SignalKind, signal};
//!
//! let lp: mauve::Loop = mauve::Loop::new()?;
//! lp.block_on(async {
//!     let mut hangups = signal(SignalKind::hangup())?;
//!     process::kill(std::process::id() as i32, process::SIGHUP)?;
//!     hangups.recv().await;
//!     std::io::Result::Ok(())
//! })?;
//! # Ok::<(), std::io::Error>(())
//! ```

use std::fmt;
use std::future::poll_fn;
use std::io;
use std::rc::Rc;
use std::task::{Context, Poll};

use mauve_core::HandleId;
use mauve_sys::Errno;
use mauve_sys::signal::{Delivery, numbers};

use crate::core::{Core, current, future_token};

/// A signal, by its number.
///
/// ```
/// use mauve::signal::SignalKind;
///
/// let kind = SignalKind::hangup();
/// assert_eq!(SignalKind::from_raw(kind.as_raw_value()), kind);
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
        hangup SIGHUP "`SIGHUP`: the terminal was closed. Many services reload their configuration.",
        interrupt SIGINT "`SIGINT`: Ctrl-C in the terminal.",
        io SIGIO "`SIGIO`: a descriptor is ready.",
        pipe SIGPIPE "`SIGPIPE`: a write to a pipe without a reader.",
        quit SIGQUIT "`SIGQUIT`: Ctrl-\\ in the terminal.",
        terminate SIGTERM "`SIGTERM`: a request to terminate.",
        user_defined1 SIGUSR1 "`SIGUSR1`: defined by the program.",
        user_defined2 SIGUSR2 "`SIGUSR2`: defined by the program.",
        window_change SIGWINCH "`SIGWINCH`: the terminal was resized.",
    }
}

/// Watches for a signal, on the loop that runs on this thread. Its default action is disabled until
/// the last watcher of the process is dropped.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// # use mauve::process::{SIGHUP, kill};
/// use mauve::signal::{SignalKind, signal};
///
/// let mut hangup = signal(SignalKind::hangup())?;
/// # kill(std::process::id() as i32, SIGHUP)?;
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
pub fn signal(kind: SignalKind) -> io::Result<Signal> {
    let core = current();
    let key = core.futures.reserve();
    let opened = core.engine_result(|engine| {
        let handle = engine.open_signal(future_token(key))?;
        // Not referenced: the task that waits for the signal keeps the loop alive.
        engine.set_referenced(handle, false);
        engine.hide(handle);
        Ok(handle)
    });
    let handle = match opened {
        Ok(handle) => handle,
        Err(error) => {
            core.futures.release(key);
            return Err(error.into());
        }
    };
    let signal = Signal { core, handle, key, kind };
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
/// # use mauve::process::{SIGINT, kill};
/// # mauve::spawn(async {
/// #     mauve::yield_now().await;
/// #     kill(std::process::id() as i32, SIGINT)
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
/// # Panics
/// Panics if no loop runs on this thread.
pub async fn ctrl_c() -> io::Result<()> {
    signal(SignalKind::interrupt())?.recv().await;
    Ok(())
}

/// Watches for a signal: see [`signal`].
///
/// Deliveries are merged: several before a [`recv`](Self::recv) count as one, as in the kernel.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// use mauve::process;
/// use mauve::signal::{SignalKind, signal};
///
/// let mut user_defined = signal(SignalKind::user_defined1())?;
/// process::kill(std::process::id() as i32, process::SIGUSR1)?;
/// user_defined.recv().await;
/// # Ok(())
/// # }
/// ```
pub struct Signal {
    core: Rc<Core>,
    handle: HandleId,
    key: usize,
    kind: SignalKind,
}

impl Signal {
    /// Waits for the next delivery. Returns `Some`, in the shape of a stream without an end.
    ///
    /// No delivery is lost if the future is dropped before it completes.
    pub async fn recv(&mut self) -> Option<()> {
        poll_fn(|context| self.poll_recv(context)).await
    }

    /// Polls for the next delivery.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// use std::future::poll_fn;
    /// use mauve::process;
    /// use mauve::signal::{SignalKind, signal};
    ///
    /// let mut hangups = signal(SignalKind::hangup())?;
    /// process::kill(std::process::id() as i32, process::SIGHUP)?;
    /// poll_fn(|context| hangups.poll_recv(context)).await;
    /// # Ok(())
    /// # }
    /// ```
    pub fn poll_recv(&mut self, context: &mut Context<'_>) -> Poll<Option<()>> {
        let Core { futures, executor, .. } = &*self.core;
        match futures.poll(self.key, context, executor, |_| ()) {
            Some(()) => {
                futures.reset(self.key);
                Poll::Ready(Some(()))
            }
            None if self.core.is_closed() => Poll::Ready(None),
            None => Poll::Pending,
        }
    }
}

impl Drop for Signal {
    fn drop(&mut self) {
        // The close completion is the last one and frees the slot.
        self.core.futures.detach(self.key);
        self.core.try_engine(|engine| engine.close_handle(self.handle));
    }
}

impl fmt::Debug for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signal").field("kind", &self.kind).finish_non_exhaustive()
    }
}
