//! Bytes on their way out, and who keeps them alive.

use std::io::IoSlice;
use std::mem::MaybeUninit;

/// How many parts of foreign memory are kept without an allocation: as many as libuv keeps.
const INLINE: usize = 4;

/// Bytes to be written, of which the first so many are gone already.
///
/// The bytes either belong to the payload, or to somebody who has promised to leave them alone
/// until it is dropped.
pub struct Payload {
    parts: Parts,
    /// Parts that are wholly gone.
    gone: usize,
    /// Bytes that are gone of the next part.
    offset: usize,
    left: usize,
}

enum Parts {
    Few([Part; INLINE], u8),
    Many(Box<[Part]>),
    Owned(Box<[u8]>),
}

/// A piece of memory, laid out like `iovec`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Part {
    base: *const u8,
    len: usize,
}

/// How many bytes one operation may have.
pub const MOST_BYTES: usize = 0x7fff_f000;

/// How many slices the system takes in one call.
pub const MOST_SLICES: usize = libc::UIO_MAXIOV as usize;

impl Payload {
    /// No bytes at all.
    pub const NOTHING: Self = Self {
        parts: Parts::Few([Part { base: std::ptr::null(), len: 0 }; INLINE], 0),
        gone: 0,
        offset: 0,
        left: 0,
    };

    /// Bytes that belong to the payload.
    pub fn owned(bytes: impl Into<Box<[u8]>>) -> Self {
        let bytes = bytes.into();
        Self { left: bytes.len(), parts: Parts::Owned(bytes), gone: 0, offset: 0 }
    }

    /// Bytes that belong to somebody else.
    ///
    /// # Safety
    /// The memory behind the slices must stay valid and unchanged until the payload is dropped.
    /// The list of slices itself is copied.
    pub unsafe fn foreign(slices: &[IoSlice<'_>]) -> Self {
        let left = total(slices);
        let parts = if slices.len() <= INLINE {
            let mut few = [Part { base: std::ptr::null(), len: 0 }; INLINE];
            for (few, slice) in few.iter_mut().zip(slices) {
                *few = Part::of(slice);
            }
            Parts::Few(few, slices.len() as u8)
        } else {
            Parts::Many(slices.iter().map(Part::of).collect())
        };
        Self { parts, gone: 0, offset: 0, left }
    }

    /// Makes it [`NOTHING`](Self::NOTHING), in place.
    #[inline]
    pub fn clear(&mut self) {
        match &mut self.parts {
            Parts::Few(_, count) => {
                *count = 0;
                (self.gone, self.offset, self.left) = (0, 0, 0);
            }
            Parts::Many(_) | Parts::Owned(_) => *self = Self::NOTHING,
        }
    }

    /// How many bytes are left.
    pub fn len(&self) -> usize {
        self.left
    }

    /// Whether none are.
    pub fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// Appends what is left to `slices`, as far as there is room. Returns whether it was.
    pub fn gather<'a, const N: usize>(&'a self, slices: &mut Slices<'a, N>) -> bool {
        if let Parts::Owned(bytes) = &self.parts {
            return slices.push(&bytes[bytes.len() - self.left..]);
        }
        let mut offset = self.offset;
        for part in &self.foreign_parts()[self.gone..] {
            // SAFETY: the caller of `foreign` has promised that the memory is there; `offset` is
            // inside the first part, and zero for the others.
            let rest = unsafe { std::slice::from_raw_parts(part.at(offset), part.len - offset) };
            if !slices.push(rest) {
                return false;
            }
            offset = 0;
        }
        true
    }

    /// Notes that one write took the next `count` bytes.
    ///
    /// Parts are finished up to the last of these bytes, and a write of no bytes finishes one empty
    /// part. What follows needs a write of its own, even if it is empty: that write reports a dead
    /// socket.
    pub fn advance(&mut self, count: usize) {
        self.left -= count;
        let mut offset = self.offset + count;
        if matches!(self.parts, Parts::Owned(_)) {
            return;
        }
        let mut gone = self.gone;
        for part in &self.foreign_parts()[gone..] {
            if offset < part.len {
                break;
            }
            offset -= part.len;
            gone += 1;
            if offset == 0 {
                break;
            }
        }
        (self.gone, self.offset) = (gone, offset);
    }

    /// Whether everything was written, the empty parts included.
    pub fn is_written(&self) -> bool {
        self.left == 0 && self.gone == self.foreign_parts().len()
    }

    /// How many slices are needed to [`gather`](Self::gather) what is left.
    pub fn slices_left(&self) -> usize {
        match self.parts {
            Parts::Owned(_) => 1,
            _ => self.foreign_parts().len() - self.gone,
        }
    }

    /// Whether the last part is an empty one that follows others.
    pub fn ends_empty(&self) -> bool {
        matches!(self.foreign_parts(), [_, .., last] if last.len == 0)
    }

    fn foreign_parts(&self) -> &[Part] {
        match &self.parts {
            Parts::Few(parts, count) => &parts[..usize::from(*count)],
            Parts::Many(parts) => parts,
            Parts::Owned(_) => &[],
        }
    }
}

