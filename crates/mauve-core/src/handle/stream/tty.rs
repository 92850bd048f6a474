//! Operations of terminals: modes.

use mauve_sys::Result;
use mauve_sys::descriptor;
use mauve_sys::driver::Driver;
use mauve_sys::tty::{self, Mode, Termios};

use super::StreamMut;

/// An open descriptor of a terminal.
pub struct Terminal {
    /// The descriptor, which becomes the stream's.
    pub fd: descriptor::Terminal,
    /// Whether it can be read.
    pub readable: bool,
    /// Whether it can be written.
    pub writable: bool,
    /// Whether reading and writing block.
    pub blocks: bool,
}

/// The mode of a terminal, and its original attributes.
pub(super) struct SavedMode {
    original: Termios,
    mode: Mode,
}

impl<D: Driver> StreamMut<'_, D> {
    /// Switches the terminal's mode.
    #[doc(alias = "uv_tty_set_mode")]
    pub fn set_tty_mode(&mut self, mode: Mode) -> Result<()> {
        let mode = tty::effective(mode);
        let known = self.extras().and_then(|extras| extras.terminal.as_ref());
        let current = known.map_or(Mode::Normal, |terminal| terminal.mode);
        // The attributes are read when the normal mode is left, because the program may change them.
        let original = known.filter(|_| current != Mode::Normal).map(|terminal| terminal.original);
        if mode == current {
            return Ok(());
        }
        let fd = self.body().fd()?;
        let original = match original {
            Some(original) => original,
            None => {
                let original = Termios::get(fd)?;
                tty::save(fd, &original);
                original
            }
        };
        original.with_mode(mode).apply(fd)?;
        self.extras_or_new().terminal = Some(SavedMode { original, mode });
        Ok(())
    }
}
