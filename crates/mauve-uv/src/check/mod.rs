//! `MAUVE_CHECK=1`: detects misuse, and reports where the handle was created.
//!
//! Without this mode the library is as tolerant as libuv. It then only reads one variable,
//! [`is_enabled`], where a handle or a loop is passed and before a callback runs. With it, all
//! loops, handles and requests are recorded in a [`registry`], and these rules are checked:
//!
//! * [`handles`]: a handle must be initialised, not closed, not initialised twice, and its memory
//!   not modified before its close callback;
//! * [`requests`]: a request must not be reused before its callback;
//! * [`loops`]: a loop must be initialised and not closed, used by one thread at a time while it
//!   runs, and have no handles or requests when it is closed;
//! * [`arguments`]: callbacks and buffers must not be null.
//!
//! A violation prints one line to stderr and aborts. `MAUVE_BACKTRACE=1` adds backtraces of the
//! creation, of the close and of the misuse. `MAUVE_CHECK=2` also prints the handles that are open
//! at exit, which is not misuse.
//!
//! The environment is read when the first loop is initialised.

pub(crate) mod arguments;
mod closing;
pub(crate) mod handles;
pub(crate) mod loops;
mod origin;
mod registry;
pub(crate) mod requests;
pub(crate) mod threads;

use std::sync::atomic::{AtomicBool, Ordering};

use mauve_core::{Completion, WorkCompletion};
use mauve_sys::fork::Once;

pub(crate) use closing::starts_operation;

static ENABLED: AtomicBool = AtomicBool::new(false);

/// Whether the mode is on.
#[inline(always)]
pub(crate) fn is_enabled() -> bool {
    ENABLED.load(Ordering::Relaxed)
}

/// Reads the environment, the first time.
pub(crate) fn configure() {
    static CONFIGURED: Once = Once::new();
    CONFIGURED.call_once(|| {
        let level = number("MAUVE_CHECK");
        origin::enable_backtraces(number("MAUVE_BACKTRACE") > 0);
        if level > 1 {
            mauve_sys::os::process::at_exit(loops::print_open_at_exit);
        }
        ENABLED.store(level > 0, Ordering::Relaxed);
    });
}

/// The value of an environment variable as a number; any other text counts as 1.
fn number(variable: &str) -> u32 {
    match std::env::var(variable) {
        Ok(text) if text.is_empty() => 0,
        Ok(text) => text.parse().unwrap_or(1),
        Err(_) => 0,
    }
}

/// A callback is about to run: checks that its handle or request is intact.
#[cold]
pub(crate) fn before_callback(completion: &Completion) {
    let address = completion.token().0;
    match completion {
        Completion::Close(_) => handles::before_close_callback(address),
        Completion::Connect { .. }
        | Completion::Write { .. }
        | Completion::Shutdown { .. }
        | Completion::Sent { .. } => requests::before_callback(address),
        _ => handles::before_callback(address),
    }
}

/// As [`before_callback`], for what the pool has finished.
#[cold]
pub(crate) fn before_work_callback(completion: &WorkCompletion) {
    let address = completion.token().0;
    match completion {
        WorkCompletion::FsPoll { .. } => handles::before_callback(address),
        WorkCompletion::Read { .. } | WorkCompletion::Work { .. } => {
            requests::before_callback(address);
        }
    }
}

/// The backtrace of the call that is misused, if backtraces are enabled.
pub(crate) fn misuse_backtrace() -> Option<String> {
    is_enabled().then(|| origin::trace("it was called")).flatten()
}
