//! The order in which notified handles are called.
//!
//! libuv has a list of its async handles, and checks all of them in each batch. A new handle is
//! appended to the list. But a batch moves the list's handles to another list, and puts each back before
//! its callback. So a handle that is created during a batch comes after the handles that the batch has
//! checked, and before all others. The pool's notification is the first handle of the
//! list, so handles that are created in a callback of a request come directly after it.
//!
//! Each handle has a position, a number that gives this order. A position between two others is made by
//! dividing their distance. When there is none left, all handles get new positions.

use super::{Async, AsyncBatch, Wakeups};
use crate::nested::SuspendedRun;
use crate::slab::Slab;
use crate::sort::sort_by_number;

/// The distance between the positions of two handles of which the second was appended to the list.
const DISTANCE: u64 = 1 << 40;

/// The part of the distance to the next handle at which a handle is inserted. Handles that one callback
/// creates follow each other, so most of the distance remains for those after it.
const PART: u64 = 16;

/// The position of the pool's notification, the first of all.
pub(super) const OF_POOL: u64 = 1;

impl Wakeups {
    /// The position of a new handle. `in_work_callback` is whether a callback of a request makes it.
    pub fn position_of_new(
        &mut self,
        asyncs: &mut Slab<Async>,
        suspended: &mut [SuspendedRun],
        in_work_callback: bool,
    ) -> u64 {
        if self.in_batch || in_work_callback {
            self.position_after(asyncs, suspended)
        } else {
            self.last_position(asyncs, suspended)
        }
    }

    /// A position after all handles.
    fn last_position(&mut self, asyncs: &mut Slab<Async>, suspended: &mut [SuspendedRun]) -> u64 {
        if self.last_position > u64::MAX - DISTANCE {
            self.renew_positions(asyncs, suspended);
        }
        self.last_position += DISTANCE;
        self.last_position
    }

    /// A position directly after those that the batch has checked or that its callbacks have created.
    #[cold]
    fn position_after(&mut self, asyncs: &mut Slab<Async>, suspended: &mut [SuspendedRun]) -> u64 {
        let mut room = self.batch.room_after(asyncs);
        if room.is_some_and(|room| room < 2) {
            self.renew_positions(asyncs, suspended);
            room = self.batch.room_after(asyncs);
        }
        let Some(room) = room else {
            let position = self.last_position(asyncs, suspended);
            self.batch.after = position;
            return position;
        };
        self.batch.after += (room / PART).max(1);
        self.batch.after
    }

    /// Gives all handles new positions, in the same order.
    #[cold]
    fn renew_positions(&mut self, asyncs: &mut Slab<Async>, suspended: &mut [SuspendedRun]) {
        let mut old: Vec<u64> = asyncs.iter().map(|(_, entry)| entry.body.position).collect();
        sort_by_number(&mut old, |position| *position);
        // The position of a handle that is gone becomes that of the one before it.
        let renewed = |position: u64| match old.partition_point(|other| *other <= position) {
            0 => 0,
            1 => OF_POOL,
            count => (count as u64 - 1) * DISTANCE,
        };
        for index in 0..asyncs.len() {
            let Async { position, .. } = &mut asyncs[index].body;
            *position = renewed(*position);
        }
        self.last_position = renewed(u64::MAX);
        self.batch.renew_positions(renewed);
        for run in suspended {
            run.async_batch().renew_positions(renewed);
        }
    }
}

impl AsyncBatch {
    /// The distance from the handle after which a new one is inserted to the next handle.
    fn room_after(&mut self, asyncs: &Slab<Async>) -> Option<u64> {
        let next = match self.next {
            Some(next) => next,
            None => {
                let positions = asyncs.iter().map(|(_, entry)| entry.body.position);
                let next = positions.filter(|position| *position > self.after).min();
                // The callback may create more handles.
                *self.next.insert(next.unwrap_or(u64::MAX))
            }
        };
        (next != u64::MAX).then(|| next - self.after)
    }

    fn renew_positions(&mut self, renewed: impl Fn(u64) -> u64) {
        let due = std::mem::take(&mut self.due).into_iter();
        self.due = due
            .map(|std::cmp::Reverse((position, index))| {
                std::cmp::Reverse((renewed(position), index))
            })
            .collect();
        self.last = renewed(self.last);
        self.after = renewed(self.after);
        self.next = None;
    }
}
