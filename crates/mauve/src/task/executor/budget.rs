//! The budget of a poll: the number of operations that a task may complete before it has to yield.

use std::cell::Cell;
use std::task::{Context, Poll};

use super::{Executor, increment};
use crate::trace;

/// Number of operations that a task may complete in one poll, as in tokio. A task whose sockets are
/// always ready then yields to the loop.
const BUDGET: u8 = 128;

/// A transfer of this many bytes counts as a further operation.
const TRANSFER: usize = 16 << 10;

/// Operations that the current poll may still complete. `None` outside of a poll.
#[derive(Default)]
pub(super) struct Budget(Cell<Option<u8>>);

impl Budget {
    /// Begins a poll.
    #[inline]
    pub fn begin(&self) {
        self.0.set(Some(BUDGET));
    }

    /// Ends a poll.
    #[inline]
    pub fn end(&self) {
        self.0.set(None);
    }

    #[inline]
    fn spend(&self, cost: u8) {
        self.0.set(self.0.get().map(|left| left.saturating_sub(cost)));
    }
}

impl Executor {
    /// Returns `Pending` if the current poll has spent its budget: the task has to yield, and is
    /// polled again in the next iteration. An operation calls this first, and [`spend_budget`](Self::spend_budget) when it
    /// completes.
    #[inline]
    pub fn poll_budget(&self, context: &Context<'_>) -> Poll<()> {
        if self.budget.0.get() == Some(0) {
            increment(&self.counters.forced_yields);
            trace::budget_used();
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(())
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
fn transfer_cost(bytes: usize) -> u8 {
    u8::try_from(bytes / TRANSFER).unwrap_or(u8::MAX).saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cost_of_a_transfer_does_not_overflow() {
        assert_eq!([0, TRANSFER - 1, TRANSFER].map(transfer_cost), [1, 1, 2]);
        let large = [254 * TRANSFER, 255 * TRANSFER, 256 * TRANSFER, usize::MAX];
        assert_eq!(large.map(transfer_cost), [u8::MAX; 4]);
    }
}
