//! What the process does on a signal.
//!
//! It depends on the watchers of all loops, so a lock is held while it is changed. The lock is
//! never taken by the handler, and a fork waits for it: the child must not inherit it taken.

use std::mem::MaybeUninit;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use super::{LAST, Term, post};
use crate::{Errno, Result, fork};

static LOCKED: AtomicBool = AtomicBool::new(false);

/// What is installed for each signal, as [`encode`]d. Changed with the lock held.
static INSTALLED: [AtomicU8; LAST as usize] = [const { AtomicU8::new(0) }; LAST as usize];

/// To be called before the first mailbox is opened.
pub(super) fn prepare() {
    static REGISTER: Once = Once::new();
    REGISTER.call_once(|| {
        // The handler asks for it, and must not be the first to do so.
        fork::generation();
        // SAFETY: the functions only touch an atomic.
        unsafe { libc::pthread_atfork(Some(lock), Some(unlock), Some(unlock)) };
    });
}

/// Brings what the process does on `signal` in line with what is watched for. With `anew`, a
/// handler for one delivery is installed again: it may have been used up.
pub(super) fn settle(signal: i32, anew: bool) -> Result<()> {
    lock();
    let result = settle_locked(signal, anew);
    unlock();
    result
}

fn settle_locked(signal: i32, anew: bool) -> Result<()> {
    let wanted = match post::demand(signal) {
        (_, true) => Some(Term::Lasting),
        (true, false) => Some(Term::Once),
        (false, false) => None,
    };
    let installed = &INSTALLED[signal as usize - 1];
    let used_up = anew && wanted == Some(Term::Once);
    if installed.load(Ordering::Relaxed) == encode(wanted) && !used_up {
        return Ok(());
    }
    install(signal, wanted)?;
    installed.store(encode(wanted), Ordering::Relaxed);
    Ok(())
}

/// Has signals that the parent ignored do again what they do by default. For a process that stands
/// on its own: a shell ignores interrupts for what it starts in the background. Broken pipes and
/// files that grow too large stay errors of the calls.
pub fn forget_ignored() {
    for signal in 1..=LAST {
        if signal == libc::SIGPIPE || signal == libc::SIGXFSZ {
            continue;
        }
        let mut action = MaybeUninit::<libc::sigaction>::zeroed();
        // SAFETY: the first call only asks, and fills `action` if it succeeds; the second sets
        // what has no handler to the default. Signals that cannot be changed are refused.
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

fn encode(wanted: Option<Term>) -> u8 {
    match wanted {
        None => 0,
        Some(Term::Lasting) => 1,
        Some(Term::Once) => 2,
    }
}

/// Installs our handler, or the default if nobody wants it.
fn install(signal: i32, wanted: Option<Term>) -> Result<()> {
    // SAFETY: all zeroes is a valid `sigaction`: the default action, no flags.
    let mut action: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
    if let Some(term) = wanted {
        action.sa_sigaction = post::handle as extern "C" fn(libc::c_int) as usize;
        action.sa_flags = libc::SA_RESTART;
        if term == Term::Once {
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

extern "C" fn lock() {
    while LOCKED.swap(true, Ordering::Acquire) {
        std::thread::yield_now();
    }
}

extern "C" fn unlock() {
    LOCKED.store(false, Ordering::Release);
}
