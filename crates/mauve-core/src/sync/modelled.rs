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

/// Starts a thread. A model has neither names nor stacks.
pub(crate) fn spawn(
    _name: &str,
    _stack_size: usize,
    run: impl FnOnce() + Send + 'static,
) -> std::io::Result<JoinHandle<()>> {
    Ok(loom::thread::spawn(run))
}

/// Waits for a condition variable, without a timeout: no protocol may depend on time.
pub(crate) fn wait_briefly<'a, T>(
    signal: &Condvar,
    guard: MutexGuard<'a, T>,
    _time: std::time::Duration,
) -> MutexGuard<'a, T> {
    super::wait(signal, guard)
}
