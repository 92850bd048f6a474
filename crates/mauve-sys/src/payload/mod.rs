//! Bytes to be written, with the progress of the write and the ownership of the memory.

use std::io::IoSlice;
use std::mem::MaybeUninit;

cfg_if::cfg_if! {
    if #[cfg(windows)] {
        mod wsabuf;
        use wsabuf as system;
    } else {
        mod iovec;
        use iovec as system;
    }
}

/// How many foreign parts are stored without an allocation. libuv stores as many inline.
const INLINE: usize = 4;

/// Bytes to be written, and how many of them are written already.
///
/// The bytes are owned by the payload, or by a caller that has promised not to change or free them
/// until the payload is dropped.
pub struct Payload {
    parts: Parts,
    /// Parts that are completely written.
    written_parts: usize,
    /// Bytes of the next part that are written.
    offset: usize,
    remaining: usize,
}

enum Parts {
    /// Foreign memory in a few parts: the array and its length.
    Inline([Part; INLINE], u8),
    /// Foreign memory in more parts.
    Boxed(Box<[Part]>),
    /// Memory of the payload.
    Owned(Vec<u8>),
}

/// A part of foreign memory.
#[derive(Clone, Copy)]
#[repr(C)]
struct Part {
    base: *const u8,
    len: usize,
}

/// How many bytes one write may have (`MAX_RW_COUNT` of Linux).
pub const MAX_BYTES: usize = 0x7fff_f000;

/// How many slices one system call accepts (`IOV_MAX`).
pub const MAX_SLICES: usize = 1024;

impl Payload {
    /// A payload without bytes.
    pub const EMPTY: Self = Self {
        parts: Parts::Inline([Part { base: std::ptr::null(), len: 0 }; INLINE], 0),
        written_parts: 0,
        offset: 0,
        remaining: 0,
    };

    /// A payload that owns its bytes. A vector is moved, not copied.
    pub fn owned(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self { remaining: bytes.len(), parts: Parts::Owned(bytes), written_parts: 0, offset: 0 }
    }

    /// A payload that refers to memory of the caller. The list of slices is copied.
    ///
    /// # Safety
    /// The memory of the slices must stay valid and unchanged until the payload is dropped.
    pub unsafe fn foreign(slices: &[IoSlice<'_>]) -> Self {
        let remaining = total_len(slices);
        let parts = if slices.len() <= INLINE {
            let mut inline = [Part { base: std::ptr::null(), len: 0 }; INLINE];
            for (part, slice) in inline.iter_mut().zip(slices) {
                *part = Part::of(slice);
            }
            Parts::Inline(inline, slices.len() as u8)
        } else {
            Parts::Boxed(slices.iter().map(Part::of).collect())
        };
        Self { parts, written_parts: 0, offset: 0, remaining }
    }

    /// Makes the payload [`EMPTY`](Self::EMPTY), in place.
    #[inline]
    pub fn clear(&mut self) {
        match &mut self.parts {
            Parts::Inline(_, count) => {
                *count = 0;
                (self.written_parts, self.offset, self.remaining) = (0, 0, 0);
            }
            Parts::Boxed(_) | Parts::Owned(_) => *self = Self::EMPTY,
        }
    }

    /// The number of bytes that are not written yet.
    pub fn len(&self) -> usize {
        self.remaining
    }

    /// Whether all bytes are written.
    pub fn is_empty(&self) -> bool {
        self.remaining == 0
    }

    /// Appends the remaining bytes to `slices` for a gathering write. Returns whether all fitted.
    pub fn gather<'a, const N: usize>(&'a self, slices: &mut Slices<'a, N>) -> bool {
        if let Parts::Owned(bytes) = &self.parts {
            return slices.push(&bytes[bytes.len() - self.remaining..]);
        }
        let mut offset = self.offset;
        for part in &self.foreign_parts()[self.written_parts..] {
            // SAFETY: the caller of `foreign` has promised that the memory is valid. `offset` lies
            // within the first part, and is zero for the others.
            let rest = unsafe { std::slice::from_raw_parts(part.at(offset), part.len - offset) };
            if !slices.push(rest) {
                return false;
            }
            offset = 0;
        }
        true
    }

    /// Records that one write has taken the next `count` bytes. Empty parts that follow them are
    /// complete, too.
    pub fn advance(&mut self, count: usize) {
        self.remaining -= count;
        let mut offset = self.offset + count;
        if matches!(self.parts, Parts::Owned(_)) {
            return;
        }
        let mut written = self.written_parts;
        for part in &self.foreign_parts()[written..] {
            if offset < part.len {
                break;
            }
            offset -= part.len;
            written += 1;
        }
        (self.written_parts, self.offset) = (written, offset);
    }

    /// How many slices [`gather`](Self::gather) needs for the remaining bytes.
    pub fn remaining_slices(&self) -> usize {
        match self.parts {
            Parts::Owned(_) => 1,
            _ => self.foreign_parts().len() - self.written_parts,
        }
    }

