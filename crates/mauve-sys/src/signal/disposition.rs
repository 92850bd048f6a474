//! The process's signal actions.
//!
//! An action depends on the watchers of all loops, so a lock is held while it is changed. The
//! handler never takes the lock. A fork takes it, so that no child inherits it locked.

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicUsize, Ordering};

use super::{AllBlocked, Delivery, MAX, writer};
use crate::{Errno, Result};

/// The thread that holds the lock, or zero.
static HOLDER: AtomicUsize = AtomicUsize::new(0);

/// How often a forking thread holds the lock again: the fork handlers may be registered twice.
static AGAIN: AtomicU32 = AtomicU32::new(0);

/// The installed action of each signal, [`encode`]d. Changed with the lock held.
static INSTALLED: [AtomicU8; MAX as usize] = [const { AtomicU8::new(0) }; MAX as usize];

/// Registers the fork handlers. Called before the first pipe is opened.
pub(super) fn prepare() {
    static REGISTERED: AtomicBool = AtomicBool::new(false);
    if !REGISTERED.load(Ordering::Acquire) {
        // SAFETY: the functions only touch atomics.
        unsafe {
            libc::pthread_atfork(Some(lock_for_fork), Some(unlock_in_parent), Some(unlock_in_child))
        };
        // Threads that get here at the same time register the handlers more than once. A lock
        // that prevents it could be held by another thread when this process forks.
        REGISTERED.store(true, Ordering::Release);
    }
}

/// Installs the action that the watchers of `signal` need. With `anew`, a one-shot action is
/// installed again, because a delivery may have reset it.
pub(super) fn update(signal: i32, anew: bool) -> Result<()> {
    // A handler of the program that forks would wait for the lock for ever.
    let _blocked = AllBlocked::new();
    lock();
    let result = update_locked(signal, anew);
    unlock();
    result
}

fn update_locked(signal: i32, anew: bool) -> Result<()> {
    let wanted = match writer::demand(signal) {
        (_, true) => Some(Delivery::Persistent),
        (true, false) => Some(Delivery::OneShot),
        (false, false) => None,
    };
    let installed = &INSTALLED[signal as usize - 1];
    let used_up = anew && wanted == Some(Delivery::OneShot);
    if installed.load(Ordering::Relaxed) == encode(wanted) && !used_up {
        return Ok(());
    }
    install(signal, wanted)?;
    installed.store(encode(wanted), Ordering::Relaxed);
    Ok(())
}

/// Resets signals that the parent ignored to their default action, because a shell ignores
/// interrupts for background jobs. `SIGPIPE` and `SIGXFSZ` stay ignored: they are errors of the
/// calls.
pub fn reset_ignored() {
    for signal in 1..=MAX {
        if signal == libc::SIGPIPE || signal == libc::SIGXFSZ {
            continue;
        }
        let mut action = MaybeUninit::<libc::sigaction>::zeroed();
        // SAFETY: the first call only reads, and fills `action` if it succeeds; the second sets a
        // valid action. Signals that cannot be changed are refused.
        unsafe {
            if libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) != 0 {
                continue;
            }
            let mut action = action.assume_init();
            if action.sa_sigaction == libc::SIG_IGN {
                action.sa_sigaction = libc::SIG_DFL;
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

/// Installs our handler, or the default action if there is no watcher.
fn install(signal: i32, wanted: Option<Delivery>) -> Result<()> {
    // SAFETY: all zeroes is a valid `sigaction`: the default action, no flags.
    let mut action: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
    if let Some(delivery) = wanted {
        action.sa_sigaction = writer::handle as extern "C" fn(libc::c_int) as usize;
        action.sa_flags = libc::SA_RESTART;
        if delivery == Delivery::OneShot {
            action.sa_flags |= libc::SA_RESETHAND;
        }
        // SAFETY: initialises a set.
        unsafe { libc::sigfillset(&mut action.sa_mask) };
    }
    // SAFETY: a valid action; the handler does nothing that a handler must not do.
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
    // SAFETY: always returns a number, and never zero.
    unsafe { libc::pthread_self() as usize }
}

extern "C" fn lock_for_fork() {
    if HOLDER.load(Ordering::Relaxed) == this_thread() {
        AGAIN.fetch_add(1, Ordering::Relaxed);
    } else {
        lock();
    }
}

extern "C" fn unlock_in_parent() {
    if AGAIN.load(Ordering::Relaxed) > 0 {
        AGAIN.fetch_sub(1, Ordering::Relaxed);
    } else {
        unlock();
    }
}

extern "C" fn unlock_in_child() {
    writer::reset_after_fork();
    AGAIN.store(0, Ordering::Relaxed);
    unlock();
}
