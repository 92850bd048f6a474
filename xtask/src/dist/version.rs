//! The version of libuv's interface, and the version of mauve.

use crate::generate;

/// The version of libuv whose interface mauve implements: `1.53.0`.
pub fn of_interface() -> Result<String, String> {
    let facts = generate::load("abi/constants.json")?;
    let part = |part| facts["version"][format!("UV_VERSION_{part}")].to_string();
    Ok(["MAJOR", "MINOR", "PATCH"].map(part).join("."))
}

/// The version of mauve.
pub const OF_MAUVE: &str = env!("CARGO_PKG_VERSION");
