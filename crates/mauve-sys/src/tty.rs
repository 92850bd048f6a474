//! Terminals.

use std::cell::UnsafeCell;
use std::ffi::CString;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use rustix::fs::OFlags;

use crate::{Errno, Result, fd, fork};

/// How a terminal treats what is typed and printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "uv_tty_mode_t")]
pub enum Mode {
    /// As it was found: lines are edited, signals are made.
    #[default]
    Normal,
    /// Every key arrives at once; output is still translated.
    Raw,
    /// Nothing is translated, in either direction.
    Io,
}

/// The settings of a terminal.
#[derive(Clone, Copy)]
pub struct Settings(libc::termios);

impl Settings {
    /// The settings that the terminal has now.
    pub fn of(fd: BorrowedFd<'_>) -> Result<Self> {
        let mut settings = MaybeUninit::uninit();
        // SAFETY: room for the settings, which are there if the call succeeds.
        unsafe {
            if libc::tcgetattr(fd.as_raw_fd(), settings.as_mut_ptr()) == -1 {
                return Err(Errno::last());
            }
            Ok(Self(settings.assume_init()))
        }
    }

    /// Gives the terminal these settings, when what was written before is printed.
    pub fn apply(&self, fd: BorrowedFd<'_>) -> Result<()> {
        loop {
            // SAFETY: valid settings.
            if unsafe { libc::tcsetattr(fd.as_raw_fd(), libc::TCSADRAIN, &raw const self.0) } == 0 {
                return Ok(());
            }
            match Errno::last() {
                Errno::EINTR => {}
                error => return Err(error),
            }
        }
    }

    /// These settings, changed for a mode.
    pub fn in_mode(&self, mode: Mode) -> Self {
        let mut changed = self.0;
        match mode {
            Mode::Normal => {}
            Mode::Raw => {
                changed.c_iflag &=
                    !(libc::BRKINT | libc::ICRNL | libc::INPCK | libc::ISTRIP | libc::IXON);
                changed.c_oflag |= libc::ONLCR;
                changed.c_cflag |= libc::CS8;
                changed.c_lflag &= !(libc::ECHO | libc::ICANON | libc::IEXTEN | libc::ISIG);
                changed.c_cc[libc::VMIN] = 1;
                changed.c_cc[libc::VTIME] = 0;
            }
            // SAFETY: valid settings.
            Mode::Io => unsafe { libc::cfmakeraw(&raw mut changed) },
        }
        Self(changed)
    }
}

/// Opens a terminal a second time, and makes `terminal` refer to the new open file description too:
/// the non-blocking flag belongs to the description, and other holders of the old one keep theirs.
/// The new one is non-blocking. `None` if it cannot be opened; then nothing has changed.
pub fn reopen(terminal: &mut OwnedFd) -> Result<Option<OwnedFd>> {
    let access = rustix::fs::fcntl_getfl(&*terminal)? & OFlags::RWMODE;
    if is_controlling_side(terminal.as_raw_fd()) {
        return Ok(None);
    }
    let mut name = [0 as libc::c_char; 256];
    // SAFETY: a buffer and its size.
    if unsafe { libc::ttyname_r(terminal.as_raw_fd(), name.as_mut_ptr(), name.len()) } != 0 {
        return Ok(None);
    }
    let name: Vec<u8> = name.iter().take_while(|c| **c != 0).map(|c| *c as u8).collect();
    let Ok(name) = CString::new(name) else { return Ok(None) };
    let flags = access | OFlags::NOCTTY | OFlags::CLOEXEC;
    let Ok(opening) = rustix::fs::open(&name, flags, rustix::fs::Mode::empty()) else {
        return Ok(None);
    };
    rustix::io::retry_on_intr(|| {
        rustix::io::dup3(&opening, terminal, rustix::io::DupFlags::CLOEXEC)
    })?;
    fd::set_nonblocking(opening.as_raw_fd(), true)?;
    Ok(Some(opening))
}

/// Whether this is the side of a pseudo-terminal that plays the terminal: opening that again would
/// make another one.
fn is_controlling_side(terminal: RawFd) -> bool {
    let mut number: libc::c_int = 0;
    // SAFETY: room for a number.
    unsafe { libc::ioctl(terminal, libc::TIOCGPTN, &raw mut number) == 0 }
}

/// Columns and rows.
pub fn window_size(fd: BorrowedFd<'_>) -> Result<(u16, u16)> {
    let size = rustix::io::retry_on_intr(|| rustix::termios::tcgetwinsize(fd))?;
    Ok((size.ws_col, size.ws_row))
}

/// The terminal whose settings were changed first, for [`restore`].
struct Saved {
    busy: AtomicBool,
    fd: AtomicI32,
    settings: UnsafeCell<MaybeUninit<libc::termios>>,
}

// SAFETY: the settings are only touched while `busy` is held.
unsafe impl Sync for Saved {}

static SAVED: Saved = Saved {
    busy: AtomicBool::new(false),
    fd: AtomicI32::new(-1),
    settings: UnsafeCell::new(MaybeUninit::uninit()),
};

/// In a forked child: the thread that has held `busy` does not exist here.
pub(crate) fn release_after_fork() {
    SAVED.busy.store(false, Ordering::Release);
}

/// Remembers the settings of the first terminal whose mode is changed.
pub fn save(fd: BorrowedFd<'_>, settings: &Settings) {
    // Registers the fork handlers.
    fork::generation();
    while SAVED.busy.swap(true, Ordering::Acquire) {
        std::hint::spin_loop();
    }
    if SAVED.fd.load(Ordering::Relaxed) == -1 {
        // SAFETY: `busy` is held.
        unsafe { (*SAVED.settings.get()).write(settings.0) };
        SAVED.fd.store(fd.as_raw_fd(), Ordering::Relaxed);
    }
    SAVED.busy.store(false, Ordering::Release);
}

/// Gives a terminal that is about to be closed its old settings, if it is the one of [`save`]. The
/// next terminal whose mode is changed takes its place.
pub fn restore_closing(fd: BorrowedFd<'_>) {
    if SAVED.fd.load(Ordering::Relaxed) != fd.as_raw_fd() {
        return;
    }
    while SAVED.busy.swap(true, Ordering::Acquire) {
        std::hint::spin_loop();
    }
    if SAVED.fd.load(Ordering::Relaxed) == fd.as_raw_fd() {
        // SAFETY: saved settings, since there is a descriptor; `busy` is held. A terminal that has
        // hung up needs none.
        unsafe { libc::tcsetattr(fd.as_raw_fd(), libc::TCSANOW, (*SAVED.settings.get()).as_ptr()) };
        SAVED.fd.store(-1, Ordering::Relaxed);
    }
    SAVED.busy.store(false, Ordering::Release);
}

/// Gives the terminal of [`save`] its old settings. Fit for signal handlers; `EBUSY` in one that
/// has interrupted `save`.
#[doc(alias = "uv_tty_reset_mode")]
pub fn restore() -> Result<()> {
    if SAVED.busy.swap(true, Ordering::Acquire) {
        return Err(Errno::EBUSY);
    }
    let mut result = Ok(());
    let fd = SAVED.fd.load(Ordering::Relaxed);
    if fd != -1 {
        // SAFETY: saved settings, since there is a descriptor; `busy` is held.
        let failed =
            unsafe { libc::tcsetattr(fd, libc::TCSANOW, (*SAVED.settings.get()).as_ptr()) == -1 };
        if failed {
            result = Err(Errno::last());
        }
    }
    SAVED.busy.store(false, Ordering::Release);
    result
}
