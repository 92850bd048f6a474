//! The requests on Unix, and their buffers.

use std::ffi::{c_char, c_int, c_void};

use mauve_sys::net::resolve::{HOST_SIZE, Query, SERVICE_SIZE};

use crate::abi::callbacks::*;
use crate::abi::*;

/// Declares a request type: the fields of `uv_req_t`, and then its own.
macro_rules! request {
    ($(#[$doc:meta])* pub struct $name:ident {
        $($(#[$field_doc:meta])* $vis:vis $field:ident: $type:ty,)*
    }) => {
        $(#[$doc])*
        #[repr(C)]
        pub struct $name {
            pub data: *mut c_void,
            pub r#type: uv_req_type,
            /// The id of the request in the engine.
            pub(crate) id: u64,
            _reserved: [usize; 4],
            /// How many bytes a write has written.
            pub(crate) nwritten: usize,
            $($(#[$field_doc])* $vis $field: $type,)*
        }
    };
}

request! { pub struct uv_req_t {} }
request! { pub struct uv_work_t {
    pub r#loop: *mut uv_loop_t,
    pub(crate) work_cb: uv_work_cb,
    pub(crate) after_work_cb: uv_after_work_cb,
    pub(crate) rest: [usize; 5],
} }

request! { pub struct uv_random_t {
    pub r#loop: *mut uv_loop_t,
    /// Written by the pool thread that fills the buffer.
    pub(crate) status: c_int,
    pub(crate) buf: *mut c_void,
    pub(crate) buflen: usize,
    pub(crate) cb: uv_random_cb,
    pub(crate) rest: [usize; 5],
} }

request! { pub struct uv_fs_t {
    pub fs_type: uv_fs_type,
    pub r#loop: *mut uv_loop_t,
    pub(crate) cb: uv_fs_cb,
    pub result: isize,
    pub ptr: *mut c_void,
    pub path: *const c_char,
    pub statbuf: uv_stat_t,
    pub(crate) arguments: uv_fs_arguments_t,
    /// Inline storage for a few buffers, so that most requests allocate none.
    pub(crate) buffers: [uv_buf_t; 4],
    pub(crate) rest: [usize; 1],
} }

request! { pub struct uv_connect_t {
    pub(crate) cb: uv_connect_cb,
    pub handle: *mut uv_stream_t,
    pub(crate) rest: [usize; 2],
} }
request! { pub struct uv_write_t {
    pub(crate) cb: uv_write_cb,
    pub send_handle: *mut uv_stream_t,
    pub handle: *mut uv_stream_t,
    pub(crate) rest: [usize; 13],
} }
request! { pub struct uv_shutdown_t {
    pub handle: *mut uv_stream_t,
    pub(crate) cb: uv_shutdown_cb,
} }
request! { pub struct uv_udp_send_t {
    pub handle: *mut uv_udp_t,
    pub(crate) cb: uv_udp_send_cb,
    pub(crate) rest: [usize; 30],
} }
request! { pub struct uv_getaddrinfo_t {
    pub r#loop: *mut uv_loop_t,
    pub(crate) rest: [usize; 5],
    pub(crate) cb: uv_getaddrinfo_cb,
    /// Owned by the library from submission to completion.
    pub(crate) query: *mut Query,
    pub(crate) more: [usize; 2],
    pub addrinfo: *mut addrinfo,
    /// Written by the pool thread that runs the query.
    pub(crate) status: c_int,
} }

request! { pub struct uv_getnameinfo_t {
    pub r#loop: *mut uv_loop_t,
    pub(crate) rest: [usize; 5],
    pub(crate) getnameinfo_cb: uv_getnameinfo_cb,
    pub(crate) storage: sockaddr_storage,
    pub(crate) flags: c_int,
    pub host: [c_char; HOST_SIZE],
    pub service: [c_char; SERVICE_SIZE],
    /// Written by the pool thread that runs the query.
    pub(crate) status: c_int,
} }

#[repr(C)]
#[derive(Clone, Copy)]
pub struct uv_buf_t {
    pub base: *mut c_char,
    pub len: usize,
}

impl uv_buf_t {
    #[inline(always)]
    pub(crate) fn new(base: *mut c_char, len: usize) -> Self {
        Self { base, len }
    }

    #[inline(always)]
    pub(crate) fn length(&self) -> usize {
        self.len
    }
}
