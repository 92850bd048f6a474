//! One switch between the standard library and loom.
//!
//! Code that crosses threads takes its atomics, locks and threads from here, so that
//! `RUSTFLAGS="--cfg loom"` model-checks exactly the code that ships.

#[cfg(loom)]
mod modelled;
#[cfg(not(loom))]
mod standard;

#[cfg(loom)]
pub(crate) use modelled::*;
#[cfg(not(loom))]
pub(crate) use standard::*;

/// Locks a mutex. Ignores poisoning, because every critical section
/// of this crate leaves consistent data.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Waits for a condition variable.
pub(crate) fn wait<'a, T>(signal: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    signal.wait(guard).unwrap_or_else(std::sync::PoisonError::into_inner)
}
