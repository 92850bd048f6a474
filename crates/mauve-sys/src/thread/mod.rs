//! Attributes of threads that the standard library does not have: name, priority, CPU affinity, ids.
//!
//! The C ABI uses them for `uv_thread_*`. It starts and joins threads with pthreads directly; Rust
//! programs use [`std::thread`].

use std::ffi::{CStr, CString, c_int};
use std::marker::PhantomData;

use rustix::process::{getpriority_process, setpriority_process};
use rustix::thread::gettid;

use crate::{Errno, Result};

mod backtrace;
mod cpu_set;
mod id;
pub mod stack;
mod tid;

pub use backtrace::{Activity, activity_of};
pub use cpu_set::CpuSet;
pub use id::ThreadId;
pub use tid::{current_tid, tid_exists};

/// The maximum length of a thread name, without the null terminator.
const MAX_NAME: usize = 15;

/// A thread that has not exited. It is not `Send`, so that [`Thread::current`] stays valid.
#[derive(Clone, Copy)]
pub struct Thread {
    id: libc::pthread_t,
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
        // SAFETY: `pthread_self` takes no arguments and cannot fail.
        Self { id: unsafe { libc::pthread_self() }, _not_send: PhantomData }
    }

    /// A thread by its pthread id.
    ///
    /// # Safety
    /// The id must be valid as long as the value is used: the thread is neither joined, nor detached
    /// and exited. (glibc returns `ESRCH` for some invalid ids, but does not guarantee it.)
    pub unsafe fn from_raw(id: libc::pthread_t) -> Self {
        Self { id, _not_send: PhantomData }
    }

    fn is_current(self) -> bool {
        self.id == Self::current().id
    }

    /// The name of the thread.
    #[doc(alias = "uv_thread_getname")]
    pub fn name(self) -> Result<CString> {
        let mut buffer = [0u8; MAX_NAME + 1];
        // SAFETY: the thread exists, and the buffer has the size that is passed.
        let result =
            unsafe { libc::pthread_getname_np(self.id, buffer.as_mut_ptr().cast(), buffer.len()) };
        check(result)?;
        Ok(CStr::from_bytes_until_nul(&buffer).map(CStr::to_owned).unwrap_or_default())
    }

    /// The scheduling priority: the nice value of the calling thread under the default policy, else
    /// the priority within the real-time policy of the thread.
    #[doc(alias = "uv_thread_getpriority")]
    pub fn priority(self) -> Result<i32> {
        let (policy, parameters) = self.policy()?;
        if policy == libc::SCHED_OTHER && self.is_current() {
            return Ok(getpriority_process(Some(gettid()))?);
        }
        Ok(parameters.sched_priority)
    }

    /// Sets the priority. Under the default policy it sets the nice value of the calling thread, and
    /// does nothing for other threads.
    #[doc(alias = "uv_thread_setpriority")]
    pub fn set_priority(self, priority: Priority) -> Result<()> {
        let (policy, mut parameters) = self.policy()?;
        let rank = priority as c_int;
        if policy == libc::SCHED_OTHER && self.is_current() {
            return Ok(setpriority_process(Some(gettid()), -2 * rank)?);
        }
        // SAFETY: both take and return a number.
        let (lowest, highest) =
            unsafe { (libc::sched_get_priority_min(policy), libc::sched_get_priority_max(policy)) };
        let steps = rank - Priority::Lowest as c_int;
        parameters.sched_priority = lowest + (highest - lowest) * steps / 4;
        // SAFETY: the thread exists, and the parameters are only read.
        check(unsafe { libc::pthread_setschedparam(self.id, policy, &parameters) })
    }

    fn policy(self) -> Result<(c_int, libc::sched_param)> {
        let mut policy = 0;
        let mut parameters = libc::sched_param { sched_priority: 0 };
        // SAFETY: the thread exists, and both pointers refer to local variables of the right type.
        check(unsafe { libc::pthread_getschedparam(self.id, &mut policy, &mut parameters) })?;
        Ok((policy, parameters))
    }

    /// The CPU affinity mask of the thread.
    #[doc(alias = "uv_thread_getaffinity")]
    pub fn affinity(self) -> Result<CpuSet> {
        let mut set = CpuSet::empty();
        // SAFETY: the thread exists, and the set has the size that is passed.
        check(unsafe { libc::pthread_getaffinity_np(self.id, size_of_val(&set.0), &mut set.0) })?;
        Ok(set)
    }

    /// Sets the CPU affinity mask of the thread.
    #[doc(alias = "uv_thread_setaffinity")]
    pub fn set_affinity(self, set: &CpuSet) -> Result<()> {
        // SAFETY: the thread exists, and the set has the size that is passed.
        check(unsafe { libc::pthread_setaffinity_np(self.id, size_of_val(&set.0), &set.0) })
    }
}

/// Sets the name of the calling thread. A name that is too long is truncated.
#[doc(alias = "uv_thread_setname")]
pub fn set_current_name(name: &CStr) -> Result<()> {
    let bytes = name.to_bytes();
    let name = CString::new(&bytes[..bytes.len().min(MAX_NAME)]).expect("a part of a C string");
    // SAFETY: the calling thread exists, and the name is null-terminated.
    check(unsafe { libc::pthread_setname_np(libc::pthread_self(), name.as_ptr()) })
}

/// The number of the CPU that the calling thread is running on.
#[doc(alias = "uv_thread_getcpu")]
pub fn current_cpu() -> usize {
    // Calls libc because valgrind hides the vDSO, see `stack::page_size`.
    // SAFETY: `sched_getcpu` takes no arguments.
    let cpu = unsafe { libc::sched_getcpu() };
    // It fails if the kernel does not support the call.
    usize::try_from(cpu).unwrap_or(0)
}

/// Converts the result of a pthread function, which returns the error number.
fn check(result: c_int) -> Result<()> {
    if result == 0 { Ok(()) } else { Err(Errno::from_raw(result)) }
}

/// A cancellation point: exits the calling thread if it was cancelled (`pthread_cancel`).
#[inline]
pub fn cancellation_point() {
    unsafe extern "C" {
        fn pthread_testcancel();
    }
    // SAFETY: takes no arguments. A cancelled thread unwinds from here as from any system call.
    unsafe { pthread_testcancel() }
}
