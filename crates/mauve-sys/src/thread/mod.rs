//! Attributes of threads that the standard library does not have: name, priority, CPU affinity, ids.
//!
//! The C ABI uses them for `uv_thread_*`. It starts and joins threads with pthreads directly; Rust
//! programs use [`std::thread`].

use std::ffi::{CStr, CString, c_int};
use std::marker::PhantomData;

use crate::{Errno, Result};

mod id;
mod tid;

cfg_if::cfg_if! {
    if #[cfg(windows)] {
        use windows as handle;
        pub use windows::stack;
    } else {
        mod pthread;
        pub mod stack;
        use pthread as handle;
    }
}

cfg_if::cfg_if! {
    if #[cfg(any(target_os = "linux", target_os = "android"))] {
        mod running;
        mod stack_bounds;
        pub use stack_bounds::own_stack;
        use running::other_threads as find_other_threads;
    } else {
        mod no_stack_bounds;
        mod not_running;
        pub use no_stack_bounds::own_stack;
        use not_running::other_threads as find_other_threads;
    }
}

cfg_if::cfg_if! {
    if #[cfg(windows)] {
        mod no_backtrace;
        mod windows;
        use windows as system;
    } else if #[cfg(any(target_os = "linux", target_os = "android"))] {
        mod backtrace;
        mod cpu_set;
        mod getname_np;
        mod linux;
        mod priority;
        use linux as system;
    } else if #[cfg(target_vendor = "apple")] {
        mod getname_np;
        mod apple;
        mod cpu_bits;
        mod no_affinity;
        mod no_backtrace;
        mod priority;
        mod process_nice;
        use apple as system;
    } else if #[cfg(target_os = "freebsd")] {
        mod cpu_bits;
        mod cpuset;
        mod getname_np;
        mod freebsd;
        mod no_backtrace;
        mod priority;
        mod process_nice;
        use freebsd as system;
    } else if #[cfg(target_os = "dragonfly")] {
        mod cpu_bits;
        mod cpuset;
        mod getname_np;
        mod dragonfly;
        mod no_backtrace;
        mod priority;
        mod process_nice;
        use dragonfly as system;
    } else if #[cfg(target_os = "netbsd")] {
        mod cpu_bits;
        mod getname_np;
        mod netbsd;
        mod no_affinity;
        mod no_backtrace;
        mod priority;
        mod process_nice;
        use netbsd as system;
    } else if #[cfg(target_os = "openbsd")] {
        mod cpu_bits;
        mod no_affinity;
        mod no_backtrace;
        mod openbsd;
        mod priority;
        mod process_nice;
        use openbsd as system;
    } else if #[cfg(any(target_os = "illumos", target_os = "solaris"))] {
        mod cpu_bits;
        mod no_affinity;
        mod no_backtrace;
        mod priority;
        mod process_nice;
        mod getname_np;
        mod solaris;
        use solaris as system;
    } else {
        mod cpu_bits;
        mod no_affinity;
        mod no_backtrace;
        mod other;
        use other as system;
    }
}

pub use id::ThreadId;
pub use tid::{current_tid, tid_exists};

pub use handle::cancellation_point;
pub use system::{Activity, CpuSet, activity_of};

/// What the threads of the process do at the moment, except the calling one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherThreads {
    /// There are none.
    None,
    /// They wait, as far as the system reports it.
    Asleep,
    /// One of them runs, or waits for a disk.
    Running,
}

/// What the other threads of the process do at the moment.
pub fn other_threads() -> OtherThreads {
    find_other_threads()
}

/// A thread that has not exited. It is not `Send`, so that [`Thread::current`] stays valid.
#[derive(Clone, Copy)]
pub struct Thread {
    id: handle::RawThread,
    _not_send: PhantomData<*const ()>,
}

/// A thread priority, relative to other threads of the process. The values are those of libuv
/// (`UV_THREAD_PRIORITY_*`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// The lowest priority.
    Lowest = -2,
    /// Below normal.
    BelowNormal = -1,
    /// The default.
    Normal = 0,
    /// Above normal.
    AboveNormal = 1,
    /// The highest priority.
    Highest = 2,
}

impl Thread {
    /// The calling thread.
    #[doc(alias = "uv_thread_self")]
    pub fn current() -> Self {
        Self { id: handle::current(), _not_send: PhantomData }
    }

    /// A thread by its pthread id, on Windows by its handle.
    ///
    /// # Safety
    /// The id must be valid as long as the value is used: the thread is neither joined, nor detached
    /// and exited. (glibc returns `ESRCH` for some invalid ids, but does not guarantee it.)
    pub unsafe fn from_raw(id: handle::RawThread) -> Self {
        Self { id, _not_send: PhantomData }
    }

    fn is_current(self) -> bool {
        self.id == handle::current()
    }

    /// The name of the thread.
    #[doc(alias = "uv_thread_getname")]
    pub fn name(self) -> Result<CString> {
        let mut buffer = [0u8; system::MAX_NAME + 1];
        // SAFETY: the thread exists.
        check(unsafe { system::name(self.id, &mut buffer) })?;
        Ok(CStr::from_bytes_until_nul(&buffer).map(CStr::to_owned).unwrap_or_default())
    }

    /// The scheduling priority: the nice value of the calling thread under the default policy, where
    /// threads have one, else the priority within the policy of the thread. `ENOSYS` where the system
    /// has none.
    #[doc(alias = "uv_thread_getpriority")]
    pub fn priority(self) -> Result<i32> {
        // SAFETY: the thread exists.
        unsafe { system::priority(self.id, self.is_current()) }
    }

    /// Sets the priority. Under the default policy of Linux it sets the nice value of the calling
    /// thread, and does nothing for other threads. `ENOSYS` where the system has none.
    #[doc(alias = "uv_thread_setpriority")]
    pub fn set_priority(self, priority: Priority) -> Result<()> {
        // SAFETY: the thread exists.
        unsafe { system::set_priority(self.id, self.is_current(), priority) }
    }

    /// The CPU affinity mask of the thread. `ENOSYS` where the system has none.
    #[doc(alias = "uv_thread_getaffinity")]
    pub fn affinity(self) -> Result<CpuSet> {
        // SAFETY: the thread exists.
        unsafe { system::affinity(self.id) }
    }

    /// Sets the CPU affinity mask of the thread. `ENOSYS` where the system has none.
    #[doc(alias = "uv_thread_setaffinity")]
    pub fn set_affinity(self, set: &CpuSet) -> Result<()> {
        // SAFETY: the thread exists.
        unsafe { system::set_affinity(self.id, set) }
    }
}

/// Sets the name of the calling thread. A name that is too long is truncated.
#[doc(alias = "uv_thread_setname")]
pub fn set_current_name(name: &CStr) -> Result<()> {
    let bytes = name.to_bytes();
    let length = bytes.len().min(system::MAX_NAME);
    let name = CString::new(&bytes[..length]).expect("a part of a C string");
    check(system::set_own_name(&name))
}

/// The number of the CPU that the calling thread is running on; zero if the system does not report
/// it.
#[doc(alias = "uv_thread_getcpu")]
pub fn current_cpu() -> usize {
    system::current_cpu()
}

/// Converts the result of a pthread function, which returns the error number.
pub(crate) fn check(result: c_int) -> Result<()> {
    if result == 0 { Ok(()) } else { Err(Errno::from_raw(result)) }
}
