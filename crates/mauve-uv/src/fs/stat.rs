//! `uv_fs_stat`, `uv_fs_lstat`, `uv_fs_fstat` and `uv_fs_statfs`.

use std::ffi::{c_char, c_int, c_long};

use mauve_sys::fs::stat::{self, Stat, Timespec};
use mauve_sys::fs::{nowait, statfs};
use mauve_sys::{Errno, Result};

use crate::abi::callbacks::uv_fs_cb;
use crate::abi::*;
use crate::allocator;
use crate::ffi::Ptr;
use crate::fs::call::{FsCall, FsJob};

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_stat(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_STAT, loop_, request, callback)
        .path(path)
        .attempt_if_alone(|job| nowait::stat(job.path()).map(|found| store(job, Ok(found))))
        .run_inline(Ok(()), |job| store(job, stat::stat(job.path())))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_lstat(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_LSTAT, loop_, request, callback)
        .path(path)
        .attempt_if_alone(|job| nowait::lstat(job.path()).map(|found| store(job, Ok(found))))
        .run(|job| store(job, stat::lstat(job.path())))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_fstat(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    file: uv_file,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_FSTAT, loop_, request, callback)
        .with(uv_fs_arguments_t { file, ..uv_fs_arguments_t::NONE })
        .attempt(|job| nowait::fstat(job.descriptor()).map(|found| store(job, Ok(found))))
        .run(|job| store(job, stat::fstat(job.descriptor())))
}

fn store(job: &mut FsJob, found: Result<Stat>) -> Result<isize> {
    job.set_stat(convert(&found?));
    Ok(0)
}

/// Converts to the C struct.
pub(crate) fn convert(stat: &Stat) -> uv_stat_t {
    // The types of C are shorter on some systems.
    let time = |time: Timespec| uv_timespec_t {
        tv_sec: time.seconds as c_long,
        tv_nsec: time.nanoseconds as c_long,
    };
    uv_stat_t {
        st_dev: stat.dev,
        st_mode: stat.mode.into(),
        st_nlink: stat.nlink,
        st_uid: stat.uid.into(),
        st_gid: stat.gid.into(),
        st_rdev: stat.rdev,
        st_ino: stat.ino,
        st_size: stat.size,
        st_blksize: stat.blksize,
        st_blocks: stat.blocks,
        st_flags: 0,
        st_gen: 0,
        st_atim: time(stat.accessed),
        st_mtim: time(stat.modified),
        st_ctim: time(stat.changed),
        st_birthtim: time(stat.created),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_statfs(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_STATFS, loop_, request, callback).path(path).run(|job| {
        let found = statfs::statfs(job.path())?;
        let result = allocator::allocate(size_of::<uv_statfs_t>()).cast::<uv_statfs_t>();
        if result.is_null() {
            return Err(Errno::ENOMEM);
        }
        // SAFETY: new memory of this size.
        unsafe {
            result.write(uv_statfs_t {
                f_type: found.kind,
                f_bsize: found.block_size,
                f_blocks: found.blocks,
                f_bfree: found.free_blocks,
                f_bavail: found.available_blocks,
                f_files: found.files,
                f_ffree: found.free_files,
                f_frsize: found.fragment_size,
                f_spare: [0; 3],
            });
        }
        job.set_ptr(result);
        Ok(0)
    })
}
