//! SplitMix64, a random number generator with the same numbers for a seed on every machine.

/// A random number generator.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed);
        // Consecutive seeds would produce similar states, so the first output is the state.
        random.0 = random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`, which is above 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True with a probability of `percent`.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// One of the items, in proportion to their weights.
    pub fn pick_weighted<'a, T>(&mut self, items: &'a [T], weight: impl Fn(&T) -> usize) -> &'a T {
        let mut at = self.below(items.iter().map(&weight).sum());
        let is_chosen = |item: &&T| match at.checked_sub(weight(item)) {
            Some(rest) => {
                at = rest;
                false
            }
            None => true,
        };
        items.iter().find(is_chosen).expect("the weights add up to the total")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_depend_on_the_seed_only() {
        let numbers = |seed| {
            let mut random = Random::new(seed);
            (0..8).map(|_| random.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(numbers(1), numbers(1));
        assert_ne!(numbers(1), numbers(2));
    }
}
