//! What the standard library does not tell about a thread: its name in the system, its priority
//! and the CPUs it may run on.
//!
//! Called by the C ABI for `uv_thread_*`, and re-exported by the Rust API. Starting and joining
//! threads is not here: Rust has [`std::thread`], and the C ABI uses pthreads directly.

use std::ffi::{CStr, CString, c_int};
use std::marker::PhantomData;

use rustix::process::{getpriority_process, setpriority_process};
use rustix::thread::gettid;

use crate::{Errno, Result};

mod cpu_set;
mod mark;
pub mod stack;
mod task;

pub use cpu_set::CpuSet;
pub use mark::ThreadMark;
pub use task::{task_exists, task_id};

/// The longest name that a thread can have, without the final zero.
const MAX_NAME: usize = 15;

/// A thread that exists. It is not `Send`: on its own thread, [`Thread::current`] cannot end.
#[derive(Clone, Copy)]
pub struct Thread {
    id: libc::pthread_t,
    _not_send: PhantomData<*const ()>,
}

/// How urgent a thread is, compared with the others of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// Runs when nobody else wants to.
    Lowest = -2,
    /// Gives way to most.
    BelowNormal = -1,
    /// What threads start with.
    Normal = 0,
    /// Goes before most.
    AboveNormal = 1,
    /// Goes before all.
    Highest = 2,
}

impl Thread {
    /// The calling thread.
    #[doc(alias = "uv_thread_self")]
    pub fn current() -> Self {
        // SAFETY: takes nothing and cannot fail.
        Self { id: unsafe { libc::pthread_self() }, _not_send: PhantomData }
    }

    /// A thread by its pthread id.
    ///
    /// # Safety
    /// The id must be that of a thread which was not joined, or not detached and ended, as long
    /// as the value is used. (glibc answers `ESRCH` for some that were, which is not promised.)
    pub unsafe fn from_raw(id: libc::pthread_t) -> Self {
        Self { id, _not_send: PhantomData }
    }

    fn is_current(self) -> bool {
        self.id == Self::current().id
    }

    /// The name that system tools show.
    #[doc(alias = "uv_thread_getname")]
    pub fn name(self) -> Result<CString> {
        let mut buffer = [0u8; MAX_NAME + 1];
        // SAFETY: the thread exists, and the buffer has the size that is given.
        let result =
            unsafe { libc::pthread_getname_np(self.id, buffer.as_mut_ptr().cast(), buffer.len()) };
        check(result)?;
        Ok(CStr::from_bytes_until_nul(&buffer).map(CStr::to_owned).unwrap_or_default())
    }

    /// The priority in the system's own numbers: the nice value for the calling thread under the
    /// default policy, else the priority within the thread's real-time policy.
    #[doc(alias = "uv_thread_getpriority")]
    pub fn priority(self) -> Result<i32> {
        let (policy, parameters) = self.policy()?;
        if policy == libc::SCHED_OTHER && self.is_current() {
            return Ok(getpriority_process(Some(gettid()))?);
        }
        Ok(parameters.sched_priority)
    }

    /// Sets the priority. Under the default policy only the calling thread has one of its own,
    /// its nice value; for others nothing changes.
    #[doc(alias = "uv_thread_setpriority")]
    pub fn set_priority(self, priority: Priority) -> Result<()> {
        let (policy, mut parameters) = self.policy()?;
        let rank = priority as c_int;
        if policy == libc::SCHED_OTHER && self.is_current() {
            return Ok(setpriority_process(Some(gettid()), -2 * rank)?);
        }
        // SAFETY: both take a number and return one.
        let (lowest, highest) =
            unsafe { (libc::sched_get_priority_min(policy), libc::sched_get_priority_max(policy)) };
        let steps = rank - Priority::Lowest as c_int;
        parameters.sched_priority = lowest + (highest - lowest) * steps / 4;
        // SAFETY: the thread exists; the parameters are read only.
        check(unsafe { libc::pthread_setschedparam(self.id, policy, &parameters) })
    }

    fn policy(self) -> Result<(c_int, libc::sched_param)> {
        let mut policy = 0;
        let mut parameters = libc::sched_param { sched_priority: 0 };
        // SAFETY: the thread exists; both results have the right type.
        check(unsafe { libc::pthread_getschedparam(self.id, &mut policy, &mut parameters) })?;
        Ok((policy, parameters))
    }

    /// The CPUs that the thread may run on.
    #[doc(alias = "uv_thread_getaffinity")]
    pub fn affinity(self) -> Result<CpuSet> {
        let mut set = CpuSet::empty();
        // SAFETY: the thread exists, and the set has the size that is given.
        check(unsafe { libc::pthread_getaffinity_np(self.id, size_of_val(&set.0), &mut set.0) })?;
        Ok(set)
    }

    /// Confines the thread to the CPUs of `set`.
    #[doc(alias = "uv_thread_setaffinity")]
    pub fn set_affinity(self, set: &CpuSet) -> Result<()> {
        // SAFETY: the thread exists, and the set has the size that is given.
        check(unsafe { libc::pthread_setaffinity_np(self.id, size_of_val(&set.0), &set.0) })
    }
}

/// Names the calling thread. A name that is too long is cut.
#[doc(alias = "uv_thread_setname")]
pub fn set_current_name(name: &CStr) -> Result<()> {
    let bytes = name.to_bytes();
    let name = CString::new(&bytes[..bytes.len().min(MAX_NAME)]).expect("a part of a C string");
    // SAFETY: the calling thread exists, and the name ends with a zero.
    check(unsafe { libc::pthread_setname_np(libc::pthread_self(), name.as_ptr()) })
}

/// The number of the CPU that the calling thread is running on.
#[doc(alias = "uv_thread_getcpu")]
pub fn current_cpu() -> usize {
    // Through libc for the sake of valgrind, as the page size in `stack`.
    // SAFETY: asks for a number.
    let cpu = unsafe { libc::sched_getcpu() };
    // It fails where the kernel has no such call, and then there is one CPU to speak of.
    usize::try_from(cpu).unwrap_or(0)
}

/// pthread functions return their error.
fn check(result: c_int) -> Result<()> {
    if result == 0 { Ok(()) } else { Err(Errno::from_raw(result)) }
}

/// Ends the calling thread here if it was cancelled (`pthread_cancel`).
#[inline]
pub fn cancellation_point() {
    unsafe extern "C" {
        fn pthread_testcancel();
    }
    // SAFETY: has no arguments. A thread that ends here unwinds as from any system call.
    unsafe { pthread_testcancel() }
}
