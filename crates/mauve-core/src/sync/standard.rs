//! The primitives of the standard library.

/// Orders all memory accesses before it and after it.
pub(crate) use mauve_sys::fence::full as full_fence;

/// A pair of fences, of which one costs nothing.
pub(crate) use mauve_sys::fence::{heavy as heavy_fence, light as light_fence};

/// Lets another thread run. Sleeps after some attempts, because the scheduler may prefer this thread to
/// the other one. Returns whether to check if that thread still exists.
pub(crate) fn pause(attempts: &mut u32) -> bool {
    const SPINS: u32 = 100;
    const YIELDS: u32 = 200;
    *attempts += 1;
    match *attempts {
        ..SPINS => std::hint::spin_loop(),
        SPINS..YIELDS => yield_now(),
        _ => mauve_sys::clock::sleep(std::time::Duration::from_micros(100)),
    }
    *attempts >= YIELDS
}

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

/// Whether this is the handle of the current thread.
pub(crate) fn is_current(thread: &JoinHandle<()>) -> bool {
    thread.thread().id() == std::thread::current().id()
}

/// Waits for a condition variable, with a timeout.
pub(crate) fn wait_briefly<'a, T>(
    signal: &Condvar,
    guard: MutexGuard<'a, T>,
    time: std::time::Duration,
) -> MutexGuard<'a, T> {
    signal.wait_timeout(guard, time).unwrap_or_else(std::sync::PoisonError::into_inner).0
}

/// A wait that is given up after some milliseconds.
pub(crate) struct Patience(std::time::Instant);

impl Patience {
    const LIMIT: std::time::Duration = std::time::Duration::from_millis(10);

    pub(crate) fn begin() -> Self {
        Self(std::time::Instant::now())
    }

    pub(crate) fn is_left(&self) -> bool {
        self.0.elapsed() < Self::LIMIT
    }
}
