//! Performs operations that do not block on the loop's thread.
//!
//! An operation is performed inline only if a thread of the pool would start it at once. Its result
//! is delivered in the next poll phase, so that a task with many cached operations cannot starve
//! the loop.

use std::rc::Rc;

use crate::core::Core;
use crate::task::Request;

/// Performs an operation that returns `None` if it would block. Returns `None` also if an earlier
/// request waits for a thread of the pool.
pub(super) async fn attempt<T>(core: Rc<Core>, operation: impl FnOnce() -> Option<T>) -> Option<T> {
    let mut result = None;
    let perform = || {
        result = operation();
        result.is_some()
    };
    Request::attempt(core, perform)?.await;
    result
}
