//! The implementations that are compared.

/// An implementation of a workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Contender {
    /// The C programs on the selected libuv, by default the newest.
    Libuv,
    /// The C programs on libuv 1.52, the reference of the goals.
    Libuv152,
    /// The same C programs on our library.
    CAbi,
    /// mauve's Rust API with closures.
    Closures,
    /// mauve's Rust API with tasks.
    Tasks,
    /// tokio, one thread.
    Tokio,
    /// Bare system calls with epoll: an upper bound.
    Epoll,
    /// Bare system calls with io_uring: an upper bound.
    IoUring,
}

use Contender::{CAbi, Closures, Epoll, IoUring, Libuv, Libuv152, Tasks, Tokio};

impl Contender {
    /// The name in tables.
    pub fn title(self) -> &'static str {
        match self {
            Libuv => "libuv",
            Libuv152 => "libuv 1.52",
            CAbi => "mauve, C ABI",
            Closures => "mauve, closures",
            Tasks => "mauve, tasks",
            Tokio => "tokio",
            Epoll => "bare epoll",
            IoUring => "bare io_uring",
        }
    }

    /// The name in JSON and on command lines.
    pub fn key(self) -> &'static str {
        match self {
            Libuv => "libuv",
            Libuv152 => "libuv_1_52",
            CAbi => "c_abi",
            Closures => "closures",
            Tasks => "tasks",
            Tokio => "tokio",
            Epoll => "epoll",
            IoUring => "io_uring",
        }
    }

    /// Whether it is a C program with a library, not the Rust program of peers.
    pub fn is_c(self) -> bool {
        matches!(self, Libuv | Libuv152 | CAbi)
    }
}
