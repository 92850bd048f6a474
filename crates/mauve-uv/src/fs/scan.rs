//! `uv_fs_scandir`: all entries of a directory at once.

use std::ffi::{c_char, c_int};

use mauve_sys::Errno;
use mauve_sys::fs::directory::{self, DirEntry};

use crate::abi::callbacks::uv_fs_cb;
use crate::abi::*;
use crate::ffi::{Ptr, negative};
use crate::fs::call::Call;
use crate::fs::directory::kind;

/// What the `ptr` of a request points to: the entries, and how many were asked for already.
pub(super) struct Listing {
    entries: Vec<DirEntry>,
    told: usize,
}

/// The flags have never had a meaning.
#[export]
pub extern "C" fn uv_fs_scandir(
    of: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    _flags: c_int,
    callback: uv_fs_cb,
) -> c_int {
    Call::new(UV_FS_SCANDIR, of, request, callback).path(path).run(|job| {
        let entries = directory::scandir(job.path())?;
        let count = entries.len();
        if count > 0 {
            job.set_ptr(Box::into_raw(Box::new(Listing { entries, told: 0 })));
        }
        Ok(count as isize)
    })
}

/// The name stays until the request is cleaned up, or has told all.
#[export]
pub extern "C" fn uv_fs_scandir_next(request: Ptr<uv_fs_t>, entry: Ptr<uv_dirent_t>) -> c_int {
    let (result, pointer) = request.with(|fs| (fs.result, fs.ptr.cast::<Listing>()));
    if result < 0 {
        return result as c_int;
    }
    // SAFETY: null, or what `uv_fs_scandir` has put there.
    let Some(listing) = (unsafe { pointer.as_mut() }) else { return negative(Errno::EOF) };
    let Some(next) = listing.entries.get(listing.told) else {
        request.with(|fs| fs.ptr = std::ptr::null_mut());
        // SAFETY: taken out of the request.
        unsafe { release(pointer) };
        return negative(Errno::EOF);
    };
    listing.told += 1;
    entry.write(uv_dirent_t { name: next.name.as_ptr(), r#type: kind(next.file_type) });
    0
}

/// # Safety
/// What `uv_fs_scandir` has put into a request, and nobody uses any more.
pub(super) unsafe fn release(listing: *mut Listing) {
    // SAFETY: made by `Box::into_raw`, and given up by the caller.
    drop(unsafe { Box::from_raw(listing) });
}
