//! State that must be consistent in a forked child: per-process values, critical sections that a
//! fork waits for, and one-time initialisation.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::tty;

/// The fork generation: a number that changes with every fork, to detect values that were inherited
/// from the parent. It is zero until the first fork after the first call.
///
/// It costs a load and no system call, so it can be compared on every use.
#[inline]
pub fn generation() -> u64 {
    static REGISTERED: AtomicBool = AtomicBool::new(false);
    if !REGISTERED.load(Ordering::Acquire) {
        register();
        // Concurrent calls may register the handlers more than once, which counts a fork several
        // times. A lock would prevent that, but another thread could hold it during a fork.
        REGISTERED.store(true, Ordering::Release);
    }
    FORKS.load(Ordering::Relaxed)
}

#[cold]
fn register() {
    // SAFETY: the handlers only use atomics, the clock and a thread-local integer, and yield. That
    // is allowed in a child of a multi-threaded process.
    unsafe { libc::pthread_atfork(Some(before_fork), Some(after_in_parent), Some(after_in_child)) };
}

/// Runs `action` as a critical section: forks of other threads wait until it has returned. So no
/// child inherits its data in an intermediate state. It must be short, and must neither fork nor
/// register a fork handler.
pub fn with_forks_blocked<R>(action: impl FnOnce() -> R) -> R {
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

/// How many critical sections of [`with_forks_blocked`] are running.
static SECTIONS: AtomicU32 = AtomicU32::new(0);

/// How many threads are about to fork.
static FORKING: AtomicU32 = AtomicU32::new(0);

thread_local! {
    /// How many critical sections this thread is in. A signal handler may nest them, and may fork.
    static OWN_SECTIONS: Cell<u32> = const { Cell::new(0) };
}

/// Waits until no other thread is in a critical section. The wait is bounded, because a fork handler
/// of the program may hold a lock that such a thread waits for.
extern "C" fn before_fork() {
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

extern "C" fn after_in_parent() {
    FORKING.fetch_sub(1, Ordering::SeqCst);
}

static FORKS: AtomicU64 = AtomicU64::new(0);

extern "C" fn after_in_child() {
    FORKS.fetch_add(1, Ordering::Relaxed);
    // The child has only the thread that forked.
    SECTIONS.store(OWN_SECTIONS.get(), Ordering::SeqCst);
    FORKING.store(0, Ordering::SeqCst);
    tty::release_after_fork();
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
