//! The operating system layer of mauve: polling, files, sockets, processes, signals, terminals.
//!
//! This crate holds every system call of the project and, with the C ABI and one block for QuickJS, its
//! only `unsafe`.
//! Nothing here knows about handles, phases or callbacks. A function performs one operation
//! (register a descriptor, wait, wake a thread) and returns a value or an [`Errno`].
//!
//! A domain is a folder. Its `mod.rs` selects the file of the system, with one `cfg`; all these files export
//! the same names. What several systems share is a file with the name of the mechanism, which they
//! re-export. The documentation of [`driver`] lists what a system must supply for the engine.

// Module docs link to private modules, for maintainers.
#![allow(rustdoc::private_intra_doc_links)]

mod atomic_static;
pub mod child_exit;
pub mod clock;
pub mod decimal;
pub mod descriptor;
#[cfg(windows)]
mod device;
pub mod driver;
pub mod errno;
#[cfg(windows)]
mod event;
pub mod faults;
pub mod fd;
pub mod fence;
pub mod fork;
pub mod fs;
pub mod fs_watch;
#[cfg(any(
    mauve_kqueue,
    target_vendor = "apple",
    target_os = "freebsd",
    target_os = "dragonfly",
    target_os = "netbsd",
    target_os = "openbsd",
))]
#[cfg_attr(mauve_kqueue, allow(dead_code, unused_imports))] // Only the tests use all filters.
mod kqueue;
mod memory;
mod module;
pub mod net;
pub mod os;
pub mod parker;
pub mod payload;
pub mod process;
mod published;
mod selector;
pub mod signal;
pub mod thread;
pub mod tty;
pub mod usdt;
pub mod waker;

pub use atomic_static::AtomicStatic;
pub use errno::{Errno, Result};
pub use memory::{SharedMemory, probe_memory};
pub use module::{CodeAddress, module_of};
pub use published::Published;
