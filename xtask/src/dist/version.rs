//! The version of libuv's interface, and the version of mauve.

use crate::root;

/// The version of libuv whose interface mauve implements: `1.52.2`.
pub fn of_interface() -> Result<String, String> {
    let path = root().join("abi/constants.json");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let facts: serde_json::Value =
        serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
    let part = |part| facts["version"][format!("UV_VERSION_{part}")].to_string();
    Ok(["MAJOR", "MINOR", "PATCH"].map(part).join("."))
}

/// The version of mauve.
pub const OF_MAUVE: &str = env!("CARGO_PKG_VERSION");
