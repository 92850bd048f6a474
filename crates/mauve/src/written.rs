//! When a stream was written to.

/// The turn of the loop in which a stream was written to last, and whether that was more than once.
#[derive(Clone, Copy)]
pub(crate) struct Written(u32);

impl Written {
    pub const NEVER: Self = Self(0);

    const AGAIN: u32 = 1 << 31;

    /// Notes a write in `turn`. Returns whether it should wait for others: it is not the first of
    /// its turn, or the last time there were several.
    pub fn note(&mut self, turn: u32) -> bool {
        let turn = turn & !Self::AGAIN;
        let again = self.0 & !Self::AGAIN == turn;
        let many = self.0 & Self::AGAIN != 0;
        self.0 = if again { turn | Self::AGAIN } else { turn };
        again || many
    }
}

impl Default for Written {
    fn default() -> Self {
        Self::NEVER
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_waits_for_others_if_there_were_several_in_this_turn_or_the_last_one() {
        let mut written = Written::default();
        assert_eq!([1, 2, 3].map(|turn| written.note(turn)), [false, false, false]);
        assert_eq!([4, 4, 4].map(|turn| written.note(turn)), [false, true, true]);
        assert_eq!([5, 5].map(|turn| written.note(turn)), [true, true]);
        assert_eq!([6, 7].map(|turn| written.note(turn)), [true, false]);
    }
}
