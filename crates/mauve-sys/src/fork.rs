//! Values that a forked child must not inherit.

use std::sync::Once;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

/// How many forks lie between the first process that asked and this one.
///
/// Cheap enough to compare on every use: a load, no system call.
pub fn generation() -> u64 {
    static REGISTER: Once = Once::new();
    REGISTER.call_once(|| {
        // SAFETY: the handlers only touch atomics and yield, which is allowed after fork in a
        // multi-threaded process.
        unsafe {
            libc::pthread_atfork(Some(stop_sections), Some(allow_sections), Some(begin_child))
        };
    });
    FORKS.load(Ordering::Relaxed)
}

/// Runs `action` while no other thread forks, so that a child never finds it half done. It must be
/// short, and must not fork.
pub fn unforked<R>(action: impl FnOnce() -> R) -> R {
    loop {
        SECTIONS.fetch_add(1, Ordering::SeqCst);
        if FORKING.load(Ordering::SeqCst) == 0 {
            break;
        }
        SECTIONS.fetch_sub(1, Ordering::SeqCst);
        std::thread::yield_now();
    }
    let result = action();
    SECTIONS.fetch_sub(1, Ordering::SeqCst);
    result
}

/// Threads that are in [`unforked`].
static SECTIONS: AtomicU32 = AtomicU32::new(0);

/// Threads that are about to fork.
static FORKING: AtomicU32 = AtomicU32::new(0);

/// Waits until no thread is in [`unforked`]. Only for a while: a signal handler that forks may have
/// interrupted such a thread, and would wait for itself.
extern "C" fn stop_sections() {
    const ATTEMPTS: u32 = 10_000;
    FORKING.fetch_add(1, Ordering::SeqCst);
    for _ in 0..ATTEMPTS {
        if SECTIONS.load(Ordering::SeqCst) == 0 {
            break;
        }
        std::thread::yield_now();
    }
}

extern "C" fn allow_sections() {
    FORKING.fetch_sub(1, Ordering::SeqCst);
}

static FORKS: AtomicU64 = AtomicU64::new(0);

extern "C" fn begin_child() {
    FORKS.fetch_add(1, Ordering::Relaxed);
    // The other threads do not exist here.
    SECTIONS.store(0, Ordering::SeqCst);
    FORKING.store(0, Ordering::SeqCst);
}

/// A lazily made, process-wide value that a forked child makes anew.
///
/// After `fork` only the forking thread exists in the child. A value that owns threads or locks is
/// useless there, and a lock of it may be held by a thread that no longer is. The child therefore
/// forgets the inherited value without touching it (its memory is leaked, once per fork).
pub struct PerProcess<T: 'static> {
    current: AtomicPtr<Made<T>>,
}

struct Made<T> {
    generation: u64,
    value: T,
}

impl<T: Send + Sync> PerProcess<T> {
    /// A cell whose value is not made yet.
    pub const fn new() -> Self {
        Self { current: AtomicPtr::new(std::ptr::null_mut()) }
    }

    /// This process's value, made by `make` on first use. When two threads race, one of the two
    /// values is dropped, so making it must have no side effect.
    pub fn get_or_make(&self, make: impl FnOnce() -> T) -> &'static T {
        let generation = generation();
        let seen = self.current.load(Ordering::Acquire);
        // SAFETY: read from where values are published.
        if let Some(value) = unsafe { of_generation(seen, generation) } {
            return value;
        }
        let fresh = Box::into_raw(Box::new(Made { generation, value: make() }));
        match self.current.compare_exchange(seen, fresh, Ordering::AcqRel, Ordering::Acquire) {
            // SAFETY: published values are never freed.
            Ok(_) => unsafe { &(*fresh).value },
            Err(winner) => {
                // SAFETY: `fresh` was not published, so this thread is its only owner.
                drop(unsafe { Box::from_raw(fresh) });
                // SAFETY: as above; a winner was made by a thread of this same process.
                unsafe { &(*winner).value }
            }
        }
    }

    /// This process's value, if it was made.
    pub fn get(&self) -> Option<&'static T> {
        // SAFETY: read from where values are published.
        unsafe { of_generation(self.current.load(Ordering::Acquire), generation()) }
    }
}

impl<T: Send + Sync> Default for PerProcess<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// # Safety
/// `made` is null, or a value that `get_or_make` has published.
unsafe fn of_generation<T>(made: *mut Made<T>, generation: u64) -> Option<&'static T> {
    // SAFETY: null, or a published value, which is never freed.
    let made = unsafe { made.as_ref() }?;
    (made.generation == generation).then_some(&made.value)
}
