//! Opening and closing files.

use std::ffi::CStr;

use windows_sys::Win32::Foundation::{CloseHandle, GENERIC_READ, GENERIC_WRITE};
use windows_sys::Win32::Storage::FileSystem::{
    CREATE_ALWAYS, CREATE_NEW, DELETE, FILE_APPEND_DATA, FILE_ATTRIBUTE_NORMAL,
    FILE_ATTRIBUTE_READONLY, FILE_ATTRIBUTE_TEMPORARY, FILE_FLAG_BACKUP_SEMANTICS,
    FILE_FLAG_DELETE_ON_CLOSE, FILE_FLAG_NO_BUFFERING, FILE_FLAG_RANDOM_ACCESS,
    FILE_FLAG_SEQUENTIAL_SCAN, FILE_FLAG_WRITE_THROUGH, FILE_GENERIC_WRITE, FILE_WRITE_DATA,
    OPEN_ALWAYS, OPEN_EXISTING, TRUNCATE_EXISTING,
};

use super::{OpenMode, SHARE_ALL};
use crate::descriptor::{AsDescriptor as _, Descriptor, RawDescriptor, handle, into_raw};
use crate::{Errno, Result};

// The flags of the C runtime, and those that libuv adds (`UV_FS_O_*`).
const O_WRONLY: i32 = 1;
const O_RDWR: i32 = 2;
const O_APPEND: i32 = 8;
const O_RANDOM: i32 = 0x10;
const O_SEQUENTIAL: i32 = 0x20;
const O_TEMPORARY: i32 = 0x40;
const O_CREAT: i32 = 0x100;
const O_TRUNC: i32 = 0x200;
const O_EXCL: i32 = 0x400;
const O_SHORT_LIVED: i32 = 0x1000;
const O_DIRECT: i32 = 0x0200_0000;
const O_DSYNC: i32 = 0x0400_0000;
const O_SYNC: i32 = 0x0800_0000;
const O_EXLOCK: i32 = 0x1000_0000;
const O_FILEMAP: i32 = 0x2000_0000;
const KNOWN: i32 = O_WRONLY
    | O_RDWR
    | O_APPEND
    | O_RANDOM
    | O_SEQUENTIAL
    | O_TEMPORARY
    | O_CREAT
    | O_TRUNC
    | O_EXCL
    | O_SHORT_LIVED
    | O_DIRECT
    | O_DSYNC
    | O_SYNC
    | O_EXLOCK
    | O_FILEMAP;

/// The permission in `mode` without which a new file is read-only.
const S_IWUSR: u32 = 0o200;

/// Opens a file with the flags of `UV_FS_O_*`. Of `mode`, only the write permission of the user is used, for a
/// new file. The handle is not inherited. `EINVAL` for unknown flags, and for flags that exclude each other.
///
/// `UV_FS_O_FILEMAP` asks libuv for a mapping of the file, with the same results as reads and writes. Here it has no
/// effect, except that the file can always be read, as a mapping needs it.
#[doc(alias = "uv_fs_open")]
pub fn open(path: &CStr, flags: i32, mode: u32) -> Result<Descriptor> {
    let has = |flag: i32| flags & flag != 0;
    // Unbuffered writes are to offsets that the caller chooses.
    if flags & !KNOWN != 0 || has(O_APPEND) && has(O_DIRECT) {
        return Err(Errno::EINVAL);
    }
    let mut access = match flags & (O_WRONLY | O_RDWR) {
        O_WRONLY if has(O_FILEMAP) => GENERIC_READ | FILE_GENERIC_WRITE,
        0 => GENERIC_READ,
        O_WRONLY => FILE_GENERIC_WRITE,
        O_RDWR => GENERIC_READ | FILE_GENERIC_WRITE,
        _ => return Err(Errno::EINVAL),
    };
    if has(O_APPEND) {
        access = access & !(FILE_WRITE_DATA | GENERIC_WRITE) | FILE_APPEND_DATA;
    }
    let disposition = match (has(O_CREAT), has(O_EXCL), has(O_TRUNC)) {
        (true, true, _) => CREATE_NEW,
        (true, false, true) => CREATE_ALWAYS,
        (true, false, false) => OPEN_ALWAYS,
        (false, _, true) => TRUNCATE_EXISTING,
        (false, _, false) => OPEN_EXISTING,
    };
    // Truncation needs this right, also where the file is opened for reading.
    if disposition == TRUNCATE_EXISTING {
        access |= GENERIC_WRITE;
    }
    let attributes = [
        (has(O_CREAT) && mode & S_IWUSR == 0, FILE_ATTRIBUTE_READONLY),
        (has(O_TEMPORARY), FILE_FLAG_DELETE_ON_CLOSE | FILE_ATTRIBUTE_TEMPORARY),
        (has(O_SHORT_LIVED), FILE_ATTRIBUTE_TEMPORARY),
        (has(O_RANDOM), FILE_FLAG_RANDOM_ACCESS),
        (has(O_SEQUENTIAL), FILE_FLAG_SEQUENTIAL_SCAN),
        (has(O_DIRECT), FILE_FLAG_NO_BUFFERING),
        (has(O_DSYNC) || has(O_SYNC), FILE_FLAG_WRITE_THROUGH),
    ];
    let wanted = attributes.into_iter().filter(|(wanted, _)| *wanted);
    // Directories can be opened, too.
    let flags = wanted.fold(FILE_FLAG_BACKUP_SEMANTICS, |all, (_, attribute)| all | attribute);
    let flags = match flags & (FILE_ATTRIBUTE_READONLY | FILE_ATTRIBUTE_TEMPORARY) {
        0 => flags | FILE_ATTRIBUTE_NORMAL,
        _ => flags,
    };
    access |= if has(O_TEMPORARY) { DELETE } else { 0 };
    let share = if has(O_EXLOCK) { 0 } else { SHARE_ALL };
    match (OpenMode { access, share, disposition, flags }).open(path) {
        // A directory is no file that could be created again.
        Err(Errno::EEXIST) if disposition == CREATE_ALWAYS => Err(Errno::EISDIR),
        opened => Ok(opened?.into()),
    }
}

/// Closes a descriptor and reports errors, unlike dropping it.
pub fn close(fd: Descriptor) -> Result<()> {
    if crate::net::is_socket(fd.raw_descriptor()) {
        drop(fd);
        return Ok(());
    }
    // SAFETY: `into_raw` gives up ownership, so nothing else closes it.
    unsafe { close_raw(into_raw(fd)) }
}

/// Closes a handle. `EBADF` if it is not open.
///
/// # Safety
/// If the number is an open handle, the caller must own it.
#[doc(alias = "uv_fs_close")]
pub unsafe fn close_raw(fd: RawDescriptor) -> Result<()> {
    // SAFETY: the caller owns the handle, or the number is not open and the call fails.
    if unsafe { CloseHandle(handle(fd)) } == 0 { Err(Errno::last()) } else { Ok(()) }
}
