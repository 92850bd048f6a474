//! File system operations, one file for each group of system calls.
//!
//! The functions block. A loop calls them on a thread of the pool, or uses the non-blocking ones in
//! [`nowait`] and [`read_batch`]. Paths are C strings, because callers and the kernel use these.
//! Descriptors are raw numbers, because the caller owns them. A system call that a signal interrupts
//! is repeated, except in [`read_write::read`].

mod io_vec;
pub mod nowait;
pub mod read_batch;
pub mod stat;
pub mod statfs;
mod types;
mod uring;

// What all Unix systems have in common.
cfg_if::cfg_if! {
    if #[cfg(not(windows))] {
        pub mod cancellable;
        pub mod copy;
        pub mod directory;
        pub mod interrupt;
        pub mod links;
        pub mod open;
        pub mod path;
        pub mod permissions;
        mod posix;
        pub mod read_write;
        pub mod sync;
        pub mod temporary;
        pub mod times;
        pub(crate) use posix::{call, check, descriptor};
    }
}

cfg_if::cfg_if! {
    if #[cfg(windows)] {
        mod windows;
        use windows as system;
        use windows::descriptor;
        pub use windows::{
            cancellable, copy, directory, interrupt, links, open, path, permissions, read_write, sync, temporary,
            times,
        };
    } else if #[cfg(any(target_os = "linux", target_os = "android"))] {
        mod entry_type;
        mod linux;
        mod mkostemp;
        use linux as system;
    } else if #[cfg(target_vendor = "apple")] {
        mod apple;
        mod entry_type;
        mod mkstemp;
        mod sendfile;
        mod times_birth;
        mod times_plain;
        mod unix;
        use apple as system;
    } else if #[cfg(target_os = "freebsd")] {
        mod entry_type;
        mod freebsd;
        mod mkostemp;
        mod sendfile;
        mod sendfile_bsd;
        mod times_birth;
        mod times_plain;
        mod unix;
        use freebsd as system;
    } else if #[cfg(target_os = "dragonfly")] {
        mod dragonfly;
        mod entry_type;
        mod mkostemp;
        mod sendfile;
        mod sendfile_bsd;
        mod times_plain;
        mod unix;
        use dragonfly as system;
    } else if #[cfg(any(target_os = "netbsd", target_os = "openbsd"))] {
        mod bsd;
        mod entry_type;
        mod mkostemp;
        mod times_birth;
        mod times_plain;
        mod unix;
        use bsd as system;
    } else if #[cfg(any(target_os = "illumos", target_os = "solaris"))] {
        mod mkstemp;
        mod sendfile;
        mod solaris;
        mod times_plain;
        mod unix;
        use solaris as system;
    } else {
        mod mkstemp;
        mod other;
        mod unix;
        use other as system;
    }
}
