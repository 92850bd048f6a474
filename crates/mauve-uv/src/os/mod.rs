//! Information about the system, the user and the process.
//!
//! [`mauve_sys::os`] provides the values; these files convert them to C structs. Results of
//! variable size are one block (see [`crate::text::allocate_block`]), which the matching
//! `uv_free_*` frees.

mod cpu;
mod environment;
mod machine;
mod memory;
mod paths;
mod process;
pub(crate) mod title;
mod users;
