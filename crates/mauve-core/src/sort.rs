//! Sorting by a number, for lists that are rarely long.
//!
//! The sorts of the standard library are 4 to 18 kB of code for each type of items. This one sorts numbers, and
//! then moves the items, so all types share it.

/// Sorts items by a number. Equal ones keep their order.
pub(crate) fn sort_by_number<T>(items: &mut [T], number: impl FnMut(&T) -> u64) {
    if items.len() < 2 {
        return;
    }
    // The number of an item, and its position: the first one goes to where `order` has it first.
    let mut order: Vec<(u64, usize)> = items.iter().map(number).zip(0..).collect();
    order.sort_unstable();
    for first in 0..items.len() {
        // Moves the items of one cycle, by swaps, and marks their positions as done.
        let mut position = first;
        loop {
            let from = std::mem::replace(&mut order[position].1, position);
            if from == first {
                break;
            }
            items.swap(position, from);
            position = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_sorts_as_the_stable_sort_of_the_standard_library(
            numbers in prop::collection::vec(0..20_u64, 0..60)
        ) {
            let mut items: Vec<(u64, usize)> = numbers.into_iter().zip(0..).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|(number, _)| *number);
            sort_by_number(&mut items, |(number, _)| *number);
            prop_assert_eq!(items, expected);
        }
    }
}
