//! Growth of arrays that live as long as the loop.
//!
//! A doubling array copies itself and leaves holes in the heap. That is cheap while it is small. A
//! larger one asks for so much at once that the allocator maps pages for it alone: untouched pages
//! take no memory, growing moves the pages instead of copying them (`mremap`), and dropping returns
//! them all. Allocators move pages only for alignments up to 16 bytes, so a table for millions of
//! things must not ask for more.

/// The largest size of a small array, in bytes.
const SMALL: usize = 4 << 10;

/// The smallest capacity of a large one, in bytes: twice the usual threshold for mapping pages.
const LEAP: usize = 256 << 10;

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
    let wanted = (array.len() + more).max(array.capacity() * 2).max(4);
    let large = wanted * size_of::<T>() > SMALL;
    let capacity = if large { wanted.max(LEAP / size_of::<T>()) } else { wanted };
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
    fn an_array_doubles_while_it_is_small_and_then_leaps() {
        assert_eq!(capacities([0_u64; 8], 65), [4, 8, 16, 32, 64, 4096]);
        assert_eq!(capacities([0_u64; 8], 4097)[5..], [4096, 8192]);
        assert_eq!(capacities(0_u64, 513)[7..], [512, 32768]);
    }

    #[test]
    fn a_large_request_is_granted_at_once() {
        let mut array: Vec<u64> = Vec::new();
        make_room(&mut array, 100_000);
        assert_eq!(array.capacity(), 100_000);
        make_room(&mut array, 100_000);
        assert_eq!(array.capacity(), 100_000);
    }
}
