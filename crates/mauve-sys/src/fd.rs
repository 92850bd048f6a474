//! Descriptors, whatever is behind them.

use std::io::IoSlice;
use std::os::fd::{BorrowedFd, FromRawFd, IntoRawFd, OwnedFd, RawFd};

use rustix::fs::FileType;
use rustix::net::{AddressFamily, SocketType, sockopt};

use crate::{Errno, Result, payload};

/// What a descriptor can be used as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "uv_handle_type")]
pub enum Kind {
    /// A terminal.
    Tty,
    /// A regular file, or a device that is none of the others.
    File,
    /// A pipe, or a stream socket of this machine.
    Pipe,
    /// A stream socket of the internet.
    Tcp,
    /// A datagram socket of the internet.
    Udp,
    /// Something else, or no descriptor at all.
    Unknown,
}

/// What `fd` can be used as.
#[doc(alias = "uv_guess_handle")]
pub fn kind(fd: RawFd) -> Kind {
    let Ok(fd) = borrow(&fd) else { return Kind::Unknown };
    // SAFETY: a question about a number.
    if unsafe { libc::isatty(std::os::fd::AsRawFd::as_raw_fd(&fd)) } == 1 {
        return Kind::Tty;
    }
    let Ok(status) = rustix::fs::fstat(fd) else { return Kind::Unknown };
    match FileType::from_raw_mode(status.st_mode) {
        FileType::RegularFile | FileType::CharacterDevice => Kind::File,
        FileType::Fifo => Kind::Pipe,
        FileType::Socket => socket_kind(fd),
        _ => Kind::Unknown,
    }
}

fn socket_kind(fd: BorrowedFd<'_>) -> Kind {
    match (sockopt::socket_domain(fd), sockopt::socket_type(fd)) {
        (Ok(AddressFamily::UNIX), Ok(SocketType::STREAM)) => Kind::Pipe,
        (Ok(AddressFamily::INET | AddressFamily::INET6), Ok(SocketType::STREAM)) => Kind::Tcp,
        (Ok(AddressFamily::INET | AddressFamily::INET6), Ok(SocketType::DGRAM)) => Kind::Udp,
        _ => Kind::Unknown,
    }
}

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

/// Writes as much as fits. `EAGAIN` if nothing does, also for lack of the kernel's memory: that is
/// a reason to wait, not to give the stream up. One slice goes by `write`, also an empty one: a
/// socket whose peer is gone refuses that, while an empty `writev` never reaches the socket.
pub fn write(fd: BorrowedFd<'_>, slices: &[IoSlice<'_>]) -> Result<usize> {
    loop {
        let written = match slices {
            [_] => rustix::io::write(fd, payload::only(slices)),
            many => rustix::io::writev(fd, many),
        };
        match written {
            Err(rustix::io::Errno::INTR) => {}
            Err(rustix::io::Errno::NOBUFS) => return Err(Errno::EAGAIN),
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

/// Closes a descriptor. One that the program has closed itself is no error, as with libuv.
pub fn close(fd: OwnedFd) {
    // SAFETY: the descriptor is ours, and its number is not used again.
    unsafe { libc::close(fd.into_raw_fd()) };
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

/// Opens a descriptor that is closed when another one is needed: the null device, or the root
/// directory where a container has no devices.
pub fn open_reserve() -> Result<OwnedFd> {
    let flags = rustix::fs::OFlags::RDONLY | rustix::fs::OFlags::CLOEXEC;
    let open = |path| rustix::fs::open(path, flags, rustix::fs::Mode::empty());
    Ok(open(c"/dev/null").or_else(|_| open(c"/"))?)
}

/// Lends a descriptor that has another owner, for system calls that fail if it is closed.
pub(crate) fn borrow(fd: &RawFd) -> Result<BorrowedFd<'_>> {
    if *fd < 0 {
        return Err(Errno::EBADF);
    }
    // SAFETY: not -1. If the owner has closed it meanwhile, the call that follows fails with
    // EBADF, or means another descriptor, as it would in C.
    Ok(unsafe { BorrowedFd::borrow_raw(*fd) })
}

/// Lets everybody read the file at a path, or write it, or both, and nothing else.
pub fn open_to_all(path: &[u8], read: bool, write: bool) -> Result<()> {
    use rustix::fs::{Mode, chmod};
    let readers = Mode::RUSR | Mode::RGRP | Mode::ROTH;
    let writers = Mode::WUSR | Mode::WGRP | Mode::WOTH;
    let mut mode = Mode::empty();
    mode.set(readers, read);
    mode.set(writers, write);
    // An abstract name begins with a zero byte: no file has it.
    let path = path.split(|byte| *byte == 0).next().unwrap_or_default();
    Ok(chmod(path, mode)?)
}
