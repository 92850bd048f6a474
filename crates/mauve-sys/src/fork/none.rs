//! Systems whose processes cannot fork: there is one generation, and nothing to block.

/// The fork generation, which never changes: zero.
#[inline]
pub fn generation() -> u64 {
    0
}

/// Runs `action`. There are no forks that have to wait.
pub fn with_forks_blocked<R>(action: impl FnOnce() -> R) -> R {
    action()
}
