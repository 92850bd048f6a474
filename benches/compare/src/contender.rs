//! The implementations that are compared.

/// An implementation of a workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Contender {
    /// The C programs on the selected libuv, by default the newest.
    Libuv,
    /// The same C programs on our library.
    CAbi,
    /// mauve's Rust API with closures.
    Closures,
    /// mauve's Rust API with tasks.
    Tasks,
    /// tokio, one thread.
    Tokio,
}

use Contender::{CAbi, Closures, Libuv, Tasks, Tokio};

impl Contender {
    /// The name in tables.
    pub fn title(self) -> &'static str {
        match self {
            Libuv => "libuv",
            CAbi => "mauve, C ABI",
            Closures => "mauve, closures",
            Tasks => "mauve, tasks",
            Tokio => "tokio",
        }
    }

    /// The name on command lines.
    pub fn key(self) -> &'static str {
        match self {
            Libuv => "libuv",
            CAbi => "c_abi",
            Closures => "closures",
            Tasks => "tasks",
            Tokio => "tokio",
        }
    }

    /// Whether it is a C program with a library, not the Rust program of peers.
    pub fn is_c(self) -> bool {
        matches!(self, Libuv | CAbi)
    }
}
