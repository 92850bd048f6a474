//! One switch between the standard library and loom.
//!
//! Code that crosses threads takes its atomics, locks and threads from here, so that
//! `RUSTFLAGS="--cfg loom"` model-checks exactly the code that ships.

#[cfg(not(loom))]
pub(crate) use std::{
    sync::{
        Arc, Condvar, Mutex, MutexGuard,
        atomic::{AtomicU32, Ordering},
    },
    thread::yield_now,
};

#[cfg(loom)]
pub(crate) use loom::{
    sync::{
        Arc, Condvar, Mutex, MutexGuard,
        atomic::{AtomicU32, Ordering},
    },
    thread::yield_now,
};

/// Locks, whether or not another thread panicked while it held the lock: every critical section
/// of this crate leaves its data whole.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
