//! Questions about the machine, the user and this process.
//!
//! The answers come from [`mauve_sys::os`]; here they are put into C's structs. Memory for
//! answers of unknown size is one block each (see [`crate::text::block`]), which the matching
//! `uv_free_*` gives back.

mod cpu;
mod environment;
mod machine;
mod memory;
mod paths;
mod process;
pub(crate) mod title;
mod users;
