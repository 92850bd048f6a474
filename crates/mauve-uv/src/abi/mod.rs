//! The types of libuv, with their C layout.
//!
//! Fields that programs may use have the names of libuv. The rest of each struct is private, but
//! its size is part of the ABI. Every layout is checked at compile time against `abi/*.json`.
//!
//! [`unix`] and [`windows`] have the types whose layout depends on the system.
//!
//! Handles, streams and requests are declared by the macros `handle!`, `stream!` and `request!`,
//! which add the fields that all of a group start with. Each declaration contains
//! `pub struct uv_..._t`, so that a search for the type finds it.

#![allow(non_camel_case_types, missing_docs)]

use std::ffi::{CStr, c_uint};

/// Declares constants.
macro_rules! constants {
    ($($name:ident = $value:literal,)*) => { $(pub const $name: c_int = $value;)* };
}

/// Declares the constants of handle types or request types, and the table of their names and structs.
macro_rules! types {
    ($kind:ident, $table:ident:
     $($constant:ident = $number:literal $(, $name:literal $(, $struct:ident)?)?;)*) => {
        pub type $kind = c_uint;
        $(pub const $constant: $kind = $number;)*
        pub(crate) const $table: &[Type] = &[$(Type {
            name: [$(Some($name),)? None][0],
            size: [$($(size_of::<$struct>(),)?)? usize::MAX][0],
        }),*];
    };
}

/// Asserts the size and alignment of a type, and the offsets of its fields.
macro_rules! assert_layout {
    ($type:ident: $size:expr, $align:expr; $($($field:ident).+ = $offset:expr,)*) => {
        assert!(size_of::<$type>() == $size);
        assert!(align_of::<$type>() == $align);
        $(assert!(std::mem::offset_of!($type, $($field).+) == $offset);)*
    };
}

/// Asserts the layout of each type. A platform without known layouts does not compile.
macro_rules! checked {
    ($($name:ident)*) => {
        const _: () = { $($crate::abi::layout::check_layout!($name);)* };
    };
}

pub mod callbacks;
pub mod constants;
mod files;
mod handles;
mod layout;
mod requests;
mod system;
mod threads;
#[cfg(not(windows))]
mod unix;
#[cfg(windows)]
mod windows;

pub use constants::*;
pub use files::*;
pub use handles::*;
pub use requests::*;
pub use system::*;
pub use threads::*;
#[cfg(not(windows))]
pub use unix::*;
#[cfg(windows)]
pub use windows::*;

/// A type of handles or requests. Some have neither a name nor a struct.
pub(crate) struct Type {
    name: Option<&'static CStr>,
    size: usize,
}

/// The name of a type of handles or requests.
pub(crate) fn type_name(types: &[Type], kind: c_uint) -> Option<&'static CStr> {
    types.get(kind as usize)?.name
}

/// The size of the struct of a type of handles or requests.
pub(crate) fn type_size(types: &[Type], kind: c_uint) -> usize {
    types.get(kind as usize).map_or(usize::MAX, |kind| kind.size)
}

checked! {
    uv_loop_t uv_handle_t uv_timer_t uv_idle_t uv_prepare_t uv_check_t uv_async_t uv_poll_t
    uv_signal_t uv_process_t uv_fs_event_t uv_fs_poll_t
    uv_process_options_t uv_stdio_container_t
    uv_stream_t uv_tcp_t uv_pipe_t uv_tty_t
    uv_req_t uv_connect_t uv_write_t uv_shutdown_t uv_work_t uv_buf_t uv_metrics_t uv_timespec64_t
    uv_mutex_t uv_rwlock_t uv_sem_t uv_cond_t uv_barrier_t uv_thread_options_t
    uv_random_t uv_lib_t uv_env_item_t uv_passwd_t uv_group_t uv_utsname_t uv_cpu_info_t
    uv_timeval_t uv_timeval64_t uv_rusage_t uv_interface_address_t
    uv_getaddrinfo_t uv_getnameinfo_t uv_udp_t uv_udp_send_t
    uv_fs_t uv_stat_t uv_statfs_t uv_dir_t uv_dirent_t uv_timespec_t
}
