//! The operating system as the engine sees it.
//!
//! This crate holds every system call of the project and, with the C ABI, its only `unsafe`.
//! Nothing here knows about handles, phases or callbacks: the engine in `mauve-core` asks for an
//! effect (watch this descriptor, wait, wake that thread) and gets a value or an [`Errno`] back.
//!
//! Platform code is chosen by whole file, here. What a platform has to supply for the engine is
//! written down in one place, the documentation of [`driver`].

#[cfg(not(target_os = "linux"))]
compile_error!("mauve runs on Linux only, so far");

pub mod child_exit;
pub mod clock;
pub mod driver;
pub mod errno;
pub mod fd;
pub mod fence;
pub mod fork;
pub mod fs;
pub mod fs_watch;
pub mod net;
pub mod os;
pub mod parker;
pub mod payload;
mod peek;
pub mod process;
pub mod selector;
pub mod signal;
pub mod thread;
pub mod tty;
pub mod waker;

/// The files of this platform. Each platform exports the same names.
#[cfg(target_os = "linux")]
mod platform {
    pub(crate) use crate::parker::futex;
    pub(crate) use crate::selector::epoll::{BATCH, Selector};
}

pub use errno::{Errno, Result};
pub use peek::peek;
