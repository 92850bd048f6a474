//! Files on Windows. A descriptor is a handle; the descriptors of the C runtime are not used.
//!
//! Operations are those of the standard library, where it has them with the same meaning.

use std::ffi::{CStr, c_void};
use std::os::windows::io::{AsRawHandle as _, FromRawHandle as _, OwnedHandle};
use std::ptr::{null, null_mut};

use windows_sys::Wdk::Storage::FileSystem::{
    FileFsFullSizeInformation, NtQueryVolumeInformationFile,
};
use windows_sys::Win32::Foundation::{FILETIME, INVALID_HANDLE_VALUE};
use windows_sys::Win32::Storage::FileSystem::{
    BY_HANDLE_FILE_INFORMATION, CreateFileW, FILE_ATTRIBUTE_DIRECTORY, FILE_ATTRIBUTE_READONLY,
    FILE_ATTRIBUTE_REPARSE_POINT, FILE_ATTRIBUTE_TAG_INFO, FILE_BASIC_INFO,
    FILE_FLAG_BACKUP_SEMANTICS, FILE_FLAG_OPEN_REPARSE_POINT, FILE_READ_ATTRIBUTES,
    FILE_SHARE_DELETE, FILE_SHARE_READ, FILE_SHARE_WRITE, FILE_STANDARD_INFO, FILE_TYPE_CHAR,
    FILE_TYPE_DISK, FILE_TYPE_PIPE, FileAttributeTagInfo, FileBasicInfo, FileStandardInfo,
    GetFileInformationByHandle, GetFileInformationByHandleEx, GetFileType, OPEN_EXISTING,
};
use windows_sys::Win32::System::IO::IO_STATUS_BLOCK;
use windows_sys::Win32::System::SystemServices::{
    IO_REPARSE_TAG_MOUNT_POINT, IO_REPARSE_TAG_SYMLINK,
};

use super::stat::{Stat, Timespec};
use super::statfs::StatFs;
use crate::clock::since_epoch;
use crate::descriptor::{BorrowedDescriptor, CLOSED, RawDescriptor};
use crate::errno::from_status;
use crate::{Errno, Result};

pub mod cancellable;
pub mod copy;
pub mod directory;
pub mod interrupt;
pub mod links;
pub mod open;
pub mod path;
pub mod permissions;
pub mod read_write;
mod reparse;
pub mod sync;
pub mod temporary;
pub mod times;

// The types of files, and the permissions, in the bits of `stat.h`.
const S_IFIFO: u32 = 0o010_000;
const S_IFLNK: u32 = 0o120_000;
const S_IFMT: u32 = 0o170_000;
const S_IFCHR: u32 = 0o020_000;
const S_IFDIR: u32 = 0o040_000;
const S_IFREG: u32 = 0o100_000;
const READ_ONLY: u32 = 0o444;
const READ_WRITE: u32 = 0o666;

/// Other processes may open, change and delete an open file.
const SHARE_ALL: u32 = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

/// The block size that is reported, as by libuv.
const BLOCK_SIZE: u64 = 4096;

/// Borrows a handle of the caller. `EBADF` if it is [`CLOSED`].
pub(crate) fn descriptor(fd: &RawDescriptor) -> Result<BorrowedDescriptor<'_>> {
    if *fd == CLOSED {
        return Err(Errno::EBADF);
    }
    // SAFETY: if the number is not an open handle, the system call fails.
    Ok(unsafe { BorrowedDescriptor::borrow_raw(*fd) })
}

/// How to open a file that exists, or to create one.
#[derive(Clone, Copy)]
struct OpenMode {
    access: u32,
    /// What others may do with the file meanwhile.
    share: u32,
    disposition: u32,
    flags: u32,
}

