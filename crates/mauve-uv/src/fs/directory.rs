//! `uv_fs_opendir`, `uv_fs_readdir` and `uv_fs_closedir`.

use std::ffi::{c_char, c_int};
use std::ptr::null_mut;

use mauve_sys::fs::directory::{Directory, FileType};
use mauve_sys::{Errno, Result};

use crate::abi::callbacks::uv_fs_cb;
use crate::abi::*;
use crate::ffi::Ptr;
use crate::fs::call::{FsCall, FsJob};
use crate::{allocator, text};

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_opendir(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_OPENDIR, loop_, request, callback).path(path).run(|job| {
        let opened = Box::new(Directory::open(job.path())?);
        let directory = allocator::allocate(size_of::<uv_dir_t>()).cast::<uv_dir_t>();
        if directory.is_null() {
            return Err(Errno::ENOMEM);
        }
        let dir = Box::into_raw(opened);
        let empty = uv_dir_t {
            dirents: null_mut(),
            nentries: 0,
            reserved: [null_mut(); 4],
            dir,
            rest: [0; DIR_REST],
        };
        // SAFETY: new memory of this size.
        unsafe { directory.write(empty) };
        job.set_ptr(directory);
        Ok(0)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_readdir(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    directory: Ptr<uv_dir_t>,
    callback: uv_fs_cb,
) -> c_int {
    let ready = !directory.is_null()
        && directory.with(|directory| !directory.dir.is_null() && !directory.dirents.is_null());
    FsCall::new(UV_FS_READDIR, loop_, request, callback)
        .directory(directory)
        .run_if(if ready { Ok(()) } else { Err(Errno::EINVAL) }, read)
}

/// Fills the array of the program with entries. Returns their number.
fn read(job: &mut FsJob) -> Result<isize> {
    let directory = job.ptr::<uv_dir_t>();
    // SAFETY: the program guarantees the directory and the array, and does not use them before
    // completion. `uv_fs_opendir` stored the stream.
    let (stream, entries) = unsafe {
        let uv_dir_t { dirents, nentries, dir, .. } = &mut *directory;
        (&mut **dir, std::slice::from_raw_parts_mut(*dirents, *nentries))
    };
    for (filled, slot) in entries.iter_mut().enumerate() {
        let found = match stream.next() {
            None => return Ok(filled as isize),
            Some(entry) => entry.and_then(|entry| {
                let name = text::duplicate(entry.name.to_bytes());
                if name.is_null() {
                    Err(Errno::ENOMEM)
                } else {
                    Ok((name, dirent_type(entry.file_type)))
                }
            }),
        };
        match found {
            Ok((name, kind)) => *slot = uv_dirent_t { name, r#type: kind },
            Err(error) => {
                // SAFETY: these entries were filled above.
                unsafe { release_names(directory, filled as isize) };
                return Err(error);
            }
        }
    }
    Ok(entries.len() as isize)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_closedir(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    directory: Ptr<uv_dir_t>,
    callback: uv_fs_cb,
) -> c_int {
    let given = if directory.is_null() { Err(Errno::EINVAL) } else { Ok(()) };
    FsCall::new(UV_FS_CLOSEDIR, loop_, request, callback).directory(directory).run_if(
        given,
        |job| {
            let directory = job.ptr::<uv_dir_t>();
            // SAFETY: boxed by `uv_fs_opendir`. The program does not use the directory any more.
            drop(unsafe { Box::from_raw((*directory).dir) });
            allocator::release(directory.cast());
            job.set_ptr::<uv_dir_t>(null_mut());
            Ok(0)
        },
    )
}

/// Frees the names of the first `count` entries.
///
/// # Safety
/// `uv_fs_readdir` must have filled them, and the array must be valid.
pub(super) unsafe fn release_names(directory: *mut uv_dir_t, count: isize) {
    for at in 0..usize::try_from(count).unwrap_or(0) {
        // SAFETY: the caller guarantees `count` valid entries.
        let entry = unsafe { &mut *(*directory).dirents.add(at) };
        allocator::release(entry.name.cast_mut().cast());
        entry.name = null_mut();
    }
}

/// The `UV_DIRENT_*` value of a file type.
pub(super) fn dirent_type(file_type: FileType) -> c_int {
    match file_type {
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
