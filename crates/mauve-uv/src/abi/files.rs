//! Results and arguments of file system requests.

use std::ffi::{c_char, c_int, c_long, c_uint, c_void};
use std::ptr::null_mut;

use mauve_sys::fs::directory::Directory;

use super::{DIR_REST, uv_buf_t, uv_gid_t, uv_uid_t};
use crate::fs::Operation;

pub type uv_fs_type = c_int;
pub type uv_file = c_int;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct uv_timespec_t {
    pub tv_sec: c_long,
    pub tv_nsec: c_long,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct uv_stat_t {
    pub st_dev: u64,
    pub st_mode: u64,
    pub st_nlink: u64,
    pub st_uid: u64,
    pub st_gid: u64,
    pub st_rdev: u64,
    pub st_ino: u64,
    pub st_size: u64,
    pub st_blksize: u64,
    pub st_blocks: u64,
    pub st_flags: u64,
    pub st_gen: u64,
    pub st_atim: uv_timespec_t,
    pub st_mtim: uv_timespec_t,
    pub st_ctim: uv_timespec_t,
    pub st_birthtim: uv_timespec_t,
}

#[repr(C)]
pub struct uv_statfs_t {
    pub f_type: u64,
    pub f_bsize: u64,
    pub f_blocks: u64,
    pub f_bfree: u64,
    pub f_bavail: u64,
    pub f_files: u64,
    pub f_ffree: u64,
    pub f_frsize: u64,
    pub f_spare: [u64; 3],
}

#[repr(C)]
pub struct uv_dirent_t {
    pub name: *const c_char,
    pub r#type: c_int,
}

#[repr(C)]
pub struct uv_dir_t {
    pub dirents: *mut uv_dirent_t,
    pub nentries: usize,
    pub(crate) reserved: [*mut c_void; 4],
    pub(crate) dir: *mut Directory,
    pub(crate) rest: [usize; DIR_REST],
}

/// Arguments of an operation, apart from its path. In C these are fields of `uv_fs_t`, in this
/// order.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct uv_fs_arguments_t {
    /// For reads and writes: the wait that `uv_cancel` ends (`Interrupt`), or null. There is no space for
    /// another field.
    pub new_path: *mut c_char,
    pub file: uv_file,
    pub flags: c_int,
    pub mode: c_uint,
    pub nbufs: c_uint,
    pub bufs: *mut uv_buf_t,
    pub offset: i64,
    pub uid: uv_uid_t,
    pub gid: uv_gid_t,
    pub atime: f64,
    pub mtime: f64,
    /// The function that performs the operation.
    pub operation: Option<Operation>,
    pub length: usize,
    /// Number of bytes that were transferred by the attempt on the loop thread.
    pub transferred: usize,
    /// Number of buffers that the attempt has used up.
    pub used_buffers: usize,
}

impl uv_fs_arguments_t {
    pub const NONE: Self = Self {
        new_path: null_mut(),
        file: 0,
        flags: 0,
        mode: 0,
        nbufs: 0,
        bufs: null_mut(),
        offset: 0,
        uid: 0,
        gid: 0,
        atime: 0.0,
        mtime: 0.0,
        operation: None,
        length: 0,
        transferred: 0,
        used_buffers: 0,
    };
}
