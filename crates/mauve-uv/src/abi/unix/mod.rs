//! The types of libuv on Unix that are others on Windows.

mod handles;
mod requests;
mod threads;

use std::ffi::c_int;

pub use mauve_sys::net::c_types::*;

pub use handles::*;
pub use requests::*;
pub use threads::*;

pub type uv_os_fd_t = c_int;
pub type uv_os_sock_t = c_int;
pub type uv_pid_t = libc::pid_t;
pub type uv_uid_t = libc::uid_t;
pub type uv_gid_t = libc::gid_t;

/// The size of the unused end of `uv_dir_t`.
pub const DIR_REST: usize = 0;

checked! { uv__io_t }
