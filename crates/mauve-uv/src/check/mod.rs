//! `MAUVE_CHECK=1`: every misuse that can be told is told, and where the handle came from.
//!
//! Without the mode the library is as tolerant as libuv and knows nothing of this folder but one
//! variable, [`on`], which it reads where a handle or a loop is handed in and before a callback
//! is run. With it, all loops, handles and requests are entered in a [`registry`], and
//!
//! * [`handles`]: a handle must be initialised, not closed, not initialised twice, and its memory
//!   left alone until its close callback;
//! * [`requests`]: a request must not be used again before its callback;
//! * [`loops`]: a loop must be initialised and not closed, used by one thread at a time while it
//!   runs, and have nothing left on it when it is closed;
//! * [`arguments`]: callbacks and buffers must be there.
//!
//! What is found is one line on stderr, and the end of the process. `MAUVE_BACKTRACE=1` adds where
//! the handle was made, where it was closed, and where the misuse is. `MAUVE_CHECK=2` also lists
//! what is still open when the process ends; that is no misuse.
//!
//! The environment is read when the first loop is made.

pub(crate) mod arguments;
mod closing;
pub(crate) mod handles;
pub(crate) mod loops;
mod origin;
mod registry;
pub(crate) mod requests;
pub(crate) mod threads;

use std::sync::atomic::{AtomicBool, Ordering};

use mauve_core::Completion;
use mauve_sys::fork::Once;

pub(crate) use closing::starts_something;

static ON: AtomicBool = AtomicBool::new(false);

/// Whether the mode is on.
#[inline(always)]
pub(crate) fn on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// Looks at the environment, the first time.
pub(crate) fn begin() {
    static LOOK: Once = Once::new();
    LOOK.call_once(|| {
        let level = number("MAUVE_CHECK");
        origin::set_tracing(number("MAUVE_BACKTRACE") > 0);
        if level > 1 {
            // SAFETY: the function only looks at the registry, and writes to stderr. Without it
            // there is no list at the end, and that is all.
            unsafe { libc::atexit(loops::list_at_exit) };
        }
        ON.store(level > 0, Ordering::Relaxed);
    });
}

/// The number that a variable is set to; anything but a number is one.
fn number(variable: &str) -> u32 {
    match std::env::var(variable) {
        Ok(text) if text.is_empty() => 0,
        Ok(text) => text.parse().unwrap_or(1),
        Err(_) => 0,
    }
}

/// A callback is about to be run: what it is for must still be what it was.
#[cold]
pub(crate) fn before(completion: &Completion) {
    let address = completion.token().0;
    match completion {
        Completion::Close(_) => handles::about_to_end(address),
        Completion::Connect { .. }
        | Completion::Write { .. }
        | Completion::Shutdown { .. }
        | Completion::Sent { .. }
        | Completion::Read { .. }
        | Completion::Work { .. } => requests::about_to_end(address),
        _ => handles::about_to_call(address),
    }
}

/// Where the caller of the function that is being misused is, if that is to be told.
pub(crate) fn trace_of_misuse() -> Option<String> {
    on().then(|| origin::trace("it was called")).flatten()
}
