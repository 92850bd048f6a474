//! How arrays that live as long as the loop grow.
//!
//! An array that doubles copies itself and leaves its old place behind, each time a larger hole
//! between things that stay. As long as it is small that is nothing to speak of. Once it fills more
//! than a page it takes so much at once that the allocator gets pages from the system for it alone:
//! those that nobody has touched are not there, and when it is outgrown they all go back.

/// What a small array fills at most, in bytes.
const SMALL: usize = 4 << 10;

/// What a large one is given at least, in bytes: twice what common allocators ask the system for.
const LEAP: usize = 256 << 10;

/// Makes room for `more` things.
#[inline]
pub(crate) fn make_room<T>(array: &mut Vec<T>, more: usize) {
    if array.capacity() - array.len() < more {
        grow(array, more);
    }
}

#[cold]
fn grow<T>(array: &mut Vec<T>, more: usize) {
    const { assert!(size_of::<T>() != 0) };
    let wanted = (array.len() + more).max(array.capacity() * 2).max(4);
    let large = wanted * size_of::<T>() > SMALL;
    let capacity = if large { wanted.max(LEAP / size_of::<T>()) } else { wanted };
    array.reserve_exact(capacity - array.len());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The capacities that an array goes through.
    fn capacities<T: Copy>(thing: T, count: usize) -> Vec<usize> {
        let mut array = Vec::new();
        let mut seen = Vec::new();
        for _ in 0..count {
            make_room(&mut array, 1);
            array.push(thing);
            if seen.last() != Some(&array.capacity()) {
                seen.push(array.capacity());
            }
        }
        seen
    }

    #[test]
    fn an_array_doubles_while_it_is_small_and_then_leaps() {
        assert_eq!(capacities([0_u64; 8], 65), [4, 8, 16, 32, 64, 4096]);
        assert_eq!(capacities([0_u64; 8], 4097)[5..], [4096, 8192]);
        assert_eq!(capacities(0_u64, 513)[7..], [512, 32768]);
    }

    #[test]
    fn one_that_needs_much_at_once_gets_it() {
        let mut array: Vec<u64> = Vec::new();
        make_room(&mut array, 100_000);
        assert_eq!(array.capacity(), 100_000);
        make_room(&mut array, 100_000);
        assert_eq!(array.capacity(), 100_000);
    }
}
