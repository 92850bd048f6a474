//! Terminals of POSIX.

use std::cell::UnsafeCell;
use std::ffi::CString;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, AsRawFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use rustix::fs::OFlags;

use super::{Mode, system};
use crate::{Errno, Result, fd, fork, net};

/// The attributes of a terminal.
#[derive(Clone, Copy)]
pub struct Termios(libc::termios);

impl Termios {
    /// Reads the current attributes (`tcgetattr`).
    pub fn get(fd: BorrowedFd<'_>) -> Result<Self> {
        let mut termios = MaybeUninit::uninit();
        // SAFETY: `tcgetattr` writes to a termios of ours, and has initialised it on success.
        unsafe {
            if libc::tcgetattr(fd.as_raw_fd(), termios.as_mut_ptr()) == -1 {
                return Err(Errno::last());
            }
            Ok(Self(termios.assume_init()))
        }
    }

    /// Sets the attributes after pending output is transmitted (`tcsetattr` with `TCSADRAIN`).
    pub fn apply(&self, fd: BorrowedFd<'_>) -> Result<()> {
        loop {
            // SAFETY: `self.0` is an initialised termios, which is only read.
            if unsafe { libc::tcsetattr(fd.as_raw_fd(), libc::TCSADRAIN, &raw const self.0) } == 0 {
                return Ok(());
            }
            match Errno::last() {
                Errno::EINTR => {}
                error => return Err(error),
            }
        }
    }

    /// These attributes, changed for `mode`.
    pub fn with_mode(&self, mode: Mode) -> Self {
        let mut changed = self.0;
        match mode {
            Mode::Normal => {}
            Mode::Raw | Mode::RawVt => {
                changed.c_iflag &=
                    !(libc::BRKINT | libc::ICRNL | libc::INPCK | libc::ISTRIP | libc::IXON);
                changed.c_oflag |= libc::ONLCR;
                changed.c_cflag |= libc::CS8;
                changed.c_lflag &= !(libc::ECHO | libc::ICANON | libc::IEXTEN | libc::ISIG);
                changed.c_cc[libc::VMIN] = 1;
                changed.c_cc[libc::VTIME] = 0;
            }
            // SAFETY: `changed` is an initialised termios of ours.
            Mode::Io => unsafe { libc::cfmakeraw(&raw mut changed) },
        }
        Self(changed)
    }
}

/// The mode that `mode` is on this system: [`Mode::RawVt`] is [`Mode::Raw`].
pub fn effective(mode: Mode) -> Mode {
    if mode == Mode::RawVt { Mode::Raw } else { mode }
}

/// Opens a terminal a second time in non-blocking mode, and makes `terminal` refer to the new open
/// file description, too.
///
/// Non-blocking mode is a property of the open file description. Other processes that share the
/// original one are not affected. Returns `None` and changes nothing if the terminal cannot be opened.
pub fn reopen(terminal: &mut OwnedFd) -> Result<Option<OwnedFd>> {
    let access = fd::status_flags(terminal.as_fd())? & OFlags::RWMODE;
    if system::is_master(terminal.as_raw_fd()) {
        return Ok(None);
    }
    let mut name = [0 as libc::c_char; 256];
    // SAFETY: `name` is writable and has the size that is passed.
    if unsafe { libc::ttyname_r(terminal.as_raw_fd(), name.as_mut_ptr(), name.len()) } != 0 {
        return Ok(None);
    }
    let name: Vec<u8> =
        name.iter().take_while(|c| **c != 0).flat_map(|c| c.to_ne_bytes()).collect();
    let Ok(name) = CString::new(name) else { return Ok(None) };
    let flags = access | OFlags::NOCTTY | OFlags::CLOEXEC;
    let Ok(reopened) = rustix::fs::open(&name, flags, rustix::fs::Mode::empty()) else {
        return Ok(None);
    };
    net::duplicate_onto(&reopened, terminal)?;
    fd::set_nonblocking(reopened.as_raw_fd(), true)?;
    Ok(Some(reopened))
}

/// The window size: columns and rows.
pub fn window_size(fd: BorrowedFd<'_>) -> Result<(u16, u16)> {
    let size = rustix::io::retry_on_intr(|| rustix::termios::tcgetwinsize(fd))?;
    Ok((size.ws_col, size.ws_row))
}

/// The original attributes of the first terminal whose mode was changed, for [`restore`].
struct Saved {
    /// A spin lock, which a signal handler can try to take.
    busy: AtomicBool,
    /// The terminal, or -1.
    fd: AtomicI32,
    /// Initialised if `fd` is not -1.
    termios: UnsafeCell<MaybeUninit<libc::termios>>,
}

// SAFETY: `termios` is only accessed while `busy` is held.
unsafe impl Sync for Saved {}

static SAVED: Saved = Saved {
    busy: AtomicBool::new(false),
    fd: AtomicI32::new(-1),
    termios: UnsafeCell::new(MaybeUninit::uninit()),
};

/// In a forked child: releases `busy`, which a thread of the parent may have held.
pub(crate) fn release_after_fork() {
    SAVED.busy.store(false, Ordering::Release);
}

/// Saves the original attributes of a terminal, unless those of another one are saved.
pub fn save(fd: BorrowedFd<'_>, termios: &Termios) {
    // Registers the fork handlers.
    fork::generation();
    while SAVED.busy.swap(true, Ordering::Acquire) {
        std::hint::spin_loop();
    }
    if SAVED.fd.load(Ordering::Relaxed) == -1 {
        // SAFETY: `busy` is held, so nothing else accesses `termios`.
        unsafe { (*SAVED.termios.get()).write(termios.0) };
        SAVED.fd.store(fd.as_raw_fd(), Ordering::Relaxed);
    }
    SAVED.busy.store(false, Ordering::Release);
}

/// Restores the attributes of a terminal that is about to be closed, if [`save`] has saved them. The
/// attributes of another terminal can be saved afterwards.
pub fn restore_on_close(fd: BorrowedFd<'_>) {
    if SAVED.fd.load(Ordering::Relaxed) != fd.as_raw_fd() {
        return;
    }
    while SAVED.busy.swap(true, Ordering::Acquire) {
        std::hint::spin_loop();
    }
    if SAVED.fd.load(Ordering::Relaxed) == fd.as_raw_fd() {
        // SAFETY: `termios` is initialised, because `fd` is not -1, and `busy` is held. The call
        // fails if the terminal has hung up.
        unsafe { libc::tcsetattr(fd.as_raw_fd(), libc::TCSANOW, (*SAVED.termios.get()).as_ptr()) };
        SAVED.fd.store(-1, Ordering::Relaxed);
    }
    SAVED.busy.store(false, Ordering::Release);
}

/// Restores the attributes that [`save`] has saved. Async-signal-safe: returns `EBUSY` in a signal
/// handler that has interrupted `save`.
#[doc(alias = "uv_tty_reset_mode")]
pub fn restore() -> Result<()> {
    if SAVED.busy.swap(true, Ordering::Acquire) {
        return Err(Errno::EBUSY);
    }
    let mut result = Ok(());
    let fd = SAVED.fd.load(Ordering::Relaxed);
    if fd != -1 {
        // SAFETY: `termios` is initialised, because `fd` is not -1, and `busy` is held.
        let failed =
            unsafe { libc::tcsetattr(fd, libc::TCSANOW, (*SAVED.termios.get()).as_ptr()) == -1 };
        if failed {
            result = Err(Errno::last());
        }
    }
    SAVED.busy.store(false, Ordering::Release);
    result
}
