//! Systems without a futex. The loop waits in its selector instead, which the waker ends.

use std::sync::atomic::AtomicU32;
use std::time::Duration;

/// Whether a loop may park.
pub const AVAILABLE: bool = false;

/// Not called, because a loop does not park.
pub fn wait(_: &AtomicU32, _expected: u32, _: Option<Duration>) {}

/// There is no thread to wake, because a loop does not park.
pub fn wake(_: &AtomicU32) {}
