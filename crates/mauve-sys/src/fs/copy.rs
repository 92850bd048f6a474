//! Copying files, in the kernel where possible: `copyfile` and `sendfile`.

use std::ffi::CStr;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};

use rustix::fs::{FileType, OFlags, RawMode};
use rustix::io::Errno as SystemError;

use super::cancellable::with_cancellation_disabled;
use super::open::{close, open_with};
use super::permissions::{Owner, fchmod, fchown};
use super::stat::Stat;
use super::sync::ftruncate;
use super::times::{FileTimes, TimeChange, futime};
pub use super::types::Reflink;
use super::{call, descriptor, links, system};
use crate::{Errno, Result};

/// Copies a file with its permissions and, if permitted, its owner and times.
///
/// Replaces an existing file at `new_path`, unless `exclusive` is set (`EEXIST`). Copying a file onto
/// itself does nothing. If copying fails, the file at `new_path` is removed.
#[doc(alias = "uv_fs_copyfile")]
pub fn copy_file(path: &CStr, new_path: &CStr, exclusive: bool, reflink: Reflink) -> Result<()> {
    system::copy_file(path, new_path, exclusive, reflink)
}

/// Opens both files, and copies the contents, the permissions and the times.
pub(crate) fn copy_opened(
    path: &CStr,
    new_path: &CStr,
    exclusive: bool,
    reflink: Reflink,
) -> Result<()> {
    let from = open_with(path, OFlags::RDONLY, 0)?;
    let source = system::plain_fstat(from.as_fd())?;
    let mut flags = OFlags::WRONLY | OFlags::CREATE;
    flags.set(OFlags::EXCL, exclusive);
    let to = open_with(new_path, flags, permissions(&source))?;
    let target = system::plain_fstat(to.as_fd())?;
    if (source.dev, source.ino) == (target.dev, target.ino) {
        return Ok(());
    }
    let copied = copy_into(&from, &source, &to, reflink);
    // Some file systems report write errors on close.
    let copied = copied.and(close(to));
    // A device is not removed.
    if copied.is_err() && is_regular(&target) {
        // The error of the copy is reported.
        let _ = links::unlink(new_path);
    }
    copied
}

fn permissions(stat: &Stat) -> u32 {
    stat.mode & 0o7777
}

fn times_of(stat: &Stat) -> FileTimes {
    let [accessed, modified] = [stat.accessed, stat.modified].map(TimeChange::Set);
    FileTimes { accessed, modified }
}

fn is_regular(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.mode as RawMode) == FileType::RegularFile
}

fn copy_into(from: &OwnedFd, source: &Stat, to: &OwnedFd, reflink: Reflink) -> Result<()> {
    ftruncate(to.as_raw_fd(), 0)?;
    // Times and owner are copied if the user is permitted to set them.
    let _ = futime(to.as_raw_fd(), times_of(source));
    let _ = fchown(to.as_raw_fd(), Owner { uid: source.uid, gid: source.gid });
    fchmod(to.as_raw_fd(), permissions(source))?;
    if reflink != Reflink::Never {
        match system::clone(to, from) {
            Err(error) if reflink == Reflink::Always => return Err(error),
            Err(_) => {}
            Ok(()) => return Ok(()),
        }
    }
    // Files of procfs and sysfs have contents although their size is zero.
    let unknown_size = source.size == 0 && is_regular(source);
    let mut remaining = if unknown_size { u64::MAX } else { source.size };
    let mut offset = 0;
    while remaining > 0 {
        let chunk = usize::try_from(remaining).unwrap_or(usize::MAX).min(MAX_CHUNK);
        match sendfile(to.as_raw_fd(), from.as_raw_fd(), offset, chunk)? {
            // The end of the file, which may have been truncated.
            0 => break,
            copied => {
                remaining -= copied as u64;
                offset += copied as i64;
            }
        }
    }
    Ok(())
}

/// The most that the kernel copies with one call.
const MAX_CHUNK: usize = 0x7fff_f000;

/// Copies `length` bytes from `offset` of `from` to the current position of `to`, or less if the file
/// ends before. Returns how many bytes were copied. Waits while a pipe or socket is full.
#[doc(alias = "uv_fs_sendfile")]
pub fn sendfile(to: RawFd, from: RawFd, offset: i64, length: usize) -> Result<usize> {
    let (to, from) = (descriptor(&to)?, descriptor(&from)?);
    let mut copied = 0;
    // Pipes and sockets take less than `length` at once. A length of zero still checks the descriptors.
    loop {
        match system::send(to, from, offset + copied as i64, length - copied) {
            Ok(sent) => {
                copied += sent;
                if sent == 0 || copied == length {
                    return Ok(copied);
                }
            }
            Err(Errno::EAGAIN) => wait_until_writable(to)?,
            Err(error) => return Err(error),
        }
    }
}

fn wait_until_writable(to: BorrowedFd<'_>) -> Result<()> {
    let mut entry = libc::pollfd { fd: to.as_raw_fd(), events: libc::POLLOUT, revents: 0 };
    with_cancellation_disabled(|| {
        // SAFETY: `entry` is one writable entry.
        while unsafe { libc::poll(&raw mut entry, 1, -1) } == -1 {
            match Errno::last() {
                Errno::EINTR => {}
                error => return Err(error),
            }
        }
        // A reader that closes its end while the loop waits is an error of its own, as in libuv.
        if entry.revents == libc::POLLOUT { Ok(()) } else { Err(Errno::EIO) }
    })
}

