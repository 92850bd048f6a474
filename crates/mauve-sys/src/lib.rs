//! The operating system layer of mauve: polling, files, sockets, processes, signals, terminals.
//!
//! This crate holds every system call of the project and, with the C ABI and one block for QuickJS, its
//! only `unsafe`.
//! Nothing here knows about handles, phases or callbacks. A function performs one operation
//! (register a descriptor, wait, wake a thread) and returns a value or an [`Errno`].
//!
//! Platform code is chosen here, by whole file. The documentation of [`driver`] lists what a
//! platform must supply for the engine.

// Module docs link to private modules, for maintainers.
#![allow(rustdoc::private_intra_doc_links)]

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
pub mod process;
mod published;
mod selector;
mod shared_memory;
pub mod signal;
pub mod thread;
pub mod tty;
pub mod waker;

// The implementation for this platform. Each of these files lists the modules that the other
// modules of this crate use, under the same names.
#[cfg_attr(any(target_os = "linux", target_os = "android"), path = "platform/linux.rs")]
#[cfg_attr(target_vendor = "apple", path = "platform/apple.rs")]
#[cfg_attr(target_os = "freebsd", path = "platform/freebsd.rs")]
#[cfg_attr(target_os = "dragonfly", path = "platform/dragonfly.rs")]
#[cfg_attr(target_os = "netbsd", path = "platform/netbsd.rs")]
#[cfg_attr(target_os = "openbsd", path = "platform/openbsd.rs")]
#[cfg_attr(target_os = "illumos", path = "platform/illumos.rs")]
#[cfg_attr(target_os = "solaris", path = "platform/solaris.rs")]
#[cfg_attr(
    not(any(
        target_os = "linux",
        target_os = "android",
        target_vendor = "apple",
        target_os = "freebsd",
        target_os = "dragonfly",
        target_os = "netbsd",
        target_os = "openbsd",
        target_os = "illumos",
        target_os = "solaris",
    )),
    path = "platform/other.rs"
)]
mod platform;

pub use atomic_static::AtomicStatic;
pub use errno::{Errno, Result};
pub use module::{CodeAddress, module_of};
pub use platform::probe_memory::probe_memory;
pub use published::Published;
pub use shared_memory::SharedMemory;
