//! A reference to a static value that any thread may replace and read.

use std::sync::atomic::{AtomicPtr, Ordering};

/// An `Option<&'static T>` with atomic access.
#[derive(Debug)]
pub struct AtomicStatic<T: 'static>(AtomicPtr<T>);

impl<T: Sync> AtomicStatic<T> {
    /// A cell without a reference.
    pub const fn new() -> Self {
        Self(AtomicPtr::new(std::ptr::null_mut()))
    }

    /// Replaces the reference.
    #[inline]
    pub fn store(&self, value: Option<&'static T>) {
        let pointer =
            value.map_or(std::ptr::null_mut(), |value| std::ptr::from_ref(value).cast_mut());
        self.0.store(pointer, Ordering::Release);
    }

    /// The reference that was stored last.
    pub fn load(&self) -> Option<&'static T> {
        // SAFETY: null, or stored from a `'static` shared reference, through which nothing is
        // written. `T` is `Sync`, so another thread may have it.
        unsafe { self.0.load(Ordering::Acquire).as_ref() }
    }
}

impl<T: Sync> Default for AtomicStatic<T> {
    fn default() -> Self {
        Self::new()
    }
}
