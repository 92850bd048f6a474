//! What a trace says: distributions, the slowest callbacks, blocked loops.

use std::collections::BTreeMap;

use hdrhistogram::Histogram;

use crate::model::{Callback, CallbackKind, Iteration, LoopIndex, Trace};

/// A loop is blocked if an iteration runs for this many nanoseconds without waiting.
pub const BLOCKED: u64 = 10_000_000;

/// Quantiles of durations in nanoseconds, with three digits.
#[derive(Clone, Debug)]
pub struct Durations {
    histogram: Histogram<u64>,
    sum: u64,
}

impl Default for Durations {
    fn default() -> Self {
        Self { histogram: Histogram::new(3).expect("three digits are supported"), sum: 0 }
    }
}

impl Durations {
    /// Adds a duration.
    pub fn add(&mut self, ns: u64) {
        self.sum += ns;
        // The histogram grows as needed, for every number below 2^63.
        self.histogram.record(ns.min(i64::MAX as u64)).expect("a histogram that grows");
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.histogram.len()
    }

    /// Their sum.
    pub fn sum(&self) -> u64 {
        self.sum
    }

    /// The duration that this share of all does not exceed.
    pub fn quantile(&self, share: f64) -> u64 {
        self.histogram.value_at_quantile(share).min(self.max())
    }

    /// The longest.
    pub fn max(&self) -> u64 {
        if self.count() == 0 { 0 } else { self.histogram.max() }
    }
}

impl FromIterator<u64> for Durations {
    fn from_iter<I: IntoIterator<Item = u64>>(durations: I) -> Self {
        let mut all = Self::default();
        durations.into_iter().for_each(|ns| all.add(ns));
        all
    }
}

impl Iteration {
    /// The part of it that the loop did not wait.
    pub fn busy(&self) -> u64 {
        (self.end - self.begin).saturating_sub(self.waited)
    }
}

/// An iteration that blocked its loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blocked<'a> {
    /// The iteration.
    pub iteration: &'a Iteration,
    /// The slowest callback in it.
    pub callback: Option<&'a Callback>,
}

impl Trace {
    /// The durations of callbacks by kind. Nested callbacks count as well.
    pub fn callbacks_by_kind(&self) -> BTreeMap<CallbackKind, Durations> {
        let mut kinds = BTreeMap::<CallbackKind, Durations>::new();
        for callback in &self.callbacks {
            kinds.entry(callback.kind).or_default().add(callback.duration());
        }
        kinds
    }

    /// The `limit` slowest callbacks, the slowest first. A callback with another one inside that takes
    /// most of its time is left out: the inner one says more.
    pub fn slowest(&self, limit: usize) -> Vec<&Callback> {
        let mut callbacks: Vec<&Callback> = self.callbacks.iter().collect();
        callbacks.sort_by_key(|callback| (std::cmp::Reverse(callback.duration()), callback.begin));
        let is_mostly_inner = |callback: &&Callback| {
            let inner = self.slowest_inside(callback);
            inner.is_some_and(|inner| inner.duration() * 2 >= callback.duration())
        };
        callbacks.into_iter().filter(|callback| !is_mostly_inner(callback)).take(limit).collect()
    }

