//! Operations that do not block, performed on the loop's thread.
//!
//! The loop performs one only if a thread of the pool would start it at once. Its result is ready in
//! the loop's next poll phase, so that a task cannot keep the loop to itself.

use std::rc::Rc;

use crate::core::Core;
use crate::task::Request;

/// Performs something that returns `None` if it would block. `None` also if it is not its turn.
pub(super) async fn attempt<T>(core: Rc<Core>, operation: impl FnOnce() -> Option<T>) -> Option<T> {
    let mut result = None;
    let perform = || {
        result = operation();
        result.is_some()
    };
    Request::attempt(core, perform)?.await;
    result
}
