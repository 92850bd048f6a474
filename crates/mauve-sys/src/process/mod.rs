//! Child processes: starting them and sending them signals.
//!
//! [`spawn`](ProcessOptions::spawn) starts a process, at a cost that does not depend on the size of this
//! process's memory. `child` has the code of the child before `exec`. Waiting for the exit is in
//! [`child_exit`](crate::child_exit).

mod options;

// What all Unix systems have in common.
cfg_if::cfg_if! {
    if #[cfg(not(windows))] {
        pub(crate) mod child;
        #[cfg(any(test, feature = "inherited"))]
        mod inherited;
        mod kill;
        mod prepared;
        pub(crate) mod spawn;
    }
}

cfg_if::cfg_if! {
    if #[cfg(windows)] {
        mod windows;
        #[cfg(any(test, feature = "inherited"))]
        use windows as inherited;
        use windows::{self as kill, self as system};
    } else if #[cfg(any(target_os = "linux", target_os = "android"))] {
        mod atfork;
        mod linux;
        mod posix_spawn;
        mod ptrace;
        use linux as system;
    } else if #[cfg(any(
            target_vendor = "apple",
            target_os = "freebsd",
            target_os = "dragonfly",
            target_os = "netbsd",
            target_os = "openbsd",
            target_os = "illumos",
            target_os = "solaris",
        ))] {
        mod fork;
        mod unix;
        use unix as system;
    } else {
        mod fork;
        mod other;
        use other as system;
    }
}

#[cfg(any(test, feature = "inherited"))]
pub use inherited::take_inherited;
pub use kill::{disable_stdio_inheritance, kill};
pub use options::{ProcessOptions, StdioFd, WindowsOptions};
pub use system::{registers, with_stopped_thread};
#[cfg(windows)]
pub(crate) use windows::kill_process;

use crate::Errno;
pub use crate::child_exit::ExitStatus;

/// Why a process was not started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpawnError {
    /// The system could not create a process.
    Fork(Errno),
    /// The child could not execute the program. It has exited and is reaped.
    Exec(Errno),
}

#[cfg(all(test, unix))]
mod tests;
