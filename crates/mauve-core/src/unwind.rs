//! Panics in code of the program: callbacks, futures, jobs and destructors.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The payload of a panic.
pub type Payload = Box<dyn Any + Send>;

/// Calls `action`. Returns the payload if it panics.
#[inline]
pub fn catch<R>(action: impl FnOnce() -> R) -> Result<R, Payload> {
    // The state of the loop is consistent whenever code of the program runs.
    catch_unwind(AssertUnwindSafe(action))
}

/// Calls `action`. Its panic ends nothing else: the panic hook has reported it.
#[inline]
pub fn contain(action: impl FnOnce()) {
    if let Err(payload) = catch(action) {
        discard(payload);
    }
}

/// Drops the payload of a panic, whose destructor may panic again.
fn discard(payload: Payload) {
    if let Err(second) = catch(|| drop(payload)) {
        std::mem::forget(second);
    }
}

/// Calls every action, even if some of them panic. Then the first panic continues.
pub fn run_each<F: FnOnce()>(actions: impl IntoIterator<Item = F>) {
    let mut first = None;
    for action in actions {
        match catch(action) {
            Err(payload) if first.is_none() => first = Some(payload),
            Err(payload) => discard(payload),
            Ok(()) => {}
        }
    }
    match first {
        Some(payload) if std::thread::panicking() => discard(payload),
        Some(payload) => resume_unwind(payload),
        None => {}
    }
}

/// Drops every item, even if some of their destructors panic. Then the first panic continues.
pub fn drop_each<T>(items: impl IntoIterator<Item = T>) {
    run_each(items.into_iter().map(|item| move || drop(item)));
}
