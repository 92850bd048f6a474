//! The operating system layer of mauve: polling, files, sockets, processes, signals, terminals.
//!
//! This crate holds every system call of the project and, with the C ABI, its only `unsafe`.
//! Nothing here knows about handles, phases or callbacks. A function performs one operation
//! (register a descriptor, wait, wake a thread) and returns a value or an [`Errno`].
//!
//! Platform code is chosen here, by whole file. The documentation of [`driver`] lists what a
//! platform must supply for the engine.

// Module docs link to private modules, for maintainers.
#![allow(rustdoc::private_intra_doc_links)]

#[cfg(not(target_os = "linux"))]
compile_error!("mauve runs on Linux only, so far");

mod atomic_static;
pub mod child_exit;
pub mod clock;
pub mod driver;
pub mod errno;
pub mod fd;
pub mod fence;
pub mod fork;
pub mod fs;
pub mod fs_watch;
mod module;
pub mod net;
pub mod os;
pub mod parker;
pub mod payload;
mod probe_memory;
pub mod process;
mod published;
mod selector;
mod shared_memory;
pub mod signal;
pub mod thread;
pub mod tty;
pub mod waker;

/// The implementation for this platform. Each platform exports the same names.
#[cfg(target_os = "linux")]
mod platform {
    pub(crate) use crate::parker::futex;
    pub(crate) use crate::selector::linux::Selector;
}

pub use atomic_static::AtomicStatic;
pub use errno::{Errno, Result};
pub use module::{CodeAddress, module_of};
pub use probe_memory::probe_memory;
pub use published::Published;
pub use shared_memory::SharedMemory;
