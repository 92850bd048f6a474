//! The types of libuv on Windows that are others on Unix.

mod handles;
mod requests;
mod threads;

use std::ffi::c_int;

pub use mauve_sys::net::c_types::*;

pub use handles::*;
pub use requests::*;
pub use threads::*;

/// A `HANDLE`.
pub type uv_os_fd_t = usize;
/// A `SOCKET`.
pub type uv_os_sock_t = usize;
pub type uv_pid_t = c_int;
pub type uv_uid_t = u8;
pub type uv_gid_t = u8;

/// The size of the unused end of `uv_dir_t`.
pub const DIR_REST: usize = 75;

checked! { uv_key_t uv_once_t uv_thread_t uv_os_sock_t uv_os_fd_t uv_pid_t uv_uid_t uv_gid_t }
