//! Operations on the descriptors of POSIX.

use std::ffi::CString;
use std::io::IoSlice;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, IntoRawFd, OwnedFd, RawFd};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FileType, OFlags};
use rustix::io::retry_on_intr;
use rustix::net::{SocketType, sockopt};

use super::FdType;
use crate::fs::permissions;
use crate::{Errno, Result, net, payload};

/// Determines the type of `fd`.
#[doc(alias = "uv_guess_handle")]
pub fn fd_type(fd: RawFd) -> FdType {
    let Ok(fd) = borrow(&fd) else { return FdType::Unknown };
    // SAFETY: `isatty` takes a number and accesses no memory of ours.
    if unsafe { libc::isatty(std::os::fd::AsRawFd::as_raw_fd(&fd)) } == 1 {
        return FdType::Tty;
    }
    let Ok(status) = rustix::fs::fstat(fd) else { return FdType::Unknown };
    match FileType::from_raw_mode(status.st_mode) {
        FileType::RegularFile | FileType::CharacterDevice => FdType::File,
        FileType::Fifo => FdType::Pipe,
        FileType::Socket => socket_type(fd),
        _ => FdType::Unknown,
    }
}

fn socket_type(fd: BorrowedFd<'_>) -> FdType {
    match (net::family(fd), sockopt::socket_type(fd)) {
        (Ok(libc::AF_UNIX), Ok(SocketType::STREAM)) => FdType::Pipe,
        (Ok(libc::AF_INET | libc::AF_INET6), Ok(SocketType::STREAM)) => FdType::Tcp,
        (Ok(libc::AF_INET | libc::AF_INET6), Ok(SocketType::DGRAM)) => FdType::Udp,
        _ => FdType::Unknown,
    }
}

/// Sets or clears non-blocking mode.
pub fn set_nonblocking(fd: RawFd, nonblocking: bool) -> Result<()> {
    let mut value = libc::c_int::from(nonblocking);
    // SAFETY: FIONBIO reads one int from `value`. A bad descriptor is reported as EBADF.
    if unsafe { libc::ioctl(fd, libc::FIONBIO, &raw mut value) } != -1 {
        return Ok(());
    }
    match Errno::last() {
        Errno::EBADF => Err(Errno::EBADF),
        // A sandbox may forbid `ioctl`.
        _ => set_nonblocking_flag(fd, nonblocking),
    }
}

/// Sets or clears non-blocking mode with two system calls.
#[cold]
fn set_nonblocking_flag(fd: RawFd, nonblocking: bool) -> Result<()> {
    // SAFETY: F_GETFL takes no argument. A bad descriptor is reported as EBADF.
    let flags = unsafe { libc::fcntl(fd, libc::F_GETFL) };
    if flags == -1 {
        return Err(Errno::last());
    }
    let mode = if nonblocking { libc::O_NONBLOCK } else { 0 };
    // SAFETY: F_SETFL takes only integers.
    let set = unsafe { libc::fcntl(fd, libc::F_SETFL, flags & !libc::O_NONBLOCK | mode) };
    if set == -1 { Err(Errno::last()) } else { Ok(()) }
}

/// Reads available bytes, and retries when interrupted. Zero bytes mean end of file, unless `buffer`
/// is empty.
pub fn read(fd: BorrowedFd<'_>, buffer: &mut [u8]) -> Result<usize> {
    loop {
        match rustix::io::read(fd, &mut *buffer) {
            Err(rustix::io::Errno::INTR) => {}
            result => return Ok(result?),
        }
    }
}

/// Writes as many bytes as the descriptor accepts, and retries when interrupted.
///
/// `ENOBUFS` becomes `EAGAIN`, because the caller has to wait in both cases. A single slice is
/// written with `write`, even if it is empty: a socket whose peer is gone reports an error for that,
/// while an empty `writev` never reaches the socket.
pub fn write(fd: BorrowedFd<'_>, slices: &[IoSlice<'_>]) -> Result<usize> {
    loop {
        let written = match slices {
            [_] => rustix::io::write(fd, payload::single(slices)),
            many => rustix::io::writev(fd, many),
        };
        match written {
            Err(rustix::io::Errno::INTR) => {}
            Err(rustix::io::Errno::NOBUFS) => return Err(Errno::EAGAIN),
            result => return Ok(result?),
        }
    }
}