/// Whether an error may mean that the system call does not support these files.
#[allow(dead_code)] // Only some platforms use it.
pub(crate) fn is_unsupported(error: Errno) -> bool {
    const UNSUPPORTED: [SystemError; 10] = [
        SystemError::INVAL,
        SystemError::NOSYS,
        SystemError::OPNOTSUPP,
        SystemError::XDEV,
        SystemError::PERM,
        SystemError::ACCESS,
        SystemError::TXTBSY,
        SystemError::IO,
        SystemError::NOTSOCK,
        SystemError::SPIPE,
    ];
    UNSUPPORTED.into_iter().any(|unsupported| error == unsupported.into())
}

/// Copies with `read` and `write`.
pub(crate) fn copy_buffered(
    to: BorrowedFd<'_>,
    from: BorrowedFd<'_>,
    offset: i64,
    length: usize,
) -> Result<usize> {
    let mut buffer = vec![0; length.min(64 << 10)];
    let (mut copied, mut seekable) = (0, true);
    while copied < length {
        let wanted = buffer.len().min(length - copied);
        let at = offset as u64 + copied as u64;
        let mut read = call(|| rustix::io::pread(from, &mut buffer[..wanted], at));
        if read == Err(Errno::ESPIPE) {
            // A pipe, for example.
            seekable = false;
            read = call(|| rustix::io::read(from, &mut buffer[..wanted]));
        }
        let bytes = match read {
            Ok(0) => break,
            Ok(bytes) => bytes,
            Err(_) if copied > 0 => break,
            Err(error) => return Err(error),
        };
        let written = write_all(to, &buffer[..bytes], seekable);
        copied += match written {
            Ok(written) => written,
            // The next call reports the error again.
            Err(_) if copied > 0 => break,
            Err(error) => return Err(error),
        };
        if written != Ok(wanted) {
            break;
        }
    }
    Ok(copied)
}

/// Writes bytes. Returns how many were written if the rest can be read again. Otherwise waits until all
/// are written.
fn write_all(to: BorrowedFd<'_>, bytes: &[u8], can_read_again: bool) -> Result<usize> {
    let mut written = 0;
    while written < bytes.len() {
        match call(|| rustix::io::write(to, &bytes[written..])) {
            Ok(count) => written += count,
            Err(Errno::EAGAIN) if !can_read_again => {
                wait_until_writable(to)?;
            }
            Err(_) if written > 0 => break,
            Err(error) => return Err(error),
        }
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::os::fd::AsFd as _;

    use super::*;

    /// A file with `length` bytes, whose name is removed.
    fn file(name: &str, length: usize) -> (std::fs::File, Vec<u8>) {
        let path = std::env::temp_dir().join(format!("mauve-copy-{name}-{}", std::process::id()));
        let bytes: Vec<u8> = (0..length).map(|index| (index / 7) as u8).collect();
        std::fs::write(&path, &bytes).unwrap();
        let file = std::fs::File::open(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        (file, bytes)
    }

    #[test]
    fn a_copy_to_a_full_socket_returns_how_much_was_written() {
        let (from, bytes) = file("full", 8 << 20);
        let [to, peer] = crate::net::socket_pair(libc::SOCK_STREAM, 0, [true, false]).unwrap();
        crate::net::set(to.as_fd(), libc::SOL_SOCKET, libc::SO_SNDBUF, 64 << 10).unwrap();
        let copied = copy_buffered(to.as_fd(), from.as_fd(), 3, bytes.len()).unwrap();
        assert!(copied > 0 && copied < bytes.len(), "{copied}");
        let full = copy_buffered(to.as_fd(), from.as_fd(), 0, bytes.len());
        assert_eq!(full, Err(Errno::EAGAIN));
        drop(to);
        let mut received = Vec::new();
        std::fs::File::from(peer).read_to_end(&mut received).unwrap();
        assert_eq!(received, bytes[3..3 + copied]);
    }

    #[test]
    fn a_copy_from_a_pipe_loses_no_bytes_when_the_socket_is_full() {
        let [reader, writer] = crate::net::pipe([false, false]).unwrap();
        let [to, peer] = crate::net::socket_pair(libc::SOCK_STREAM, 0, [true, false]).unwrap();
        let (mut source, bytes) = file("pipe", 4 << 20);
        let count = bytes.len();
        std::thread::scope(|scope| {
            scope.spawn(move || std::io::copy(&mut source, &mut std::fs::File::from(writer)));
            let received = scope.spawn(move || {
                let mut received = Vec::new();
                std::fs::File::from(peer).read_to_end(&mut received).map(|_| received)
            });
            let mut copied = 0;
            while copied < count {
                copied += copy_buffered(to.as_fd(), reader.as_fd(), 0, count - copied).unwrap();
            }
            drop(to);
            assert_eq!(received.join().unwrap().unwrap(), bytes);
        });
    }
}
