//! Growth of arrays that live as long as the loop.
//!
//! The capacity of a small array is multiplied by four. It is copied, and leaves its old memory as a gap in the
//! heap: all gaps together are a third as large as the array, while they were as large as the array if the
//! capacity doubled. What the array does not use yet is not touched.
//!
//! The capacity of a large array doubles. Beyond 128 KiB common allocators give an array pages of its own.
//! Untouched pages take no memory, growth moves the pages instead of copying them (`mremap`), and dropping the
//! array returns them. Allocators move pages only for alignments up to 16 bytes, so the items of a
//! table with millions of entries must not need more.

/// The size in bytes below which an array is small.
const SMALL: usize = 1 << 20;

/// Makes room for `more` items.
#[inline]
pub(crate) fn make_room<T>(array: &mut Vec<T>, more: usize) {
    if array.capacity() - array.len() < more {
        grow(array, more);
    }
}

#[cold]
fn grow<T>(array: &mut Vec<T>, more: usize) {
    const { assert!(size_of::<T>() != 0) };
    let factor = if size_of_val(array.as_slice()) < SMALL { 4 } else { 2 };
    let capacity = (array.len() + more).max(array.capacity() * factor).max(4);
    array.reserve_exact(capacity - array.len());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The successive capacities of an array.
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
    fn the_capacity_of_a_small_array_is_multiplied_by_four_and_that_of_a_large_one_by_two() {
        assert_eq!(capacities([0_u64; 8], 65), [4, 16, 64, 256]);
        assert_eq!(capacities([0_u8; 4096], 257), [4, 16, 64, 256, 512]);
        assert_eq!(capacities(0_u64, 1000).last(), Some(&1024));
    }

    #[test]
    fn a_large_request_allocates_its_exact_size() {
        let mut array: Vec<u64> = Vec::new();
        make_room(&mut array, 100_000);
        assert_eq!(array.capacity(), 100_000);
        make_room(&mut array, 100_000);
        assert_eq!(array.capacity(), 100_000);
    }
}
