//! Memory to read into.

use std::cell::RefCell;
use std::ops::{Deref, DerefMut};

use super::BUFFER;

thread_local! {
    /// Buffers that nobody uses.
    static FREE: RefCell<Vec<Box<[u8]>>> = const { RefCell::new(Vec::new()) };
}

/// [`BUFFER`] bytes out of a list of free ones, as in the C programs: so that what is measured is not
/// how long it takes to fill them with zeros for each connection.
pub struct Buffer(Box<[u8]>);

impl Buffer {
    /// A free one, or a new one.
    #[must_use]
    pub fn take() -> Self {
        let free = FREE.with_borrow_mut(Vec::pop);
        Self(free.unwrap_or_else(|| vec![0; BUFFER].into()))
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // At the end of the thread there is no list any more.
        let _ = FREE.try_with(|free| free.borrow_mut().push(std::mem::take(&mut self.0)));
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
    fn a_buffer_is_used_again() {
        let mut first = Buffer::take();
        first[0] = 7;
        assert_eq!(Buffer::take()[0], 0);
        drop(first);
        assert_eq!(Buffer::take()[0], 7);
    }
}
