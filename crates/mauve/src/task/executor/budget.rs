//! The budget of a poll: the number of operations that a task may complete before it has to yield.

use std::cell::Cell;
use std::task::{Context, Poll};

use super::{Executor, increment};
use crate::trace;

/// Number of operations that a task may complete in one poll, as in tokio. A task whose sockets are
/// always ready then yields to the loop.
const BUDGET: i64 = 128;

/// More than can be completed outside of polls.
const UNLIMITED: i64 = i64::MAX;

/// A transfer of this many bytes counts as a further operation. One that fills a buffer of 64 KiB counts
/// as one operation, as in tokio: to yield more often costs a stream of them 3 %.
const TRANSFER: usize = 128 << 10;

/// Operations that the current poll may still complete. The last one may have cost more than was left.
pub(super) struct Budget(Cell<i64>);

impl Default for Budget {
    fn default() -> Self {
        Self(Cell::new(UNLIMITED))
    }
}

impl Budget {
    /// Begins a poll.
    #[inline]
    pub fn begin(&self) {
        self.0.set(BUDGET);
    }

    /// Ends a poll.
    #[inline]
    pub fn end(&self) {
        self.0.set(UNLIMITED);
    }

    #[inline]
    fn spend(&self, cost: i64) {
        self.0.set(self.0.get() - cost);
    }
}

impl Executor {
    /// Returns `Pending` if the current poll has spent its budget: the task has to yield, and is polled
    /// again in the next iteration. An operation calls this first, and
    /// [`spend_budget`](Self::spend_budget) when it completes.
    #[inline]
    pub fn poll_budget(&self, context: &Context<'_>) -> Poll<()> {
        if self.budget.0.get() > 0 { Poll::Ready(()) } else { self.yield_now(context) }
    }

    #[cold]
    fn yield_now(&self, context: &Context<'_>) -> Poll<()> {
        increment(&self.counters.forced_yields);
        trace::budget_used();
        context.waker().wake_by_ref();
        Poll::Pending
    }

    /// Counts an operation that has completed.
    #[inline]
    pub fn spend_budget(&self) {
        self.budget.spend(1);
    }

    /// Counts an operation that has transferred `bytes`. Large ones take longer, so they count more.
    #[inline]
    pub fn spend_budget_for(&self, bytes: usize) {
        self.budget.spend(transfer_cost(bytes));
    }
}

/// The part of the budget that a transfer of `bytes` costs.
#[inline]
fn transfer_cost(bytes: usize) -> i64 {
    (bytes / TRANSFER) as i64 + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_transfer_spends_the_budget_of_a_poll_but_not_of_code_outside() {
        assert_eq!([0, TRANSFER - 1, TRANSFER].map(transfer_cost), [1, 1, 2]);
        let largest = isize::MAX as usize;
        let budget = Budget::default();
        budget.spend(transfer_cost(largest));
        assert!(budget.0.get() > 0);
        budget.begin();
        budget.spend(transfer_cost(largest));
        budget.spend(transfer_cost(largest));
        assert!(budget.0.get() <= 0);
        budget.end();
        assert!(budget.0.get() > 0);
    }
}
