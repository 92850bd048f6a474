//! Reuses the allocation of finished pool work.
//!
//! Consecutive requests of a program are mostly of one type. Such a request takes the box of the
//! previous one instead of allocating.

use std::any::Any;

use mauve_core::pool::Work;

/// Caches boxed pieces of work, of any types.
#[derive(Default)]
pub(crate) struct BoxCache(Vec<Box<dyn Work>>);

/// Larger work is not cached.
const MAX_BYTES: usize = 512;

/// The most boxes that are cached. This bounds the memory that stays allocated after a burst of, say, a
/// million requests.
const MAX_BOXES: usize = 1024;

impl BoxCache {
    /// Takes the last box if it has type `W`, and drops it otherwise.
    #[inline]
    pub fn take<W: Work>(&mut self) -> Option<Box<W>> {
        let any: Box<dyn Any> = self.0.pop()?;
        any.downcast().ok()
    }

    /// Stores the box of finished work. It may be dropped at any time, so it must not contain
    /// values of the user any more.
    #[inline]
    pub fn store(&mut self, work: Box<dyn Work>) {
        if self.0.len() < MAX_BOXES && size_of_val(&*work) <= MAX_BYTES {
            self.0.push(work);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sized<const N: usize>([u8; N]);

    impl<const N: usize> Work for Sized<N> {
        fn run(&mut self) {}
    }

    fn address<W>(work: &W) -> usize {
        std::ptr::from_ref(work).addr()
    }

    #[test]
    fn work_of_the_same_type_reuses_the_box() {
        let mut cache = BoxCache::default();
        assert!(cache.take::<Sized<100>>().is_none());
        let work = Box::new(Sized([7; 100]));
        let first = address(&*work);
        cache.store(work);
        let again = cache.take::<Sized<100>>().unwrap();
        assert_eq!((address(&*again), again.0), (first, [7; 100]));
        assert!(cache.take::<Sized<100>>().is_none());
    }

    #[test]
    fn work_of_another_type_does_not_reuse_the_box() {
        let mut cache = BoxCache::default();
        cache.store(Box::new(Sized([0; 100])));
        assert!(cache.take::<Sized<101>>().is_none());
        assert!(cache.0.is_empty());
    }

    #[test]
    fn large_work_and_too_many_boxes_are_not_cached() {
        let mut cache = BoxCache::default();
        cache.store(Box::new(Sized([0; MAX_BYTES + 1])));
        assert!(cache.0.is_empty());
        for _ in 0..=MAX_BOXES {
            cache.store(Box::new(Sized([0; MAX_BYTES])));
        }
        assert_eq!(cache.0.len(), MAX_BOXES);
    }
}
