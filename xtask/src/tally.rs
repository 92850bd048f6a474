//! What a step of `cargo xtask test` has done: how many checks passed, and how many were skipped.

/// The result of a step that has not failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub passed: usize,
    pub skipped: Vec<Skipped>,
}

/// Checks that were not run, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    pub count: usize,
    pub why: String,
}

impl Tally {
    /// All checks were run, and this many passed.
    pub fn passed(count: usize) -> Self {
        Self { passed: count, skipped: Vec::new() }
    }

    /// Nothing was run. Prints the reason.
    pub fn skipped(why: impl Into<String>) -> Self {
        let mut tally = Self::default();
        tally.skip(1, why);
        println!("{tally}");
        tally
    }

    /// Reads what [`Display`](std::fmt::Display) writes.
    pub fn parse(text: &str) -> Option<Self> {
        let (passed, rest) = text.split_once(" passed, 0 failed")?;
        let mut tally = Self::passed(passed.parse().ok()?);
        if let Some((count, why)) = rest.strip_prefix(", ").and_then(|r| r.split_once(" skipped: "))
        {
            tally.skip(count.parse().ok()?, why);
        }
        Some(tally)
    }

    /// Adds checks that were not run.
    pub fn skip(&mut self, count: usize, why: impl Into<String>) {
        self.skipped.push(Skipped { count, why: why.into() });
    }

    pub fn skipped_count(&self) -> usize {
        self.skipped.iter().map(|skipped| skipped.count).sum()
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.skipped.extend(other.skipped);
    }
}

/// `7 passed, 0 failed, 2 skipped: the reasons`.
impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} passed, 0 failed", self.passed)?;
        if self.skipped.is_empty() {
            return Ok(());
        }
        let reasons: Vec<&str> = self.skipped.iter().map(|skipped| &*skipped.why).collect();
        write!(f, ", {} skipped: {}", self.skipped_count(), reasons.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_checks_are_counted_with_their_reasons() {
        let mut tally = Tally::passed(3);
        assert_eq!(tally.to_string(), "3 passed, 0 failed");
        tally.skip(2, "no valgrind");
        let mut other = Tally::passed(1);
        other.skip(1, "no network");
        tally += other;
        assert_eq!(tally.to_string(), "4 passed, 0 failed, 3 skipped: no valgrind; no network");
        let read = Tally::parse(&tally.to_string()).expect("a tally");
        assert_eq!((read.passed, read.skipped_count()), (4, 3));
        assert_eq!(Tally::parse("4 passed, 1 failed"), None);
    }
}
