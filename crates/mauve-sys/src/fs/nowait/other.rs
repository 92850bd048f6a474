//! Non-blocking file operations on systems that cannot attempt them: every operation would block.

use std::ffi::CStr;

use crate::Result;
use crate::descriptor::{Descriptor, RawDescriptor};
use crate::fs::nowait::Attempt;
use crate::fs::read_write::{IoVec, Position};
use crate::fs::stat::Stat;

/// Reads what is in the page cache: nothing.
pub fn read(_: RawDescriptor, _: &[IoVec], _: Position) -> Attempt {
    Attempt::WouldBlock(0)
}

/// [`read`] into a slice.
pub fn read_slice(_: RawDescriptor, _: &mut [u8], _: Position) -> Attempt {
    Attempt::WouldBlock(0)
}

pub(crate) fn read_cached(_: RawDescriptor, _: &[IoVec], _: Position) -> Attempt {
    Attempt::WouldBlock(0)
}

/// Whether the file bypasses the page cache. It does not matter, because reads are not attempted.
pub fn is_direct(_: RawDescriptor) -> bool {
    false
}

pub(crate) fn may_be_direct(_: &[IoVec], _: Position) -> bool {
    false
}

pub(crate) fn classify_read(
    _: RawDescriptor,
    _: Position,
    _: usize,
    read: Result<usize>,
) -> Attempt {
    Attempt::Done(read)
}

/// Writes to the page cache: nothing.
pub fn write(_: RawDescriptor, _: &[IoVec], _: Position) -> Attempt {
    Attempt::WouldBlock(0)
}

/// The status of an open file, if its file system does not block, which is unknown.
pub fn fstat(_: RawDescriptor) -> Option<Stat> {
    None
}

/// The status of the file at `path`, if the whole path is cached, which is unknown.
pub fn stat(_: &CStr) -> Option<Stat> {
    None
}

/// [`stat`] that does not follow a symbolic link.
pub fn lstat(_: &CStr) -> Option<Stat> {
    None
}

/// Opens the file at `path`, if neither that nor `fstat` blocks, which is unknown.
pub fn open_path(_: &CStr) -> Option<Descriptor> {
    None
}

/// [`open_path`] that does not follow a symbolic link.
pub fn open_link(_: &CStr) -> Option<Descriptor> {
    None
}

/// Whether an open file is on a local file system, which is unknown.
pub fn is_local(_: RawDescriptor) -> bool {
    false
}
