//! Questions about the machine, the user and this process.
//!
//! Called by the C ABI for the "miscellaneous utilities" of `uv.h`, and re-exported by the Rust
//! API. Nothing in here touches a loop; every function asks the system anew.

mod cgroup;
pub mod cpu;
pub mod machine;
pub mod memory;
pub mod paths;
pub mod process;
pub mod random;
pub mod users;

use crate::{Errno, Result};

/// What `/proc` says, as text.
fn read(path: impl AsRef<std::path::Path>) -> Result<String> {
    Ok(std::fs::read_to_string(path)?)
}

/// The error for a file of the system that does not say what it always says.
fn unexpected<T>(found: Option<T>) -> Result<T> {
    found.ok_or(Errno::EIO)
}
