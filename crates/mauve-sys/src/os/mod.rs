//! Information about the host, the users and this process.
//!
//! The C ABI uses these functions for the "miscellaneous utilities" of `uv.h`, and the Rust API
//! re-exports them. They do not use a loop, and cache nothing.

pub mod cpu;
pub mod credentials;
pub mod machine;
pub mod memory;
pub mod paths;
pub mod process;
pub mod random;
pub mod time_zone;
pub mod users;
