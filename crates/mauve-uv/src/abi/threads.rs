//! Options of threads.

use std::ffi::c_uint;

#[repr(C)]
pub struct uv_thread_options_t {
    pub flags: c_uint,
    pub stack_size: usize,
}
