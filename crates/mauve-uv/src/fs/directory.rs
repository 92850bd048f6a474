//! Directories, read in portions.

use std::ffi::{c_char, c_int};
use std::ptr::null_mut;

use mauve_sys::fs::directory::{Directory, FileType};
use mauve_sys::{Errno, Result};

use crate::abi::callbacks::uv_fs_cb;
use crate::abi::*;
use crate::ffi::Ptr;
use crate::fs::call::{Call, Job};
use crate::{allocator, text};

#[export]
pub extern "C" fn uv_fs_opendir(
    of: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    callback: uv_fs_cb,
) -> c_int {
    Call::new(UV_FS_OPENDIR, of, request, callback).path(path).run(|job| {
        let opened = Box::new(Directory::open(job.path())?);
        let directory = allocator::allocate(size_of::<uv_dir_t>()).cast::<uv_dir_t>();
        if directory.is_null() {
            return Err(Errno::ENOMEM);
        }
        let dir = Box::into_raw(opened);
        let empty = uv_dir_t { dirents: null_mut(), nentries: 0, reserved: [null_mut(); 4], dir };
        // SAFETY: fresh memory of this size.
        unsafe { directory.write(empty) };
        job.set_ptr(directory);
        Ok(0)
    })
}

#[export]
pub extern "C" fn uv_fs_readdir(
    of: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    directory: Ptr<uv_dir_t>,
    callback: uv_fs_cb,
) -> c_int {
    let ready = !directory.is_null()
        && directory.with(|directory| !directory.dir.is_null() && !directory.dirents.is_null());
    Call::new(UV_FS_READDIR, of, request, callback)
        .about(directory)
        .run_if(if ready { Ok(()) } else { Err(Errno::EINVAL) }, read)
}

/// Fills the program's array, as far as there are entries.
fn read(job: &mut Job) -> Result<isize> {
    let directory = job.ptr::<uv_dir_t>();
    // SAFETY: the program vouches for the directory and for the array, both of which are this
    // request's until it is done. Our part of it was made by `uv_fs_opendir`.
    let (stream, room) = unsafe {
        let uv_dir_t { dirents, nentries, dir, .. } = &mut *directory;
        (&mut **dir, std::slice::from_raw_parts_mut(*dirents, *nentries))
    };
    for (filled, place) in room.iter_mut().enumerate() {
        let found = match stream.next() {
            None => return Ok(filled as isize),
            Some(entry) => entry.and_then(|entry| {
                let name = text::duplicate(entry.name.to_bytes());
                if name.is_null() { Err(Errno::ENOMEM) } else { Ok((name, kind(entry.file_type))) }
            }),
        };
        match found {
            Ok((name, kind)) => *place = uv_dirent_t { name, r#type: kind },
            Err(error) => {
                // SAFETY: the entries that were filled just now.
                unsafe { release_names(directory, filled as isize) };
                return Err(error);
            }
        }
    }
    Ok(room.len() as isize)
}

#[export]
pub extern "C" fn uv_fs_closedir(
    of: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    directory: Ptr<uv_dir_t>,
    callback: uv_fs_cb,
) -> c_int {
    let given = if directory.is_null() { Err(Errno::EINVAL) } else { Ok(()) };
    Call::new(UV_FS_CLOSEDIR, of, request, callback).about(directory).run_if(given, |job| {
        let directory = job.ptr::<uv_dir_t>();
        // SAFETY: made by `uv_fs_opendir`, and given up by the program.
        drop(unsafe { Box::from_raw((*directory).dir) });
        allocator::release(directory.cast());
        job.set_ptr::<uv_dir_t>(null_mut());
        Ok(0)
    })
}

/// Frees the names of the first `count` entries.
///
/// # Safety
/// They were filled by `uv_fs_readdir`, and the program still has the array.
pub(super) unsafe fn release_names(directory: *mut uv_dir_t, count: isize) {
    for at in 0..usize::try_from(count).unwrap_or(0) {
        // SAFETY: promised by the caller.
        let entry = unsafe { &mut *(*directory).dirents.add(at) };
        allocator::release(entry.name.cast_mut().cast());
        entry.name = null_mut();
    }
}

/// libuv's number for a kind of file.
pub(super) fn kind(kind: FileType) -> c_int {
    match kind {
        FileType::File => UV_DIRENT_FILE,
        FileType::Directory => UV_DIRENT_DIR,
        FileType::Symlink => UV_DIRENT_LINK,
        FileType::Fifo => UV_DIRENT_FIFO,
        FileType::Socket => UV_DIRENT_SOCKET,
        FileType::CharacterDevice => UV_DIRENT_CHAR,
        FileType::BlockDevice => UV_DIRENT_BLOCK,
        FileType::Unknown => UV_DIRENT_UNKNOWN,
    }
}
