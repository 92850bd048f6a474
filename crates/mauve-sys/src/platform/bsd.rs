//! What the BSDs have in common.

use rustix::fs::OFlags;

#[path = "../net/create_with_flags.rs"]
pub mod create;
#[path = "../net/received_flags.rs"]
pub mod descriptors;
#[path = "../fs/sync_posix.rs"]
pub mod sync;
#[path = "../fs/mkstemp_flags.rs"]
pub mod temporary;

/// `PTHREAD_CANCEL_DISABLE`, which the crate libc does not declare.
pub const CANCEL_DISABLE: libc::c_int = 1;

/// The flags to open a file with that is only watched.
pub const WATCH_FLAGS: OFlags = OFlags::RDONLY;
