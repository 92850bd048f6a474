//! Corked writes, seen from the rest of the library.
//!
//! Corking is off unless the environment has `MAUVE_CORK=1`: every `uv_write` attempts its bytes at
//! once, as libuv does. With it, from the second `uv_write` of a callback to the same TCP stream on,
//! bytes leave in one batch when the callback returns. Whatever may wait for a peer that waits for
//! these bytes, or is to happen after they were sent, first calls [`let_go`].

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::abi::uv_loop_t;
use crate::ffi::Ptr;

/// How many loops of the process hold writes back.
static HOLDING: AtomicU32 = AtomicU32::new(0);

thread_local! {
    /// The loop that runs on this thread, if it holds writes back.
    static OWN: Cell<*mut uv_loop_t> = const { Cell::new(std::ptr::null_mut()) };
}

/// Whether the environment turns corking on.
pub(crate) fn wanted() -> bool {
    std::env::var_os("MAUVE_CORK").is_some_and(|value| value == "1")
}

/// The loop of this thread has begun to hold writes back.
#[cold]
pub(crate) fn begin(of: Ptr<uv_loop_t>) {
    if OWN.replace(of.raw()).is_null() {
        HOLDING.fetch_add(1, Ordering::Relaxed);
    }
}

/// The loop of this thread holds nothing back any more.
#[cold]
pub(crate) fn end() {
    if !OWN.replace(std::ptr::null_mut()).is_null() {
        HOLDING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Whether this thread, or another one, is in a callback whose writes are held back.
#[inline(always)]
pub(crate) fn any() -> bool {
    // Its own stores a thread always sees, and only those concern it.
    HOLDING.load(Ordering::Relaxed) != 0
}

/// Has the loop that runs on this thread send what it holds back.
#[inline(always)]
pub(crate) fn let_go() {
    if any() {
        let_go_of_own();
    }
}

#[cold]
fn let_go_of_own() {
    let own = OWN.get();
    if own.is_null() {
        return;
    }
    // SAFETY: a loop in whose callback this thread is: `uv_run` calls `end` before it returns.
    let own = unsafe { Ptr::new(own) };
    // In a child that was forked in the callback, the bytes are still the parent's to send.
    if own.pulse().is_some_and(|pulse| pulse.is_run_here()) {
        own.own_engine(|engine| engine.let_go());
    }
}
