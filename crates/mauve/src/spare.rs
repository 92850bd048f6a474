//! Memory of work that is over, for the next.
//!
//! Most of the work that follows another is of the same kind: then it needs no memory of its own.

use std::any::Any;

use mauve_core::pool::Work;

/// A place for the memory of one piece of work.
#[derive(Default)]
pub(crate) struct Spare(Option<Box<dyn Work>>);

/// What is larger is not kept.
const MOST_BYTES: usize = 512;

/// Slots behind the first so many keep nothing: somebody who once had a million requests in flight
/// shall not pay for it for ever.
const MOST_SLOTS: usize = 1024;

impl Spare {
    /// The memory, if it is of this kind. Otherwise it is gone with this: what comes next will leave
    /// its own.
    #[inline]
    pub fn take<W: Work>(&mut self) -> Option<Box<W>> {
        let any: Box<dyn Any> = self.0.take()?;
        any.downcast().ok()
    }

    /// Keeps the memory of work that is over. It is dropped anywhere, so nothing of the user's may
    /// be left in it.
    #[inline]
    pub fn keep(&mut self, slot: usize, work: Box<dyn Work>) {
        if slot < MOST_SLOTS && size_of_val(&*work) <= MOST_BYTES {
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
    fn the_next_of_the_same_kind_has_the_memory() {
        let mut spare = Spare::default();
        assert!(spare.take::<Sized<100>>().is_none());
        let work = Box::new(Sized([7; 100]));
        let place = address(&*work);
        spare.keep(0, work);
        let again = spare.take::<Sized<100>>().unwrap();
        assert_eq!((address(&*again), again.0), (place, [7; 100]));
        assert!(spare.take::<Sized<100>>().is_none());
    }

    #[test]
    fn another_kind_has_not() {
        let mut spare = Spare::default();
        spare.keep(0, Box::new(Sized([0; 100])));
        assert!(spare.take::<Sized<101>>().is_none());
        assert!(spare.0.is_none());
    }

    #[test]
    fn little_is_kept() {
        let mut spare = Spare::default();
        spare.keep(0, Box::new(Sized([0; MOST_BYTES + 1])));
        spare.keep(MOST_SLOTS, Box::new(Sized([0; 1])));
        assert!(spare.0.is_none());
        spare.keep(MOST_SLOTS - 1, Box::new(Sized([0; MOST_BYTES])));
        assert!(spare.0.is_some());
    }
}