/// How many bytes there are in all slices. Unlike `IoSlice::len` this is fine with what C calls an
/// empty buffer: a null pointer and no bytes.
pub fn total(slices: &[IoSlice<'_>]) -> usize {
    slices.iter().map(|slice| Part::of(slice).len).sum()
}

/// Appends the bytes of all slices to `bytes`.
pub fn copy(slices: &[IoSlice<'_>], bytes: &mut Vec<u8>) {
    for slice in slices.iter().filter(|slice| Part::of(slice).len > 0) {
        bytes.extend_from_slice(slice);
    }
}

/// Whether the last slice is an empty one that follows others. See [`Payload::advance`].
#[inline]
pub fn ends_empty(slices: &[IoSlice<'_>]) -> bool {
    matches!(slices, [_, .., last] if Part::of(last).len == 0)
}

/// The bytes of a list that has one slice, which may be what C calls an empty buffer.
pub(crate) fn only<'a>(slices: &'a [IoSlice<'_>]) -> &'a [u8] {
    match slices {
        [one] if Part::of(one).len > 0 => one,
        _ => &[],
    }
}

impl Part {
    fn of(slice: &IoSlice<'_>) -> Self {
        // SAFETY: on Unix an `IoSlice` is guaranteed to be laid out like `iovec`, and so is a part,
        // which may hold any pointer.
        unsafe { *std::ptr::from_ref(slice).cast::<Self>() }
    }

    fn at(self, offset: usize) -> *const u8 {
        if self.len == 0 {
            // Empty parts may come with any pointer, even null.
            return std::ptr::NonNull::dangling().as_ptr();
        }
        self.base.wrapping_add(offset)
    }
}

/// A short list of slices for one vectored write. Room that is not needed is not touched.
pub struct Slices<'a, const N: usize> {
    /// The first `count` are there.
    slices: [MaybeUninit<IoSlice<'a>>; N],
    count: usize,
}

impl<'a, const N: usize> Slices<'a, N> {
    /// An empty list.
    pub fn new() -> Self {
        Self { slices: [MaybeUninit::uninit(); N], count: 0 }
    }

    /// How many more there is room for.
    pub fn room(&self) -> usize {
        N - self.count
    }

    fn push(&mut self, bytes: &'a [u8]) -> bool {
        if self.count == N {
            return false;
        }
        self.slices[self.count].write(IoSlice::new(bytes));
        self.count += 1;
        true
    }

    /// The slices of the list.
    pub fn as_slices(&self) -> &[IoSlice<'a>] {
        // SAFETY: `push` has written the first `count`.
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

    fn rest(payload: &Payload) -> Vec<u8> {
        let mut slices = Slices::<8>::new();
        assert!(payload.gather(&mut slices));
        slices.as_slices().iter().flat_map(|slice| slice.to_vec()).collect()
    }

    #[test]
    fn what_is_gone_is_not_gathered_again() {
        let parts: Vec<&[u8]> = vec![b"ab", b"", b"cde", b"f", b"", b"gh"];
        for count in [3, parts.len()] {
            let slices: Vec<_> = parts[..count].iter().map(|part| IoSlice::new(part)).collect();
            let whole: Vec<u8> = parts[..count].concat();
            for first in 0..=whole.len() {
                // SAFETY: the parts outlive the payload.
                let mut payload = unsafe { Payload::foreign(&slices) };
                payload.advance(first);
                assert_eq!(
                    (payload.len(), rest(&payload)),
                    (whole.len() - first, whole[first..].to_vec())
                );
            }
        }
        let mut payload = Payload::owned(*b"abc");
        payload.advance(2);
        assert_eq!(rest(&payload), b"c");
    }

    #[test]
    fn an_empty_part_at_the_end_needs_a_write_of_its_own() {
        let progress = |parts: &[&'static [u8]], counts: &[usize]| {
            let slices: Vec<_> = parts.iter().map(|part| IoSlice::new(part)).collect();
            // SAFETY: the bytes are there for ever.
            let mut payload = unsafe { Payload::foreign(&slices) };
            let written = |count: &usize| {
                payload.advance(*count);
                payload.is_written()
            };
            counts.iter().map(written).collect::<Vec<_>>()
        };
        assert_eq!(progress(&[b"ab"], &[1, 1]), [false, true]);
        assert_eq!(progress(&[b"ab", b"", b"c"], &[2, 1]), [false, true]);
        assert_eq!(progress(&[b"ab", b""], &[2, 0]), [false, true]);
        assert_eq!(progress(&[b"ab", b"", b"", b"", b""], &[2, 0, 0, 0, 0]).last(), Some(&true));
        assert_eq!(progress(&[b""], &[0]), [true]);
        assert_eq!(progress(&[b"", b""], &[0, 0]), [false, true]);
    }

    #[test]
    fn what_was_cleared_is_nothing() {
        let slices = [IoSlice::new(b"ab"), IoSlice::new(b"cd")];
        // SAFETY: the bytes are there for ever.
        let mut few = unsafe { Payload::foreign(&slices) };
        few.advance(3);
        // SAFETY: as above.
        let many = unsafe { Payload::foreign(&[slices[0]; INLINE + 1]) };
        for mut payload in [few, many, Payload::owned(*b"abc")] {
            payload.clear();
            assert_eq!((payload.len(), rest(&payload)), (0, vec![]));
        }
    }
}
