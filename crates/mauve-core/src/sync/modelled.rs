//! The primitives of loom.

pub(crate) use loom::{
    sync::{
        Arc, Condvar, Mutex, MutexGuard,
        atomic::{AtomicU32, Ordering},
    },
    thread::{JoinHandle, yield_now},
};

/// Orders all memory accesses before it and after it.
pub(crate) fn full_fence() {
    loom::sync::atomic::fence(Ordering::SeqCst);
}

/// The pair of fences has the effect of two full ones.
pub(crate) use self::{full_fence as heavy_fence, full_fence as light_fence};

/// Lets another thread run. Returns whether to check if that thread still exists.
pub(crate) fn pause(_attempts: &mut u32) -> bool {
    yield_now();
    false
}

/// Starts a thread. A model has neither names nor stacks.
pub(crate) fn spawn(
    _name: &str,
    _stack_size: usize,
    run: impl FnOnce() + Send + 'static,
) -> std::io::Result<JoinHandle<()>> {
    Ok(loom::thread::spawn(run))
}

/// Threads that end early are not modelled, because no wait times out.
pub(crate) fn is_current(_thread: &JoinHandle<()>) -> bool {
    false
}

/// Waits for a condition variable, without a timeout: no protocol may depend on time.
pub(crate) fn wait_briefly<'a, T>(
    signal: &Condvar,
    guard: MutexGuard<'a, T>,
    _time: std::time::Duration,
) -> MutexGuard<'a, T> {
    super::wait(signal, guard)
}

/// A wait that is never given up, because no protocol may depend on time.
pub(crate) struct Patience;

impl Patience {
    pub(crate) fn begin() -> Self {
        Self
    }

    pub(crate) fn is_left(&self) -> bool {
        true
    }
}
