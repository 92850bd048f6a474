//! The operating system as the engine sees it.
//!
//! This crate holds every system call of the project and, with the C ABI, its only `unsafe`.
//! Nothing here knows about handles, phases or callbacks: the engine in `mauve-core` asks for an
//! effect (watch this descriptor, wait, wake that thread) and gets a value or an [`Errno`] back.
//!
//! Platform code is chosen by whole file. What a platform has to supply is written down in one
//! place, the documentation of [`poller`].

#[cfg(not(target_os = "linux"))]
compile_error!("mauve runs on Linux only, so far");

pub mod barrier;
pub mod child_exit;
pub mod clock;
pub mod errno;
pub mod fd;
pub mod fork;
pub mod fs;
pub mod fs_watch;
pub mod net;
pub mod os;
pub mod payload;
mod peek;
pub mod poller;
pub mod process;
pub mod signal;
pub mod thread;
pub mod tty;
pub mod waker;

pub use errno::{Errno, Result};
pub use peek::peek;
