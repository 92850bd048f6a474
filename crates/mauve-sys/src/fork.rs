//! Values that a forked child must not inherit, and locks that it must not find held.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::tty;

/// How many forks lie between the first process that called this and this one. Of use only for
/// comparing: a fork may count more than once.
///
/// Cheap enough to compare on every use: a load, no system call.
#[inline]
pub fn generation() -> u64 {
    static REGISTERED: AtomicBool = AtomicBool::new(false);
    if !REGISTERED.load(Ordering::Acquire) {
        register();
        // Threads that get here at the same time register the handlers more than once. A lock
        // that prevents it could be held by another thread when this process forks.
        REGISTERED.store(true, Ordering::Release);
    }
    FORKS.load(Ordering::Relaxed)
}

#[cold]
fn register() {
    // SAFETY: the handlers only touch atomics, the clock and a thread-local number, and yield. That
    // is allowed after fork in a multi-threaded process.
    unsafe { libc::pthread_atfork(Some(stop_sections), Some(allow_sections), Some(begin_child)) };
}

/// Runs `action` while no other thread forks, so that a child never finds it half done. It must be
/// short, and must not fork or register a fork handler.
pub fn unforked<R>(action: impl FnOnce() -> R) -> R {
    generation();
    OWN_SECTIONS.set(OWN_SECTIONS.get() + 1);
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
    OWN_SECTIONS.set(OWN_SECTIONS.get() - 1);
    result
}

/// Something that is done once, by the process or by one that it was forked from. Unlike
/// [`std::sync::Once`] it is not left half done in a child when another thread forks.
pub struct Once(AtomicU8);

impl Once {
    const NEW: u8 = 0;
    const RUNNING: u8 = 1;
    const DONE: u8 = 2;

    /// Not done yet.
    pub const fn new() -> Self {
        Self(AtomicU8::new(Self::NEW))
    }

    /// Calls `action` unless it was called. It is [`unforked`]. When this returns, it is done.
    #[inline]
    pub fn call(&self, action: impl FnOnce()) {
        if self.0.load(Ordering::Acquire) != Self::DONE {
            unforked(|| self.call_unforked(action));
        }
    }

    #[cold]
    fn call_unforked(&self, action: impl FnOnce()) {
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

/// Threads that are in [`unforked`].
static SECTIONS: AtomicU32 = AtomicU32::new(0);

/// Threads that are about to fork.
static FORKING: AtomicU32 = AtomicU32::new(0);

thread_local! {
    /// How often this thread is in [`unforked`]: a signal handler may interrupt it there.
    static OWN_SECTIONS: Cell<u32> = const { Cell::new(0) };
}

/// Waits until no other thread is in [`unforked`]. Not for ever: a fork handler of the program may
/// hold a lock that such a thread waits for.
extern "C" fn stop_sections() {
    const LIMIT: Duration = Duration::from_secs(1);
    FORKING.fetch_add(1, Ordering::SeqCst);
    let own = OWN_SECTIONS.get();
    let is_busy = || SECTIONS.load(Ordering::SeqCst) > own;
    if !is_busy() {
        return;
    }
    let begin = Instant::now();
    while is_busy() && begin.elapsed() < LIMIT {
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
    SECTIONS.store(OWN_SECTIONS.get(), Ordering::SeqCst);
    FORKING.store(0, Ordering::SeqCst);
    tty::release_after_fork();
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

/// # Safety
/// `made` is null, or a value that `get_or_make` has published.
unsafe fn of_generation<T>(made: *mut Made<T>, generation: u64) -> Option<&'static T> {
    // SAFETY: null, or a published value, which is never freed.
    let made = unsafe { made.as_ref() }?;
    (made.generation == generation).then_some(&made.value)
}
