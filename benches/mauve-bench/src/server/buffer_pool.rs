//! A pool of read buffers.

use std::cell::{Cell, RefCell};
use std::ops::{Deref, DerefMut};

use super::BUFFER;

thread_local! {
    /// The buffer that was dropped last, if it was not taken again. Most often one is enough.
    static LAST: Cell<Option<Box<[u8]>>> = const { Cell::new(None) };
    /// The other unused buffers.
    static FREE: RefCell<Vec<Box<[u8]>>> = const { RefCell::new(Vec::new()) };
}

/// A buffer of [`BUFFER`] bytes from a free list, as in the C programs. Without the list, zeroing a
/// new buffer per connection would dominate the measurement.
pub struct Buffer(Box<[u8]>);

impl Buffer {
    /// Takes a buffer from the free list, or allocates one.
    #[must_use]
    #[inline]
    pub fn take() -> Self {
        Self(LAST.take().unwrap_or_else(another))
    }
}

#[cold]
fn another() -> Box<[u8]> {
    FREE.with_borrow_mut(Vec::pop).unwrap_or_else(|| vec![0; BUFFER].into())
}

impl Drop for Buffer {
    #[inline]
    fn drop(&mut self) {
        let buffer = std::mem::take(&mut self.0);
        // The thread-locals are gone at thread exit.
        if let Ok(Some(before)) = LAST.try_with(|last| last.replace(Some(buffer))) {
            let _ = FREE.try_with(|free| free.borrow_mut().push(before));
        }
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_buffer_is_reused() {
        let mut first = Buffer::take();
        first[0] = 7;
        assert_eq!(Buffer::take()[0], 0);
        drop(first);
        assert_eq!(Buffer::take()[0], 7);
    }
}
