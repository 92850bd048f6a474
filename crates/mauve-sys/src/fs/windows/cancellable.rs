//! Cancellation of threads, which Windows does not have.

/// Runs `action`: a thread cannot be cancelled.
pub fn with_cancellation_disabled<R>(action: impl FnOnce() -> R) -> R {
    action()
}
