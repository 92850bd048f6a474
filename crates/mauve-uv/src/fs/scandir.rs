//! `uv_fs_scandir` and `uv_fs_scandir_next`.

use std::ffi::{c_char, c_int};

use mauve_sys::Errno;
use mauve_sys::fs::directory::{self, DirEntry};

use crate::abi::callbacks::uv_fs_cb;
use crate::abi::*;
use crate::ffi::{Ptr, negative};
use crate::fs::call::FsCall;
use crate::fs::directory::dirent_type;

/// The target of the `ptr` of a request: the entries, and the index of the next one.
pub(super) struct Listing {
    entries: Vec<DirEntry>,
    next: usize,
}

/// The flags have no effect, as in libuv.
#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_scandir(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    _flags: c_int,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_SCANDIR, loop_, request, callback).path(path).run(|job| {
        let entries = directory::scandir(job.path())?;
        let count = entries.len();
        if count > 0 {
            job.set_ptr(Box::into_raw(Box::new(Listing { entries, next: 0 })));
        }
        Ok(count as isize)
    })
}

/// The name is valid until `uv_fs_req_cleanup`, or until the call that returns `UV_EOF`.
#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_scandir_next(request: Ptr<uv_fs_t>, entry: Ptr<uv_dirent_t>) -> c_int {
    let (result, pointer) = request.with(|fs| (fs.result, fs.ptr.cast::<Listing>()));
    if result < 0 {
        return result as c_int;
    }
    // SAFETY: null, or the pointer that `uv_fs_scandir` stored.
    let Some(listing) = (unsafe { pointer.as_mut() }) else { return negative(Errno::EOF) };
    let Some(next) = listing.entries.get(listing.next) else {
        request.with(|fs| fs.ptr = std::ptr::null_mut());
        // SAFETY: removed from the request above.
        unsafe { release(pointer) };
        return negative(Errno::EOF);
    };
    listing.next += 1;
    entry.write(uv_dirent_t { name: next.name.as_ptr(), r#type: dirent_type(next.file_type) });
    0
}

/// # Safety
/// `uv_fs_scandir` must have stored it in a request, which no longer uses it.
pub(super) unsafe fn release(listing: *mut Listing) {
    // SAFETY: from `Box::into_raw`, and not used by the caller any more.
    drop(unsafe { Box::from_raw(listing) });
}
