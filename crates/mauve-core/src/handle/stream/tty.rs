//! What only terminals have: modes.

use mauve_sys::poller::Driver;
use mauve_sys::tty::{self, Mode, Settings};
use mauve_sys::{Errno, Result};

use super::StreamMut;

/// A terminal's mode, and what it was before.
pub(super) struct Terminal {
    original: Settings,
    mode: Mode,
}

impl<D: Driver> StreamMut<'_, D> {
    /// Switches the terminal's mode.
    #[doc(alias = "uv_tty_set_mode")]
    pub fn set_tty_mode(&mut self, mode: Mode) -> Result<()> {
        let body = self.body();
        let fd = body.fd.as_ref().ok_or(Errno::EBADF)?;
        let fd = std::os::fd::AsFd::as_fd(fd);
        let terminal = body.rare.as_ref().and_then(|rare| rare.terminal.as_ref());
        let current = terminal.map_or(Mode::Normal, |terminal| terminal.mode);
        if mode == current {
            return Ok(());
        }
        // What is normal is what was found when the mode was left last.
        let original = match terminal {
            Some(terminal) if current != Mode::Normal => terminal.original,
            _ => {
                let original = Settings::of(fd)?;
                tty::save(fd, &original);
                original
            }
        };
        original.in_mode(mode).apply(fd)?;
        body.rare().terminal = Some(Terminal { original, mode });
        Ok(())
    }
}
