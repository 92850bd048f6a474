//! Systems on which the stack of another thread cannot be captured.

/// The return addresses on the stack of a thread: `None`, because the system does not support it.
pub fn backtrace_of(_tid: u32) -> Option<Vec<u64>> {
    None
}
