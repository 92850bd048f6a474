//! The signal actions of the process.
//!
//! An action depends on the watchers of all loops, so a lock is held while it is changed. The
//! signal handler never takes the lock. A fork takes it, so that no child inherits it held by a
//! thread that the child does not have.

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicUsize, Ordering};

use super::{AllBlocked, Delivery, MAX, writer};
use crate::{Errno, Result};

/// The thread that holds the lock, or zero.
static HOLDER: AtomicUsize = AtomicUsize::new(0);

/// How often the forking thread has locked recursively. The fork handlers may be registered twice.
static RECURSION: AtomicU32 = AtomicU32::new(0);

/// The installed action of each signal, [`encode`]d. The lock protects it.
static INSTALLED: [AtomicU8; MAX as usize] = [const { AtomicU8::new(0) }; MAX as usize];

/// Registers the fork handlers. Called before the first pipe is opened.
pub(super) fn prepare() {
    static REGISTERED: AtomicBool = AtomicBool::new(false);
    if !REGISTERED.load(Ordering::Acquire) {
        // SAFETY: the functions only use atomics and yield, which is allowed in fork handlers.
        unsafe {
            libc::pthread_atfork(Some(lock_for_fork), Some(unlock_in_parent), Some(unlock_in_child))
        };
        // Concurrent calls may register the handlers more than once. A lock would prevent that, but
        // another thread could hold it during a fork.
        REGISTERED.store(true, Ordering::Release);
    }
}

/// Installs the action that the watchers of `signal` need. If `reinstall` is set, a one-shot action
/// is installed again, because a delivery may have reset it.
pub(super) fn update(signal: i32, reinstall: bool) -> Result<()> {
    // A signal handler of the program that forks would deadlock.
    let _blocked = AllBlocked::new();
    lock();
    let result = update_locked(signal, reinstall);
    unlock();
    result
}

fn update_locked(signal: i32, reinstall: bool) -> Result<()> {
    let wanted = match writer::watched(signal) {
        (_, true) => Some(Delivery::Persistent),
        (true, false) => Some(Delivery::OneShot),
        (false, false) => None,
    };
    let installed = &INSTALLED[signal as usize - 1];
    let may_be_reset = reinstall && wanted == Some(Delivery::OneShot);
    if installed.load(Ordering::Relaxed) == encode(wanted) && !may_be_reset {
        return Ok(());
    }
    install(signal, wanted)?;
    installed.store(encode(wanted), Ordering::Relaxed);
    Ok(())
}

/// Resets ignored signals to their default action, because a shell ignores `SIGINT` for background
/// jobs. `SIGPIPE` and `SIGXFSZ` are ignored, so that the system calls report an error instead.
pub fn reset_ignored() {
    for signal in 1..=MAX {
        let from_system_call = signal == libc::SIGPIPE || signal == libc::SIGXFSZ;
        let (from, to) = match from_system_call {
            true => (libc::SIG_DFL, libc::SIG_IGN),
            false => (libc::SIG_IGN, libc::SIG_DFL),
        };
        let mut action = MaybeUninit::<libc::sigaction>::zeroed();
        // SAFETY: the first call stores the current action in `action` if it succeeds. The second one
        // sets a valid action, or fails for signals that cannot be changed.
        unsafe {
            if libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) != 0 {
                continue;
            }
            let mut action = action.assume_init();
            if action.sa_sigaction == from {
                action.sa_sigaction = to;
                libc::sigaction(signal, &raw const action, std::ptr::null_mut());
            }
        }
    }
}

fn encode(wanted: Option<Delivery>) -> u8 {
    match wanted {
        None => 0,
        Some(Delivery::Persistent) => 1,
        Some(Delivery::OneShot) => 2,
    }
}

/// Installs the handler, or the default action if there is no watcher.
fn install(signal: i32, wanted: Option<Delivery>) -> Result<()> {
    // SAFETY: all zeros are a valid `sigaction`: the default action, no flags.
    let mut action: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
    if let Some(delivery) = wanted {
        action.sa_sigaction = writer::handle as extern "C" fn(libc::c_int) as usize;
        action.sa_flags = libc::SA_RESTART;
        if delivery == Delivery::OneShot {
            action.sa_flags |= libc::SA_RESETHAND;
        }
        // SAFETY: `sa_mask` is a set of ours to initialise.
        unsafe { libc::sigfillset(&mut action.sa_mask) };
    }
    // SAFETY: the action is valid, and the handler is async-signal-safe.
    if unsafe { libc::sigaction(signal, &action, std::ptr::null_mut()) } == -1 {
        return Err(Errno::last());
    }
    Ok(())
}

fn lock() {
    let take = || HOLDER.compare_exchange(0, this_thread(), Ordering::Acquire, Ordering::Relaxed);
    while take().is_err() {
        std::thread::yield_now();
    }
}

fn unlock() {
    HOLDER.store(0, Ordering::Release);
}

fn this_thread() -> usize {
    // SAFETY: `pthread_self` takes no arguments and never returns zero on Linux.
    unsafe { libc::pthread_self() as usize }
}

extern "C" fn lock_for_fork() {
    if HOLDER.load(Ordering::Relaxed) == this_thread() {
        RECURSION.fetch_add(1, Ordering::Relaxed);
    } else {
        lock();
    }
}

extern "C" fn unlock_in_parent() {
    if RECURSION.load(Ordering::Relaxed) > 0 {
        RECURSION.fetch_sub(1, Ordering::Relaxed);
    } else {
        unlock();
    }
}

extern "C" fn unlock_in_child() {
    writer::reset_after_fork();
    RECURSION.store(0, Ordering::Relaxed);
    unlock();
}
