//! Reuses the allocation of finished pool work.
//!
//! Consecutive requests of a program are mostly of one type. Such a request takes the box of the
//! previous one instead of allocating.

use std::any::Any;

use mauve_core::pool::Work;

/// Caches one boxed piece of work, of any type.
#[derive(Default)]
pub(crate) struct BoxCache(Option<Box<dyn Work>>);

/// Larger work is not cached.
const MAX_BYTES: usize = 512;

/// Slots from this index on cache nothing. This bounds the memory that stays allocated after a
/// burst of, say, a million requests.
const MAX_SLOTS: usize = 1024;

impl BoxCache {
    /// Takes the box if it has type `W`, and drops it otherwise.
    #[inline]
    pub fn take<W: Work>(&mut self) -> Option<Box<W>> {
        let any: Box<dyn Any> = self.0.take()?;
        any.downcast().ok()
    }

    /// Stores the box of finished work. It may be dropped at any time, so it must not contain
    /// values of the user any more.
    #[inline]
    pub fn store(&mut self, slot: usize, work: Box<dyn Work>) {
        if slot < MAX_SLOTS && size_of_val(&*work) <= MAX_BYTES {
            self.0 = Some(work);
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
        cache.store(0, work);
        let again = cache.take::<Sized<100>>().unwrap();
        assert_eq!((address(&*again), again.0), (first, [7; 100]));
        assert!(cache.take::<Sized<100>>().is_none());
    }

    #[test]
    fn work_of_another_type_does_not_reuse_the_box() {
        let mut cache = BoxCache::default();
        cache.store(0, Box::new(Sized([0; 100])));
        assert!(cache.take::<Sized<101>>().is_none());
        assert!(cache.0.is_none());
    }

    #[test]
    fn large_work_and_high_slots_are_not_cached() {
        let mut cache = BoxCache::default();
        cache.store(0, Box::new(Sized([0; MAX_BYTES + 1])));
        cache.store(MAX_SLOTS, Box::new(Sized([0; 1])));
        assert!(cache.0.is_none());
        cache.store(MAX_SLOTS - 1, Box::new(Sized([0; MAX_BYTES])));
        assert!(cache.0.is_some());
    }
}
