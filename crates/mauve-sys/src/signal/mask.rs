//! Signal masks of threads.

use std::marker::PhantomData;
use std::mem::MaybeUninit;

use crate::{Errno, Result};

/// A set of signals to block.
pub(crate) type SignalMask = libc::sigset_t;

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

/// Blocks all signals of the calling thread, for a thread of the library itself.
pub fn block_all() {
    std::mem::forget(AllBlocked::new());
}

/// The set of `SIGPROF` alone. `None` on a system without that signal.
pub(crate) fn profiling() -> Option<SignalMask> {
    let mut mask = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: `sigemptyset` initialises the set that `sigaddset` then changes.
    unsafe {
        libc::sigemptyset(mask.as_mut_ptr());
        libc::sigaddset(mask.as_mut_ptr(), libc::SIGPROF);
        Some(mask.assume_init())
    }
}

/// Calls `wait` with the signals of `mask` blocked. An interrupted call returns no events, and is
/// repeated if it is `immediate`: the caller may park because of the result, so it has to be complete.
///
/// `wait` is borrowed: a thread that is cancelled in it unwinds through this frame, which must have
/// nothing to clean up.
#[inline]
pub(crate) fn wait_masked(
    mask: Option<&libc::sigset_t>,
    immediate: bool,
    wait: &mut impl FnMut() -> Result<usize>,
) -> Result<usize> {
    loop {
        let result = match mask {
            None => wait(),
            Some(mask) => {
                let mut before = MaybeUninit::<libc::sigset_t>::uninit();
                // SAFETY: both sets are valid for the call, which initialises `before`.
                unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, mask, before.as_mut_ptr()) };
                let result = wait();
                let none = std::ptr::null_mut();
                // SAFETY: the first call has initialised the set.
                unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), none) };
                result
            }
        };
        match result {
            Err(Errno::EINTR) if immediate => {}
            Err(Errno::EINTR) => return Ok(0),
            result => return result,
        }
    }
}
