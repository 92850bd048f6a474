//! Information about the system, the user and the process.
//!
//! [`mauve_sys::os`] provides the values; these files convert them to C structs. Results of
//! variable size are one block (see [`crate::text::allocate_block`]), which the matching
//! `uv_free_*` frees.

mod cpu;
mod machine;
mod memory;
mod paths;
mod process;
#[cfg(not(windows))]
mod unix;
mod users;
#[cfg(windows)]
mod windows;

#[cfg(not(windows))]
pub(crate) use unix::title;
#[cfg(windows)]
pub(crate) use windows::title;
