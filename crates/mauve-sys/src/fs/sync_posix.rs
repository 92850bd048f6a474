//! Flushing files with `fsync` and `fdatasync`.

pub(crate) use crate::fs::cancellable::{fdatasync, fsync};
