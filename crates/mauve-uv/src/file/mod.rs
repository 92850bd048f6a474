//! Files of the C API: `uv_file` is a descriptor of the C runtime. On Unix that is the one of the system, and
//! on Windows a number for a handle.

#[cfg(not(windows))]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(not(windows))]
pub(crate) use unix::*;
#[cfg(windows)]
pub(crate) use windows::*;
