//! Non-blocking file operations.
//!
//! Cached data can be read on the loop's thread without blocking, if the system has a way to attempt
//! that. If an operation would block, or that is unknown, these functions report that. The blocking
//! operation then continues where they stopped.

use crate::Result;

cfg_if::cfg_if! {
    if #[cfg(any(target_os = "linux", target_os = "android"))] {
        mod linux;
        mod preadv2;
        pub use linux::*;
    } else {
        mod other;
        pub use other::*;
    }
}

/// The largest operation that is attempted. Copying more would delay the loop too long.
pub(crate) const MAX_BYTES: usize = 64 << 10;

/// The outcome of a non-blocking attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// The operation is complete, with this result.
    Done(Result<usize>),
    /// The operation would block after this many bytes, possibly none.
    WouldBlock(usize),
}
