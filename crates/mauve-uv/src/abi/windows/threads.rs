//! Threads and locks on Windows.

use std::ffi::c_uint;

use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::System::Threading::{
    CONDITION_VARIABLE, CRITICAL_SECTION, INIT_ONCE, SRWLOCK,
};

pub type uv_thread_t = HANDLE;
pub type uv_mutex_t = CRITICAL_SECTION;
pub type uv_sem_t = HANDLE;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct uv_key_t {
    pub tls_index: c_uint,
}

#[repr(C)]
pub struct uv_once_t {
    _unused: u8,
    pub init_once: INIT_ONCE,
}

#[repr(C)]
pub struct uv_rwlock_t {
    pub lock: SRWLOCK,
    rest: [usize; 9],
}

#[repr(C)]
pub struct uv_cond_t {
    pub variable: CONDITION_VARIABLE,
    rest: [usize; 7],
}

#[repr(C)]
pub struct uv_barrier_t {
    pub(crate) threshold: c_uint,
    /// How many threads have arrived in this round.
    pub(crate) arrived: c_uint,
    pub(crate) mutex: uv_mutex_t,
    pub(crate) variable: CONDITION_VARIABLE,
    /// How many threads have not left the last round.
    pub(crate) leaving: c_uint,
}
