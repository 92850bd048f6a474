//! Waiting for the exit of a child process.
//!
//! A [`ChildWatch`] belongs to one child. It reports how the exit is [notified](ExitNotification),
//! and [`try_wait`](ChildWatch::try_wait) then returns the status. It waits only for this child, so
//! it does not reap children that the program starts by other means.
//!
//! Each platform has an `ExitDescriptor` with the same functions: a pidfd on Linux, a kqueue on macOS
//! and the BSDs. If it cannot be opened, with `MAUVE_CHILD_EXIT=sigchld`, or with a selector that is
//! never edge-triggered, exits are notified by `SIGCHLD`.

use crate::descriptor::BorrowedDescriptor;

cfg_if::cfg_if! {
    if #[cfg(windows)] {
        mod windows;
        pub use windows::ChildWatch;
    } else if #[cfg(any(target_os = "linux", target_os = "android"))] {
        mod pidfd;
        pub(crate) use pidfd::ExitDescriptor;
        #[cfg(all(test, mauve_kqueue))]
        #[allow(dead_code)] // Only its tests use it.
        mod kqueue;
    } else if #[cfg(any(
            target_vendor = "apple",
            target_os = "freebsd",
            target_os = "dragonfly",
            target_os = "netbsd",
            target_os = "openbsd",
        ))] {
        mod kqueue;
        pub(crate) use kqueue::ExitDescriptor;
    } else {
        mod sigchld;
        pub(crate) use sigchld::ExitDescriptor;
    }
}

cfg_if::cfg_if! {
    if #[cfg(not(windows))] {
        mod watch;
        pub use watch::ChildWatch;
        pub(crate) use watch::open_descriptor;
        #[allow(unused_imports)] // Only some platforms use it.
        pub(crate) use watch::uses_descriptors;
    }
}

/// How a process exited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExitStatus {
    /// The exit status; zero if a signal terminated the process.
    pub status: i64,
    /// The signal that terminated the process, or zero.
    pub signal: i32,
    /// Whether the signal made the process dump its memory.
    pub core_dumped: bool,
}

impl ExitStatus {
    /// Whether the exit status is zero and no signal terminated the process.
    pub fn success(self) -> bool {
        self.status == 0 && self.signal == 0
    }
}

/// How the exit of a child is notified.
#[derive(Clone, Copy, Debug)]
pub enum ExitNotification<'a> {
    /// The descriptor becomes readable. It must be registered edge-triggered: while a debugger is
    /// attached to the exited child, the descriptor is readable but the child cannot be reaped.
    /// There is another edge when the debugger detaches.
    Descriptor(BorrowedDescriptor<'a>),
    /// `SIGCHLD` is delivered.
    Signal,
}
