//! The changes of a file that `EVFILT_VNODE` reports.

use super::system;

pub const DELETED: u32 = system::NOTE_DELETE;
pub const MOVED: u32 = system::NOTE_RENAME;
pub const WRITTEN: u32 = system::NOTE_WRITE | system::NOTE_EXTEND;
pub const ATTRIBUTES: u32 = system::NOTE_ATTRIB;
pub const ALL: u32 = DELETED | MOVED | WRITTEN | ATTRIBUTES;