    /// The iterations that blocked their loop for at least `ns`, the longest first.
    pub fn blocked(&self, ns: u64) -> Vec<Blocked<'_>> {
        let mut blocked: Vec<Blocked<'_>> = self
            .iterations
            .iter()
            .filter(|iteration| iteration.busy() >= ns)
            .map(|iteration| Blocked { iteration, callback: self.slowest_in(iteration) })
            .collect();
        blocked.sort_by_key(|blocked| std::cmp::Reverse(blocked.iteration.busy()));
        blocked
    }

    fn slowest_in(&self, iteration: &Iteration) -> Option<&Callback> {
        let first = self.callbacks.partition_point(|callback| callback.begin < iteration.begin);
        let within = self.callbacks[first..].iter();
        let mut slowest = within
            .take_while(|callback| callback.begin < iteration.end)
            .filter(|callback| callback.lp == iteration.lp && callback.depth == 0)
            .max_by_key(|callback| callback.duration())?;
        // A task or a function of JavaScript that takes most of the time says more than the callback
        // that it runs in.
        while let Some(inner) = self.slowest_inside(slowest) {
            if inner.duration() * 2 < slowest.duration() {
                break;
            }
            slowest = inner;
        }
        Some(slowest)
    }

    fn slowest_inside(&self, outer: &Callback) -> Option<&Callback> {
        let first = self.callbacks.partition_point(|callback| callback.begin < outer.begin);
        let within = self.callbacks[first..].iter();
        within
            .take_while(|callback| callback.begin < outer.end)
            .filter(|callback| callback.thread == outer.thread)
            .filter(|callback| callback.depth == outer.depth.saturating_add(1))
            .max_by_key(|callback| callback.duration())
    }

    /// The utilisation of a loop in steps of `step` nanoseconds: the begin and the share of each.
    pub fn utilisation_steps(&self, lp: LoopIndex, step: u64) -> Vec<(u64, f64)> {
        let (begin, end) = (self.loops[lp].begin, self.loops[lp].end);
        let count = (end.saturating_sub(begin)).div_ceil(step) as usize;
        let mut waited = vec![0; count];
        for wait in self.waits.iter().filter(|wait| wait.lp == lp) {
            let mut from = wait.begin.max(begin);
            let to = wait.end.min(end);
            while from < to {
                let index = (from - begin) / step;
                let until = (begin + (index + 1) * step).min(to);
                waited[index as usize] += until - from;
                from = until;
            }
        }
        let steps = waited.into_iter().enumerate().map(|(index, waited)| {
            let from = begin + index as u64 * step;
            let length = (end - from).min(step);
            (from, 1.0 - waited as f64 / length as f64)
        });
        steps.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Loop, Wait};
    use crate::synthetic;

    #[test]
    fn utilisation_is_counted_in_steps() {
        let mut trace = Trace { end: 25, ..Trace::default() };
        trace.loops.push(Loop { end: 25, ..Loop::default() });
        let wait = |begin, end| Wait { lp: 0, begin, end, timeout: None, events: 0 };
        trace.waits = vec![wait(0, 5), wait(8, 12), wait(20, 25)];
        let steps = trace.utilisation_steps(0, 10);
        assert_eq!(steps, [(0, 1.0 - 0.7), (10, 0.8), (20, 0.0)]);
    }

    #[test]
    fn blocked_iterations_name_their_slowest_callback() {
        let trace = synthetic::trace(20_000);
        let blocked = trace.blocked(BLOCKED);
        assert!(!blocked.is_empty());
        for Blocked { iteration, callback } in &blocked {
            let callback = callback.expect("a callback");
            assert!(callback.duration() >= 9_000_000, "{callback:?}");
            assert!(callback.begin >= iteration.begin && callback.end <= iteration.end);
        }
        assert!(blocked.is_sorted_by_key(|blocked| std::cmp::Reverse(blocked.iteration.busy())));
    }

    #[test]
    fn quantiles_have_three_digits() {
        let durations: Durations = (1..=1000).collect();
        assert_eq!([durations.quantile(0.5), durations.quantile(0.99)], [500, 990]);
        assert_eq!((durations.max(), durations.count(), durations.sum()), (1000, 1000, 500_500));
        assert_eq!(Durations::default().quantile(0.99), 0);
    }

    #[test]
    fn the_slowest_callbacks_come_first() {
        let trace = synthetic::trace(2_000);
        let slowest = trace.slowest(10);
        assert_eq!(slowest.len(), 10);
        let most = trace.callbacks.iter().map(Callback::duration).max().unwrap();
        assert!(slowest[0].duration() * 2 >= most);
        assert!(slowest.is_sorted_by_key(|callback| std::cmp::Reverse(callback.duration())));
    }
}