impl OpenMode {
    /// Opens a file or directory that exists, for its attributes. A symbolic link is not followed with
    /// `FILE_FLAG_OPEN_REPARSE_POINT` in `flags`.
    fn existing(access: u32, flags: u32) -> Self {
        // Without this flag, directories cannot be opened.
        let flags = FILE_FLAG_BACKUP_SEMANTICS | flags;
        Self { access, share: SHARE_ALL, disposition: OPEN_EXISTING, flags }
    }

    fn open(self, path: &CStr) -> Result<OwnedHandle> {
        let path = path::to_wide(path)?;
        let Self { access, share, disposition, flags } = self;
        // SAFETY: the path is null-terminated and outlives the call.
        let file = unsafe {
            CreateFileW(path.as_ptr(), access, share, null(), disposition, flags, null_mut())
        };
        if file == INVALID_HANDLE_VALUE {
            return Err(Errno::last());
        }
        // SAFETY: the system has just opened it, and nothing owns it.
        Ok(unsafe { OwnedHandle::from_raw_handle(file) })
    }
}

pub(crate) fn stat(path: &CStr) -> Result<Stat> {
    stat_with(path, 0)
}

/// Does not follow a symbolic link or a junction, whose size is the length of its target.
pub(crate) fn lstat(path: &CStr) -> Result<Stat> {
    let mut stat = stat_with(path, FILE_FLAG_OPEN_REPARSE_POINT)?;
    if stat.mode & S_IFMT == S_IFLNK {
        stat.size = links::readlink(path)?.as_bytes().len() as u64;
    }
    Ok(stat)
}

fn stat_with(path: &CStr, flags: u32) -> Result<Stat> {
    let file = OpenMode::existing(FILE_READ_ATTRIBUTES, flags).open(path)?;
    // SAFETY: the file is open until the end of this function.
    let fd = unsafe { BorrowedDescriptor::borrow_raw(file.as_raw_handle() as RawDescriptor) };
    let mut stat = fstat(fd)?;
    if flags & FILE_FLAG_OPEN_REPARSE_POINT != 0 && is_link(fd) {
        stat.mode = stat.mode & !S_IFMT | S_IFLNK;
    }
    Ok(stat)
}

/// Whether the handle is that of a symbolic link or a junction itself. Other reparse points are files.
fn is_link(fd: BorrowedDescriptor<'_>) -> bool {
    // SAFETY: the struct is that of the class, and all its bits may be zero.
    let info = unsafe { information::<FILE_ATTRIBUTE_TAG_INFO>(fd, FileAttributeTagInfo) };
    info.is_ok_and(|info| {
        info.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT != 0
            && matches!(info.ReparseTag, IO_REPARSE_TAG_SYMLINK | IO_REPARSE_TAG_MOUNT_POINT)
    })
}

pub(crate) fn fstat(fd: BorrowedDescriptor<'_>) -> Result<Stat> {
    // SAFETY: the call fails if the number is not an open handle.
    match unsafe { GetFileType(fd.handle()) } {
        FILE_TYPE_DISK => disk_stat(fd),
        FILE_TYPE_CHAR => Ok(device_stat(S_IFCHR)),
        FILE_TYPE_PIPE => Ok(device_stat(S_IFIFO)),
        _ => Err(Errno::EBADF),
    }
}

/// The status of a device or a pipe, which has nothing but a type.
fn device_stat(kind: u32) -> Stat {
    Stat { mode: kind | READ_WRITE, nlink: 1, blksize: BLOCK_SIZE, ..Stat::NONE }
}

