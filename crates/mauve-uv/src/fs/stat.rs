//! What is known about files and file systems.

use std::ffi::{c_char, c_int};

use mauve_sys::fs::stat::{self, Stat, Time};
use mauve_sys::fs::{nowait, statfs};
use mauve_sys::{Errno, Result};

use crate::abi::callbacks::uv_fs_cb;
use crate::abi::*;
use crate::allocator;
use crate::ffi::Ptr;
use crate::fs::call::{Call, Job};

#[export]
pub extern "C" fn uv_fs_stat(
    of: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    callback: uv_fs_cb,
) -> c_int {
    Call::new(UV_FS_STAT, of, request, callback)
        .path(path)
        .first_if_alone(|job| nowait::stat(job.path()).map(|found| store(job, Ok(found))))
        .run_inline(Ok(()), |job| store(job, stat::stat(job.path())))
}

#[export]
pub extern "C" fn uv_fs_lstat(
    of: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    callback: uv_fs_cb,
) -> c_int {
    Call::new(UV_FS_LSTAT, of, request, callback)
        .path(path)
        .first_if_alone(|job| nowait::lstat(job.path()).map(|found| store(job, Ok(found))))
        .run(|job| store(job, stat::lstat(job.path())))
}

#[export]
pub extern "C" fn uv_fs_fstat(
    of: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    file: uv_file,
    callback: uv_fs_cb,
) -> c_int {
    Call::new(UV_FS_FSTAT, of, request, callback)
        .with(uv_fs_arguments_t { file, ..uv_fs_arguments_t::NONE })
        .first(|job| nowait::fstat(job.file).map(|found| store(job, Ok(found))))
        .run(|job| store(job, stat::fstat(job.file)))
}

fn store(job: &mut Job, found: Result<Stat>) -> Result<isize> {
    job.set_stat(convert(&found?));
    Ok(0)
}

/// The struct that programs know.
pub(crate) fn convert(stat: &Stat) -> uv_stat_t {
    let time =
        |time: Time| uv_timespec_t { tv_sec: time.seconds, tv_nsec: time.nanoseconds.into() };
    uv_stat_t {
        st_dev: stat.device,
        st_mode: stat.mode.into(),
        st_nlink: stat.links,
        st_uid: stat.uid.into(),
        st_gid: stat.gid.into(),
        st_rdev: stat.special_device,
        st_ino: stat.inode,
        st_size: stat.size,
        st_blksize: stat.block_size,
        st_blocks: stat.blocks,
        st_flags: 0,
        st_gen: 0,
        st_atim: time(stat.accessed),
        st_mtim: time(stat.modified),
        st_ctim: time(stat.changed),
        st_birthtim: time(stat.created),
    }
}

#[export]
pub extern "C" fn uv_fs_statfs(
    of: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    callback: uv_fs_cb,
) -> c_int {
    Call::new(UV_FS_STATFS, of, request, callback).path(path).run(|job| {
        let found = statfs::statfs(job.path())?;
        let answer = allocator::allocate(size_of::<uv_statfs_t>()).cast::<uv_statfs_t>();
        if answer.is_null() {
            return Err(Errno::ENOMEM);
        }
        // SAFETY: fresh memory of this size.
        unsafe {
            answer.write(uv_statfs_t {
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
        job.set_ptr(answer);
        Ok(0)
    })
}
