//! Solaris.

#[path = "solarish.rs"]
mod solarish;

pub use solarish::*;

/// `poll` does not report that a peer has shut down its writing side.
pub const POLLRDHUP: i16 = 0;
