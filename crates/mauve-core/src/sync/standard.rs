//! The primitives of the standard library.

/// Orders all memory accesses before it and after it.
pub(crate) use mauve_sys::fence::full as full_fence;

pub(crate) use std::{
    sync::{
        Arc, Condvar, Mutex, MutexGuard,
        atomic::{AtomicU32, Ordering},
    },
    thread::{JoinHandle, yield_now},
};

/// Starts a thread.
pub(crate) fn spawn(
    name: &str,
    stack_size: usize,
    run: impl FnOnce() + Send + 'static,
) -> std::io::Result<JoinHandle<()>> {
    std::thread::Builder::new().name(name.to_owned()).stack_size(stack_size).spawn(run)
}

/// Waits for a condition variable, with a timeout.
pub(crate) fn wait_briefly<'a, T>(
    signal: &Condvar,
    guard: MutexGuard<'a, T>,
    time: std::time::Duration,
) -> MutexGuard<'a, T> {
    signal.wait_timeout(guard, time).unwrap_or_else(std::sync::PoisonError::into_inner).0
}
