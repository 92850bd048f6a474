//! `uv_fs_copyfile` and `uv_fs_sendfile`.

use std::ffi::{c_char, c_int};

use mauve_sys::Errno;
use mauve_sys::fs::copy::{self, Reflink};

use crate::abi::callbacks::uv_fs_cb;
use crate::abi::*;
use crate::ffi::Ptr;
use crate::file;
use crate::fs::call::{FsCall, done};
use crate::fs::read_write::MAX_LENGTH;

const UV_FS_COPYFILE_EXCL: c_int = 1;
const UV_FS_COPYFILE_FICLONE: c_int = 2;
const UV_FS_COPYFILE_FICLONE_FORCE: c_int = 4;

const KNOWN_FLAGS: c_int =
    UV_FS_COPYFILE_EXCL | UV_FS_COPYFILE_FICLONE | UV_FS_COPYFILE_FICLONE_FORCE;

#[unsafe(no_mangle)]
pub extern "C-unwind" fn uv_fs_copyfile(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    new_path: Ptr<c_char>,
    flags: c_int,
    callback: uv_fs_cb,
) -> c_int {
    let known = if flags & !KNOWN_FLAGS == 0 { Ok(()) } else { Err(Errno::EINVAL) };
    FsCall::new(UV_FS_COPYFILE, loop_, request, callback)
        .with(uv_fs_arguments_t { flags, ..uv_fs_arguments_t::NONE })
        .paths(path, new_path)
        .run_if(known, |job| {
            let exclusive = job.flags & UV_FS_COPYFILE_EXCL != 0;
            let clone = match job.flags {
                flags if flags & UV_FS_COPYFILE_FICLONE_FORCE != 0 => Reflink::Always,
                flags if flags & UV_FS_COPYFILE_FICLONE != 0 => Reflink::Auto,
                _ => Reflink::Never,
            };
            done(copy::copy_file(job.path(), job.new_path(), exclusive, clone))
        })
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_sendfile(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    out_fd: uv_file,
    in_fd: uv_file,
    offset: i64,
    length: usize,
    callback: uv_fs_cb,
) -> c_int {
    let valid = if length <= MAX_LENGTH { Ok(()) } else { Err(Errno::EINVAL) };
    FsCall::new(UV_FS_SENDFILE, loop_, request, callback)
        .with(uv_fs_arguments_t {
            file: out_fd,
            flags: in_fd,
            offset,
            length,
            ..uv_fs_arguments_t::NONE
        })
        .run_if(valid, |job| {
            let input = file::descriptor(job.flags);
            let copied = copy::sendfile(job.descriptor(), input, job.offset, job.length);
            copied.map(|bytes| bytes as isize)
        })
}
