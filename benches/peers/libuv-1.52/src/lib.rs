//! Empty: only the dependency in `Cargo.toml` is used.
