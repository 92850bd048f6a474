//! State that must be consistent in a forked child: per-process values, critical sections that a
//! fork waits for, and one-time initialisation.

use std::sync::atomic::{AtomicPtr, AtomicU8, Ordering};

cfg_if::cfg_if! {
    if #[cfg(windows)] {
        mod none;
        use none as system;
    } else {
        mod atfork;
        use atfork as system;
    }
}

pub use system::{generation, with_forks_blocked};

/// One-time initialisation of a process and its forked children. Unlike [`std::sync::Once`] it is
/// never inherited in the running state, because forks wait for it.
pub struct Once(AtomicU8);

impl Once {
    const NEW: u8 = 0;
    const RUNNING: u8 = 1;
    const DONE: u8 = 2;

    /// A value whose action has not been called.
    pub const fn new() -> Self {
        Self(AtomicU8::new(Self::NEW))
    }

    /// Calls `action` on the first call, with [forks blocked](with_forks_blocked). When this returns,
    /// the action has returned, even if another thread has called it.
    #[inline]
    pub fn call_once(&self, action: impl FnOnce()) {
        if self.0.load(Ordering::Acquire) != Self::DONE {
            with_forks_blocked(|| self.call_or_wait(action));
        }
    }

    #[cold]
    fn call_or_wait(&self, action: impl FnOnce()) {
        let (new, running) = (Self::NEW, Self::RUNNING);
        if self.0.compare_exchange(new, running, Ordering::Acquire, Ordering::Acquire).is_ok() {
            action();
            self.0.store(Self::DONE, Ordering::Release);
        }
        while self.0.load(Ordering::Acquire) != Self::DONE {
            std::thread::yield_now();
        }
    }
}

impl Default for Once {
    fn default() -> Self {
        Self::new()
    }
}

/// A lazily initialised, process-wide value that a forked child initialises again.
///
/// A forked child has only the thread that forked. An inherited value that owns threads or locks is
/// unusable there: a thread that does not exist may hold its lock. So the child ignores the
/// inherited value. Its memory is leaked, once per fork.
pub struct PerProcess<T: 'static> {
    current: AtomicPtr<Versioned<T>>,
}

/// A value and the fork generation of the process that it belongs to.
struct Versioned<T> {
    generation: u64,
    value: T,
}

impl<T: Send + Sync> PerProcess<T> {
    /// A cell without a value.
    pub const fn new() -> Self {
        Self { current: AtomicPtr::new(std::ptr::null_mut()) }
    }

    /// The value of this process. Calls `init` on first use. When two threads race, both call `init`
    /// and one of the values is dropped, so `init` must not have side effects.
    pub fn get_or_init(&self, init: impl FnOnce() -> T) -> &'static T {
        let generation = generation();
        let seen = self.current.load(Ordering::Acquire);
        // SAFETY: `current` holds null or a published value.
        if let Some(value) = unsafe { of_generation(seen, generation) } {
            return value;
        }
        let fresh = Box::into_raw(Box::new(Versioned { generation, value: init() }));
        match self.current.compare_exchange(seen, fresh, Ordering::AcqRel, Ordering::Acquire) {
            // SAFETY: `fresh` is published now, and published values are never freed.
            Ok(_) => unsafe { &(*fresh).value },
            Err(winner) => {
                // SAFETY: `fresh` was not published, so this thread is its only owner.
                drop(unsafe { Box::from_raw(fresh) });
                // SAFETY: `winner` is a published value, which is never freed. Another thread of this
                // process has published it since the load above.
                unsafe { &(*winner).value }
            }
        }
    }

    /// This process's value, if it was made.
    pub fn get(&self) -> Option<&'static T> {
        let seen = self.current.load(Ordering::Acquire);
        if seen.is_null() {
            // Registers no fork handler: the library may be about to be unloaded.
            return None;
        }
        // SAFETY: read from where values are published.
        unsafe { of_generation(seen, generation()) }
    }
}

impl<T: Send + Sync> Default for PerProcess<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// The value, if it belongs to this generation.
///
/// # Safety
/// `versioned` is null or a value that `get_or_init` has published.
unsafe fn of_generation<T>(versioned: *mut Versioned<T>, generation: u64) -> Option<&'static T> {
    // SAFETY: null or a published value, which is never freed.
    let versioned = unsafe { versioned.as_ref() }?;
    (versioned.generation == generation).then_some(&versioned.value)
}