/// Takes ownership of a raw descriptor. `EBADF` if it is negative.
///
/// # Safety
/// The descriptor is open, and nothing else owns or closes it.
pub unsafe fn from_raw(fd: RawFd) -> Result<OwnedFd> {
    if fd < 0 {
        return Err(Errno::EBADF);
    }
    // SAFETY: not negative. The caller promises that it is open and not owned elsewhere.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Whether a read does not block: there is data, the end of the stream, or an error.
pub fn is_readable(fd: BorrowedFd<'_>) -> Result<bool> {
    is_ready(fd, PollFlags::IN)
}

/// Whether a write does not block: there is room, or an error.
pub fn is_writable(fd: BorrowedFd<'_>) -> Result<bool> {
    is_ready(fd, PollFlags::OUT)
}

fn is_ready(fd: BorrowedFd<'_>, events: PollFlags) -> Result<bool> {
    let mut fds = [PollFd::from_borrowed_fd(fd, events)];
    let count = retry_on_intr(|| poll(&mut fds, Some(&Timespec::default())))?;
    Ok(count > 0)
}

/// The standard input, output and error of this process: 0, 1 and 2.
pub fn standard(number: usize) -> RawFd {
    number as RawFd
}

/// Whether it is one of the descriptors 0, 1 and 2.
pub fn is_standard(fd: BorrowedFd<'_>) -> bool {
    fd.as_raw_fd() <= libc::STDERR_FILENO
}

/// Duplicates a descriptor. The duplicate is closed on exec.
pub fn duplicate(fd: BorrowedFd<'_>) -> Result<OwnedFd> {
    Ok(fd.try_clone_to_owned()?)
}

/// Gives up a descriptor without closing it.
pub fn leave_open(fd: OwnedFd) {
    let _ = fd.into_raw_fd();
}

/// Closes a descriptor. Ignores errors, for example when the program has already closed it, as libuv
/// does.
pub fn close(fd: OwnedFd) {
    // SAFETY: `into_raw_fd` gives up ownership, so the number is closed once.
    unsafe { libc::close(fd.into_raw_fd()) };
}

/// Whether the number is an open descriptor.
pub fn is_open(fd: RawFd) -> bool {
    // SAFETY: F_GETFD takes only integers.
    unsafe { libc::fcntl(fd, libc::F_GETFD) != -1 }
}

/// Whether the descriptor was opened for reading, and for writing. `EBADF` if it is not open.
pub fn access_mode(fd: BorrowedFd<'_>) -> Result<(bool, bool)> {
    Ok(match status_flags(fd)? & OFlags::RWMODE {
        OFlags::RDONLY => (true, false),
        OFlags::WRONLY => (false, true),
        _ => (true, true),
    })
}

/// The flags of the open file description, with the function of the C library, which programs replace.
pub(crate) fn status_flags(fd: BorrowedFd<'_>) -> Result<OFlags> {
    // SAFETY: F_GETFL takes no argument.
    let flags = unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_GETFL) };
    if flags == -1 {
        Err(Errno::last())
    } else {
        Ok(OFlags::from_bits_retain(flags.cast_unsigned()))
    }
}

/// Whether a write that returns `EAGAIN` is not performed. Only Windows has others.
#[inline]
pub fn can_try_write(_: BorrowedFd<'_>) -> bool {
    true
}

/// Whether waiting for input takes it from other processes, so that the registration has to end with the interest:
/// never.
#[inline]
pub fn waits_by_reading(_: BorrowedFd<'_>) -> bool {
    false
}

/// Opens a reserve descriptor, which the caller closes to free one after `EMFILE`. It refers to
/// `/dev/null`, or to the root directory in a container without devices.
pub fn open_reserve() -> Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    let open = |path| rustix::fs::open(path, flags, rustix::fs::Mode::empty());
    Ok(open(c"/dev/null").or_else(|_| open(c"/"))?)
}

/// `EPERM` for a file or a directory, which a selector cannot wait for: they are always ready. `EBADF` if
/// the descriptor is not open.
pub(crate) fn refuse_files(fd: RawFd) -> Result<()> {
    let status = rustix::fs::fstat(borrow(&fd)?)?;
    match FileType::from_raw_mode(status.st_mode) {
        FileType::RegularFile | FileType::Directory => Err(Errno::EPERM),
        _ => Ok(()),
    }
}

/// Borrows a descriptor of another owner, for system calls that fail with `EBADF` if it is closed.
pub(crate) fn borrow(fd: &RawFd) -> Result<BorrowedFd<'_>> {
    if *fd < 0 {
        return Err(Errno::EBADF);
    }
    // SAFETY: not -1. If the owner has closed it, the system call fails with EBADF or uses a
    // descriptor that has got the same number, as in C. Neither affects memory safety.
    Ok(unsafe { BorrowedFd::borrow_raw(*fd) })
}

/// Sets the permissions of a Unix socket, and of the file that it is bound to: read and write access for
/// user, group and others. With the functions of libc, which programs replace.
#[doc(alias = "uv_pipe_chmod")]
pub fn chmod_socket(socket: BorrowedFd<'_>, read: bool, write: bool) -> Result<()> {
    let mode = if read { 0o444 } else { 0 } | if write { 0o222 } else { 0 };
    match permissions::fchmod(socket.as_raw_fd(), mode) {
        // Systems whose sockets have no permissions of their own.
        Ok(()) | Err(Errno::EINVAL) => {}
        Err(error) => return Err(error),
    }
    let address = net::local_address(socket)?;
    // An abstract name begins with a zero byte and has no file.
    let path = address.unix_name().split(|byte| *byte == 0).next().unwrap_or_default();
    let path = CString::new(path).map_err(|_| Errno::EINVAL)?;
    permissions::chmod(&path, mode)
}
