//! Who takes part.

/// Somebody who does a workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Contender {
    /// The C programs on libuv, the newest, or the one that was asked for.
    Libuv,
    /// The C programs on the libuv that the goals were set against.
    Libuv152,
    /// The same C programs on our library.
    CAbi,
    /// mauve's Rust API with closures.
    Closures,
    /// mauve's Rust API with tasks.
    Tasks,
    /// tokio, one thread.
    Tokio,
    /// System calls by hand, with epoll: a limit.
    Epoll,
    /// System calls by hand, with io_uring: a limit.
    IoUring,
}

use Contender::{CAbi, Closures, Epoll, IoUring, Libuv, Libuv152, Tasks, Tokio};

impl Contender {
    /// As tables call it.
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

    /// As JSON and command lines call it.
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

    /// Whether it is a C program with a library, and not our program of peers.
    pub fn is_c(self) -> bool {
        matches!(self, Libuv | Libuv152 | CAbi)
    }
}
