//! The buffers and the position of a read or a write.

cfg_if::cfg_if! {
    if #[cfg(windows)] {
        mod wsabuf;
        use wsabuf::Memory;
    } else {
        mod iovec;
        use iovec::Memory;
    }
}

/// A buffer to read into or to write from, without a lifetime: the memory of a C program, for
/// example. It has the layout of `uv_buf_t`: that of `iovec`, on Windows that of `WSABUF`.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct IoVec(Memory);

// SAFETY: the caller of `new` promises that nothing else accesses the memory meanwhile.
unsafe impl Send for IoVec {}

impl IoVec {
    /// A buffer in memory of the caller. On Windows it has at most 4 GiB.
    ///
    /// # Safety
    /// The memory must stay valid until the last operation on the buffer has ended. Nothing else may
    /// write to it meanwhile, nor read it while an operation reads into it.
    pub const unsafe fn new(base: *mut u8, length: usize) -> Self {
        Self(Memory::new(base, length))
    }

    /// The memory of a slice.
    ///
    /// # Safety
    /// The buffer must not be used after the slice's borrow ends.
    pub(crate) unsafe fn from_slice(buffer: &mut [u8]) -> Self {
        // SAFETY: the caller promises to use it only during the exclusive borrow.
        unsafe { Self::new(buffer.as_mut_ptr(), buffer.len()) }
    }

    /// The length in bytes.
    pub(crate) fn len(&self) -> usize {
        self.0.length()
    }

    /// The start of the memory.
    pub(crate) fn base(&self) -> *mut u8 {
        self.0.base()
    }

    /// Whether start and length are multiples of `alignment`.
    #[allow(dead_code)] // Only some platforms use it.
    pub(crate) fn is_aligned_to(&self, alignment: usize) -> bool {
        (self.base().addr() | self.len()).is_multiple_of(alignment)
    }

    /// Shortens the buffer to at most `max` bytes.
    pub fn limit(&mut self, max: usize) {
        self.0 = Memory::new(self.0.base(), self.len().min(max));
    }

    fn skip(&mut self, bytes: usize) {
        self.0 = Memory::new(self.0.base().wrapping_add(bytes), self.len() - bytes);
    }
}

/// The total length of the buffers.
#[allow(dead_code)] // Only some platforms use it.
pub(crate) fn total_len(iovecs: &[IoVec]) -> usize {
    iovecs.iter().fold(0, |total: usize, iovec| total.saturating_add(iovec.len()))
}

/// Skips the first `bytes` of the buffers. Returns the remaining ones.
pub fn advance(mut iovecs: &mut [IoVec], mut bytes: usize) -> &mut [IoVec] {
    while let Some(first) = iovecs.first_mut() {
        if first.len() > bytes {
            first.skip(bytes);
            break;
        }
        bytes -= first.len();
        iovecs = &mut iovecs[1..];
    }
    iovecs
}

/// The position in a file to read or write at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// The file offset of the descriptor, which advances.
    Current,
    /// This offset. The file offset of the descriptor does not change.
    At(u64),
}

impl Position {
    /// Converts libuv's representation: a negative number means the current position.
    pub fn from_raw(offset: i64) -> Self {
        u64::try_from(offset).map_or(Self::Current, Self::At)
    }

    /// The position after `bytes` were read or written.
    pub fn advanced_by(self, bytes: usize) -> Self {
        match self {
            Self::Current => Self::Current,
            Self::At(offset) => Self::At(offset + bytes as u64),
        }
    }

    /// Whether the offset exceeds `i64`. The kernel would interpret it as a negative number.
    pub(crate) fn exceeds_file_range(self) -> bool {
        matches!(self, Self::At(offset) if i64::try_from(offset).is_err())
    }

    /// The kernel's representation: -1 means the current position.
    #[allow(dead_code)] // Only some platforms use it.
    pub(crate) fn raw(self) -> i64 {
        match self {
            Self::Current => -1,
            Self::At(offset) => offset as i64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advance_shortens_the_first_buffer_and_skips_empty_ones() {
        let mut bytes = [0u8; 10];
        let base = bytes.as_mut_ptr();
        // SAFETY: the buffers are disjoint parts of an array that lives until the end of the test.
        let mut iovecs = unsafe {
            [IoVec::new(base, 4), IoVec::new(base.add(4), 0), IoVec::new(base.add(4), 6)]
        };
        assert_eq!(total_len(&iovecs), 10);
        let rest = advance(&mut iovecs, 3);
        assert_eq!((rest.len(), rest[0].len(), total_len(rest)), (3, 1, 7));
        let rest = advance(rest, 1);
        assert_eq!((rest.len(), total_len(rest)), (1, 6));
        assert!(advance(rest, 6).is_empty());
    }
}
