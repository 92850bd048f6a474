//! Terminals, with callbacks.

use mauve_core::handle::stream::Terminal;
use mauve_sys::descriptor::{self, AsDescriptor as _};
use mauve_sys::fd::{FdType, fd_type};
use mauve_sys::tty::{self, Mode};
use mauve_sys::{Errno, Result};

use super::Stream;
use crate::LoopRef;

/// A terminal.
///
/// ```
/// use std::io::IsTerminal;
/// use std::os::fd::AsFd;
/// use mauve::{Loop, Tty};
///
/// let lp: Loop = Loop::new()?;
/// let stdout = std::io::stdout();
/// if stdout.is_terminal() {
///     let terminal = Tty::new(&lp, stdout.as_fd().try_clone_to_owned()?)?;
///     let (columns, rows) = terminal.window_size()?;
///     terminal.write(format!("{columns} columns, {rows} rows\n"))?;
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
#[doc(alias = "uv_tty_t")]
pub struct Tty<S = ()>(Stream<S>);

stream_type!(Tty);

impl<S: 'static> Tty<S> {
    /// Creates a handle for the terminal of an open descriptor, such as standard input. The
    /// terminal is reopened, so that non-blocking mode does not affect other users of the
    /// descriptor. `EINVAL` if it is not a terminal.
    #[doc(alias = "uv_tty_init")]
    pub fn new(lp: &LoopRef<S>, mut terminal: descriptor::Terminal) -> Result<Self> {
        if fd_type(terminal.raw_descriptor()) != FdType::Tty {
            return Err(Errno::EINVAL);
        }
        let reopened = tty::reopen(&mut terminal)?;
        let blocks = reopened.is_none();
        let fd = reopened.unwrap_or(terminal);
        let (readable, writable) = mauve_sys::fd::access_mode(fd.as_descriptor())?;
        let terminal = Terminal { fd, readable, writable, blocks };
        Ok(Self(Stream::open(lp, |engine, token| engine.open_tty(token, terminal))))
    }

    /// Sets the terminal mode. [`restore_terminal`](crate::restore_terminal) restores the original one.
    #[doc(alias = "uv_tty_set_mode")]
    pub fn set_mode(&self, mode: Mode) -> Result<()> {
        self.with(|mut stream| stream.set_tty_mode(mode))?
    }

    /// The window size: columns and rows.
    #[doc(alias = "uv_tty_get_winsize")]
    pub fn window_size(&self) -> Result<(u16, u16)> {
        self.with(|mut stream| tty::window_size(stream.fd()?))?
    }
}
