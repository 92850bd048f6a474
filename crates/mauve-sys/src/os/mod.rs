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

use crate::Result;

/// What `/proc` says, as text.
fn read(path: impl AsRef<std::path::Path>) -> Result<String> {
    Ok(std::fs::read_to_string(path)?)
}
