//! Slices with the layout of `WSABUF`.

use std::io::IoSlice;

use windows_sys::Win32::Networking::WinSock::WSABUF;

use super::Part;

/// A slice of the bytes, or of as many as one may have.
#[inline(always)]
pub(super) fn slice_of(bytes: &[u8]) -> IoSlice<'_> {
    IoSlice::new(&bytes[..bytes.len().min(u32::MAX as usize)])
}

/// The memory of a slice.
#[inline(always)]
pub(super) fn part_of(slice: &IoSlice<'_>) -> Part {
    // SAFETY: on Windows an `IoSlice` is guaranteed to have the layout of `WSABUF`. Its pointer may be null.
    let buffer = unsafe { &*std::ptr::from_ref(slice).cast::<WSABUF>() };
    Part { base: buffer.buf, len: buffer.len as usize }
}
