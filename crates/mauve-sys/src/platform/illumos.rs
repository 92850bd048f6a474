//! illumos.

#[path = "solarish.rs"]
mod solarish;

pub use solarish::*;

/// The event of `poll` for a peer that has shut down its writing side.
pub const POLLRDHUP: i16 = libc::POLLRDHUP;
