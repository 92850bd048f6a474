//! Copying between files, in the kernel where it can.

use std::ffi::CStr;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};

use rustix::fs::{FileType, Gid, Mode, OFlags, Stat, Timespec, Timestamps, Uid};
use rustix::io::Errno as SystemError;

use super::open::{close, open_with};
use super::{call, descriptor, names};
use crate::Result;

/// Whether a copy may share its blocks with the original, until one of them is written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clone {
    /// It is made of blocks of its own.
    No,
    /// It shares them if the file system can.
    IfPossible,
    /// It shares them, or there is no copy.
    Required,
}

/// Copies a file with its permissions and, as far as one may give it away, its owner.
///
/// What is at `new_path` is replaced, unless `exclusive` (`EEXIST`). Copying a file onto itself
/// does nothing. If the copy fails half-way, the file at `new_path` is removed.
#[doc(alias = "uv_fs_copyfile")]
pub fn copy_file(path: &CStr, new_path: &CStr, exclusive: bool, clone: Clone) -> Result<()> {
    let from = open_with(path, OFlags::RDONLY, 0)?;
    let source = call(|| rustix::fs::fstat(&from))?;
    let mut flags = OFlags::WRONLY | OFlags::CREATE;
    flags.set(OFlags::EXCL, exclusive);
    let to = open_with(new_path, flags, source.st_mode & PERMISSIONS)?;
    let target = call(|| rustix::fs::fstat(&to))?;
    if (source.st_dev, source.st_ino) == (target.st_dev, target.st_ino) {
        return Ok(());
    }
    let copied = copy_into(&from, &source, &to, clone);
    // Some file systems report what could not be written only now.
    let copied = copied.and(close(to));
    // A device is nothing that a failed copy leaves half-made.
    if copied.is_err() && is_regular(&target) {
        // The first error is the one to report.
        let _ = names::unlink(new_path);
    }
    copied
}

const PERMISSIONS: u32 = 0o7777;

fn times_of(stat: &Stat) -> Timestamps {
    let time = |seconds, nanoseconds| Timespec { tv_sec: seconds, tv_nsec: nanoseconds as _ };
    Timestamps {
        last_access: time(stat.st_atime as _, stat.st_atime_nsec),
        last_modification: time(stat.st_mtime as _, stat.st_mtime_nsec),
    }
}

fn is_regular(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
}

fn copy_into(from: &OwnedFd, source: &Stat, to: &OwnedFd, clone: Clone) -> Result<()> {
    call(|| rustix::fs::ftruncate(to, 0))?;
    // As far as one may: it was last looked at when the original was, and belongs to its owner.
    let _ = rustix::fs::futimens(to, &times_of(source));
    let _ = rustix::fs::fchown(
        to,
        Some(Uid::from_raw(source.st_uid)),
        Some(Gid::from_raw(source.st_gid)),
    );
    call(|| rustix::fs::fchmod(to, Mode::from_raw_mode(source.st_mode & PERMISSIONS)))?;
    if clone != Clone::No {
        match call(|| rustix::fs::ioctl_ficlone(to, from)) {
            Err(error) if clone == Clone::Required => return Err(error),
            Err(_) => {}
            Ok(()) => return Ok(()),
        }
    }
    // Files that the kernel makes up as they are read have no size, and yet contents.
    let made_up = source.st_size == 0 && is_regular(source);
    let mut left = if made_up { u64::MAX } else { source.st_size as u64 };
    let mut offset = 0;
    while left > 0 {
        let chunk = usize::try_from(left).unwrap_or(usize::MAX).min(MAX_CHUNK);
        match send(to.as_raw_fd(), from.as_raw_fd(), offset, chunk)? {
            // The file has become shorter meanwhile.
            0 => break,
            copied => {
                left -= copied as u64;
                offset += copied as i64;
            }
        }
    }
    Ok(())
}

/// As much as the kernel copies in one call.
const MAX_CHUNK: usize = 0x7fff_f000;

/// Copies up to `length` bytes from `offset` of one file to where another one stands. Returns how
/// many there were.
#[doc(alias = "uv_fs_sendfile")]
pub fn send(to: RawFd, from: RawFd, offset: i64, length: usize) -> Result<usize> {
    let (to, from) = (descriptor(&to)?, descriptor(&from)?);
    let mut at = offset as u64;
    match call(|| rustix::fs::copy_file_range(from, Some(&mut at), to, None, length)) {
        // Nothing, although there may be something: files that are made up as they are read.
        Ok(0) if length > 0 => {}
        // Not between these two files, or not by this kernel.
        Err(error) if cannot(error) => {}
        result => return result,
    }
    let mut at = offset as u64;
    match call(|| rustix::fs::sendfile(to, from, Some(&mut at), length)) {
        Err(error) if cannot(error) => carry(to, from, offset, length),
        result => result,
    }
}

/// Whether an error says that the kernel knows no way, rather than that there is none.
fn cannot(error: crate::Errno) -> bool {
    const CANNOT: [SystemError; 10] = [
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
    CANNOT.into_iter().any(|cannot| error == cannot.into())
}

/// Copies by way of our own memory.
fn carry(to: BorrowedFd<'_>, from: BorrowedFd<'_>, offset: i64, length: usize) -> Result<usize> {
    let mut buffer = vec![0; length.min(64 << 10)];
    let mut carried = 0;
    while carried < length {
        let room = buffer.len().min(length - carried);
        let at = offset as u64 + carried as u64;
        let read = match call(|| rustix::io::pread(from, &mut buffer[..room], at)) {
            // It has no offsets.
            Err(crate::Errno::ESPIPE) => call(|| rustix::io::read(from, &mut buffer[..room])),
            result => result,
        };
        let bytes = match read {
            Ok(0) => break,
            Ok(bytes) => bytes,
            Err(_) if carried > 0 => break,
            Err(error) => return Err(error),
        };
        let mut rest = &buffer[..bytes];
        while !rest.is_empty() {
            let written = call(|| rustix::io::write(to, rest))?;
            rest = &rest[written..];
        }
        carried += bytes;
        if bytes < room {
            break;
        }
    }
    Ok(carried)
}
