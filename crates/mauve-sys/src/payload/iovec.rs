//! Slices with the layout of `iovec`.

use std::io::IoSlice;

use super::Part;

/// A slice of all bytes.
#[inline(always)]
pub(super) fn slice_of(bytes: &[u8]) -> IoSlice<'_> {
    IoSlice::new(bytes)
}

/// The memory of a slice.
#[inline(always)]
pub(super) fn part_of(slice: &IoSlice<'_>) -> Part {
    // SAFETY: on Unix an `IoSlice` is guaranteed to have the layout of `iovec`, which `Part` has, too. A
    // `Part` may hold any pointer.
    unsafe { *std::ptr::from_ref(slice).cast::<Part>() }
}
