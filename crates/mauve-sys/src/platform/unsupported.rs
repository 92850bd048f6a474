//! Systems without files of their own.

compile_error!("mauve does not support this system: see `Adding a platform` in ARCHITECTURE.md");
