//! The order in which notified handles are called.
//!
//! libuv has a list of its async handles, and looks at all of them in each round. A new handle is
//! appended to the list. But a round moves the list's handles to another list, and puts each back before
//! its callback. So a handle that is made in a callback of a round comes behind the handles that
//! the round has looked at, and before all others. The pool's notification is the first handle of the
//! list, so handles that are made in a callback of a request come directly behind it.
//!
//! Each handle has a place, a number that gives this order. A place between two others is made by
//! dividing their distance. When there is none left, all handles get new places.

use mauve_sys::driver::Driver;

use super::{Async, Round};
use crate::Engine;

/// The distance between the places of two handles of which the second was appended to the list.
const DISTANCE: u64 = 1 << 40;

/// The part of the distance to the next handle at which a handle is inserted. Handles that one callback
/// makes follow each other, so most of the distance remains for those after it.
const PART: u64 = 16;

/// The place of the pool's notification, the first of all.
pub(super) const OF_POOL: u64 = 1;

impl<D: Driver> Engine<D> {
    /// The place of a new handle.
    pub(super) fn place_of_new(&mut self) -> u64 {
        let in_work_callback = self.pool.finished.callback == self.run.callbacks;
        if self.wakeups.in_round || in_work_callback {
            self.place_behind()
        } else {
            self.last_place()
        }
    }

    /// A place behind all handles.
    fn last_place(&mut self) -> u64 {
        if self.wakeups.last_place > u64::MAX - DISTANCE {
            self.renew_places();
        }
        self.wakeups.last_place += DISTANCE;
        self.wakeups.last_place
    }

    /// A place directly behind those that the round has looked at or that its callbacks have made.
    #[cold]
    fn place_behind(&mut self) -> u64 {
        let mut room = self.room_behind();
        if room.is_some_and(|room| room < 2) {
            self.renew_places();
            room = self.room_behind();
        }
        let Some(room) = room else {
            let place = self.last_place();
            self.wakeups.round.behind = place;
            return place;
        };
        self.wakeups.round.behind += (room / PART).max(1);
        self.wakeups.round.behind
    }

    /// The distance from the handle behind which a new one is inserted to the next handle.
    fn room_behind(&mut self) -> Option<u64> {
        let round = &mut self.wakeups.round;
        let next = match round.next {
            Some(next) => next,
            None => {
                let places = self.table.asyncs.iter().map(|(_, entry)| entry.body.place);
                let next = places.filter(|place| *place > round.behind).min();
                // The callback may make more handles.
                *round.next.insert(next.unwrap_or(u64::MAX))
            }
        };
        (next != u64::MAX).then(|| next - round.behind)
    }

    /// Gives all handles new places, in the same order.
    #[cold]
    fn renew_places(&mut self) {
        let Self { table, wakeups, run, .. } = self;
        let mut old: Vec<u64> = table.asyncs.iter().map(|(_, entry)| entry.body.place).collect();
        old.sort_unstable();
        // The place of a handle that is gone becomes that of the one before it.
        let renewed = |place: u64| match old.partition_point(|other| *other <= place) {
            0 => 0,
            1 => OF_POOL,
            count => (count as u64 - 1) * DISTANCE,
        };
        for index in 0..table.asyncs.len() {
            let Async { place, .. } = &mut table.asyncs[index].body;
            *place = renewed(*place);
        }
        wakeups.last_place = renewed(u64::MAX);
        wakeups.round.renew_places(renewed);
        for suspended in &mut run.suspended {
            suspended.wakeups.1.renew_places(renewed);
        }
    }
}

impl Round {
    fn renew_places(&mut self, renewed: impl Fn(u64) -> u64) {
        let due = std::mem::take(&mut self.due).into_iter();
        self.due = due
            .map(|std::cmp::Reverse((place, index))| std::cmp::Reverse((renewed(place), index)))
            .collect();
        self.last = renewed(self.last);
        self.behind = renewed(self.behind);
        self.next = None;
    }
}
