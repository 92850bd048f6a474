//! Signal masks of threads.

use std::marker::PhantomData;
use std::mem::MaybeUninit;

/// A guard that blocks all signals of the calling thread until it is dropped.
pub(crate) struct AllBlocked {
    before: libc::sigset_t,
    /// The mask is a property of the thread.
    not_send: PhantomData<*const ()>,
}

impl AllBlocked {
    pub fn new() -> Self {
        let (mut all, mut before) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        // SAFETY: `sigfillset` initialises `all`, and `pthread_sigmask` initialises `before`.
        let before = unsafe {
            libc::sigfillset(all.as_mut_ptr());
            libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
            before.assume_init()
        };
        Self { before, not_send: PhantomData }
    }
}

impl Drop for AllBlocked {
    fn drop(&mut self) {
        // SAFETY: `before` is the initialised set that `new` has stored.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &self.before, std::ptr::null_mut()) };
    }
}

/// The set of `SIGPROF` alone.
pub(crate) fn profiling() -> libc::sigset_t {
    let mut mask = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: `sigemptyset` initialises the set that `sigaddset` then changes.
    unsafe {
        libc::sigemptyset(mask.as_mut_ptr());
        libc::sigaddset(mask.as_mut_ptr(), libc::SIGPROF);
        mask.assume_init()
    }
}
