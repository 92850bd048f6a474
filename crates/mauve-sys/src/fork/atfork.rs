//! Forks that `pthread_atfork` handlers observe.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
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
