//! kqueue on NetBSD.

pub use libc::*;
use rustix::fs::OFlags;

/// The type of the flags of an event.
pub type Flags = u32;

/// The filter for out-of-band data, and its flags.
pub const OUT_OF_BAND: Option<(i64, u32)> = None;

/// `close` deletes the filters of a descriptor, even if it has duplicates.
pub const CLOSE_DELETES_FILTERS: bool = true;

/// The flags to open a file with that is only watched.
pub const WATCH_FLAGS: OFlags = OFlags::RDONLY;