    fn foreign_parts(&self) -> &[Part] {
        match &self.parts {
            Parts::Inline(parts, count) => &parts[..usize::from(*count)],
            Parts::Boxed(parts) => parts,
            Parts::Owned(_) => &[],
        }
    }
}

/// The number of bytes in all slices. Unlike `IoSlice::len` it accepts an empty buffer of C: a null
/// pointer with length zero.
#[inline]
pub fn total_len(slices: &[IoSlice<'_>]) -> usize {
    slices.iter().map(|slice| Part::of(slice).len).sum()
}

/// The bytes of a list with one slice, which may be an empty buffer of C.
pub(crate) fn single<'a>(slices: &'a [IoSlice<'_>]) -> &'a [u8] {
    match slices {
        [one] if Part::of(one).len > 0 => one,
        _ => &[],
    }
}

impl Part {
    fn of(slice: &IoSlice<'_>) -> Self {
        system::part_of(slice)
    }

    fn at(self, offset: usize) -> *const u8 {
        if self.len == 0 {
            // An empty part may have any pointer, even null.
            return std::ptr::NonNull::dangling().as_ptr();
        }
        self.base.wrapping_add(offset)
    }
}

/// A fixed-capacity list of slices for one vectored write. Unused slots stay uninitialised.
pub struct Slices<'a, const N: usize> {
    /// The first `count` are initialised.
    slices: [MaybeUninit<IoSlice<'a>>; N],
    count: usize,
}

impl<'a, const N: usize> Slices<'a, N> {
    /// An empty list.
    pub fn new() -> Self {
        Self { slices: [MaybeUninit::uninit(); N], count: 0 }
    }

    fn push(&mut self, bytes: &'a [u8]) -> bool {
        if self.count == N {
            return false;
        }
        let slice = system::slice_of(bytes);
        self.slices[self.count].write(slice);
        self.count += 1;
        slice.len() == bytes.len()
    }

    /// The slices that were pushed.
    pub fn as_slices(&self) -> &[IoSlice<'a>] {
        // SAFETY: `push` has initialised the first `count`.
        unsafe { std::slice::from_raw_parts(self.slices.as_ptr().cast(), self.count) }
    }
}

impl<const N: usize> Default for Slices<'_, N> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remaining(payload: &Payload) -> Vec<u8> {
        let mut slices = Slices::<8>::new();
        assert!(payload.gather(&mut slices));
        slices.as_slices().iter().flat_map(|slice| slice.to_vec()).collect()
    }

    #[test]
    fn written_bytes_are_not_gathered_again() {
        let parts: Vec<&[u8]> = vec![b"ab", b"", b"cde", b"f", b"", b"gh"];
        for count in [3, parts.len()] {
            let slices: Vec<_> = parts[..count].iter().map(|part| IoSlice::new(part)).collect();
            let whole: Vec<u8> = parts[..count].concat();
            for first in 0..=whole.len() {
                // SAFETY: `parts` outlives the payload and is not changed.
                let mut payload = unsafe { Payload::foreign(&slices) };
                payload.advance(first);
                assert_eq!(
                    (payload.len(), remaining(&payload)),
                    (whole.len() - first, whole[first..].to_vec())
                );
            }
        }
        let mut payload = Payload::owned(*b"abc");
        payload.advance(2);
        assert_eq!(remaining(&payload), b"c");
    }

    #[test]
    fn empty_parts_end_with_the_bytes_before_them() {
        let left = |parts: &[&'static [u8]], count: usize| {
            let slices: Vec<_> = parts.iter().map(|part| IoSlice::new(part)).collect();
            // SAFETY: the bytes are static.
            let mut payload = unsafe { Payload::foreign(&slices) };
            payload.advance(count);
            (payload.len(), payload.remaining_slices())
        };
        assert_eq!(left(&[b"ab"], 1), (1, 1));
        assert_eq!(left(&[b"ab", b"", b"c"], 2), (1, 1));
        assert_eq!(left(&[b"ab", b"", b"", b"", b""], 2), (0, 0));
        assert_eq!(left(&[b"", b"", b"ab", b""], 0), (2, 2));
        assert_eq!(left(&[b"", b""], 0), (0, 0));
    }

    #[test]
    fn a_cleared_payload_is_empty() {
        let slices = [IoSlice::new(b"ab"), IoSlice::new(b"cd")];
        // SAFETY: the bytes are static.
        let mut inline = unsafe { Payload::foreign(&slices) };
        inline.advance(3);
        // SAFETY: the bytes are static.
        let boxed = unsafe { Payload::foreign(&[slices[0]; INLINE + 1]) };
        for mut payload in [inline, boxed, Payload::owned(*b"abc")] {
            payload.clear();
            assert_eq!((payload.len(), remaining(&payload)), (0, vec![]));
        }
    }
}
