//! Descriptors, whatever is behind them.

use std::io::IoSlice;
use std::os::fd::{BorrowedFd, FromRawFd, OwnedFd, RawFd};

use crate::{Errno, Result};

/// Switches between blocking and non-blocking operations.
pub fn set_nonblocking(fd: RawFd, nonblocking: bool) -> Result<()> {
    let mut value = libc::c_int::from(nonblocking);
    // SAFETY: FIONBIO reads one int; a bad descriptor is an error.
    if unsafe { libc::ioctl(fd, libc::FIONBIO, &raw mut value) } == -1 {
        return Err(Errno::last());
    }
    Ok(())
}

/// Reads what is there. Zero bytes mean the end, if there was room for any.
pub fn read(fd: BorrowedFd<'_>, buffer: &mut [u8]) -> Result<usize> {
    loop {
        match rustix::io::read(fd, &mut *buffer) {
            Err(rustix::io::Errno::INTR) => {}
            result => return Ok(result?),
        }
    }
}

/// Writes as much as fits.
pub fn write(fd: BorrowedFd<'_>, slices: &[IoSlice<'_>]) -> Result<usize> {
    loop {
        let written = match slices {
            [one] => rustix::io::write(fd, one),
            many => rustix::io::writev(fd, many),
        };
        match written {
            Err(rustix::io::Errno::INTR) => {}
            result => return Ok(result?),
        }
    }
}

/// Another descriptor for the same thing, closed on exec.
pub fn duplicate(fd: BorrowedFd<'_>) -> Result<OwnedFd> {
    Ok(rustix::io::fcntl_dupfd_cloexec(fd, 0)?)
}

/// Takes over a descriptor that somebody hands to us for good.
///
/// # Safety
/// It is open, and nobody else closes it.
pub unsafe fn adopt(fd: RawFd) -> Result<OwnedFd> {
    if fd < 0 {
        return Err(Errno::EBADF);
    }
    // SAFETY: not negative; the caller vouches for the rest.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Whether the descriptor was opened for reading, and for writing. `EBADF` if it is not open.
pub fn access_mode(fd: BorrowedFd<'_>) -> Result<(bool, bool)> {
    let flags = rustix::fs::fcntl_getfl(fd)?;
    Ok(match flags & rustix::fs::OFlags::RWMODE {
        rustix::fs::OFlags::RDONLY => (true, false),
        rustix::fs::OFlags::WRONLY => (false, true),
        _ => (true, true),
    })
}

/// A descriptor of the null device, to be held in reserve.
pub fn open_null() -> Result<OwnedFd> {
    let flags = rustix::fs::OFlags::RDONLY | rustix::fs::OFlags::CLOEXEC;
    Ok(rustix::fs::open(c"/dev/null", flags, rustix::fs::Mode::empty())?)
}