fn disk_stat(fd: BorrowedDescriptor<'_>) -> Result<Stat> {
    // SAFETY: all bits of the struct may be zero.
    let mut info: BY_HANDLE_FILE_INFORMATION = unsafe { std::mem::zeroed() };
    // SAFETY: the call fills a local variable.
    if unsafe { GetFileInformationByHandle(fd.handle(), &raw mut info) } == 0 {
        return Err(Errno::last());
    }
    // SAFETY: the structs are those of the classes, and all their bits may be zero.
    let (basic, standard) = unsafe {
        (
            information::<FILE_BASIC_INFO>(fd, FileBasicInfo)?,
            information::<FILE_STANDARD_INFO>(fd, FileStandardInfo)?,
        )
    };
    let is_directory = info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY != 0;
    let is_read_only = info.dwFileAttributes & FILE_ATTRIBUTE_READONLY != 0;
    let kind = if is_directory { S_IFDIR } else { S_IFREG };
    Ok(Stat {
        dev: info.dwVolumeSerialNumber.into(),
        mode: kind | if is_read_only { READ_ONLY } else { READ_WRITE },
        nlink: info.nNumberOfLinks.into(),
        uid: 0,
        gid: 0,
        rdev: 0,
        ino: join(info.nFileIndexHigh, info.nFileIndexLow),
        size: join(info.nFileSizeHigh, info.nFileSizeLow),
        blksize: BLOCK_SIZE,
        blocks: standard.AllocationSize.cast_unsigned() / 512,
        accessed: time(info.ftLastAccessTime),
        modified: time(info.ftLastWriteTime),
        changed: timespec(basic.ChangeTime),
        created: time(info.ftCreationTime),
    })
}

fn join(high: u32, low: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

fn time(time: FILETIME) -> Timespec {
    timespec(join(time.dwHighDateTime, time.dwLowDateTime).cast_signed())
}

/// Converts a time in units of 100 ns since 1601. Zero means that there is none.
fn timespec(units: i64) -> Timespec {
    if units == 0 {
        return Timespec::default();
    }
    let (seconds, nanoseconds) = since_epoch(units);
    Timespec { seconds, nanoseconds }
}

/// Queries information about an open file.
///
/// # Safety
/// `T` is the struct of `class`, and all its bits may be zero.
unsafe fn information<T>(fd: BorrowedDescriptor<'_>, class: i32) -> Result<T> {
    // SAFETY: the caller promises that zeros are valid.
    let mut info: T = unsafe { std::mem::zeroed() };
    let (at, size) = ((&raw mut info).cast::<c_void>(), size_of::<T>() as u32);
    // SAFETY: the caller promises the struct of the class, which the call fills.
    if unsafe { GetFileInformationByHandleEx(fd.handle(), class, at, size) } == 0 {
        return Err(Errno::last());
    }
    Ok(info)
}

/// `FILE_FS_FULL_SIZE_INFORMATION`: counts of blocks, and their size.
#[repr(C)]
struct FullSizeInformation {
    total_blocks: i64,
    available_blocks: i64,
    free_blocks: i64,
    sectors_per_block: u32,
    bytes_per_sector: u32,
}

/// The status of a file system. It has no type, and no inodes.
pub(crate) fn statfs(path: &CStr) -> Result<StatFs> {
    let file = OpenMode::existing(FILE_READ_ATTRIBUTES, 0).open(path)?;
    // SAFETY: all bits of both structs may be zero.
    let (mut info, mut status): (FullSizeInformation, IO_STATUS_BLOCK) =
        unsafe { std::mem::zeroed() };
    let size = size_of_val(&info) as u32;
    // SAFETY: the handle is open, and both structs are local variables, of the class that is named.
    let result = unsafe {
        NtQueryVolumeInformationFile(
            file.as_raw_handle(),
            &raw mut status,
            (&raw mut info).cast(),
            size,
            FileFsFullSizeInformation,
        )
    };
    if result < 0 {
        return Err(from_status(result));
    }
    let block = u64::from(info.sectors_per_block) * u64::from(info.bytes_per_sector);
    Ok(StatFs {
        kind: 0,
        block_size: block,
        blocks: info.total_blocks.cast_unsigned(),
        free_blocks: info.free_blocks.cast_unsigned(),
        available_blocks: info.available_blocks.cast_unsigned(),
        files: 0,
        free_files: 0,
        fragment_size: block,
    })
}

#[cfg(test)]
mod tests;
