//! Timers by duration: as many lists as there are durations, one timer of the loop for all.
//!
//! Timers of one duration come due in the order in which they were started, so a list needs no
//! sorting; what is sorted is the lists, by the due time of their first timer, and equal ones by
//! the age of that entry. That is Node's order, and it is not that of the loop's own timers: two
//! timers that come due at one time run list by list.

use std::collections::{BTreeMap, HashMap};

use super::slots::{Ends, Entry, TimerSlots};

pub use super::slots::TimerKey;

/// Timers, grouped by their duration in milliseconds.
#[derive(Debug)]
pub struct Timers<T> {
    slots: TimerSlots<T>,
    lists: HashMap<u64, List>,
    /// The durations of all lists, by due time and age.
    queue: BTreeMap<(u64, u64), u64>,
    next_age: u64,
    referenced: usize,
    /// The list whose timers are running now, and the time at which it began.
    running: Option<(u64, u64)>,
}

/// The timers of one duration, in the order of their starts.
#[derive(Debug)]
struct List {
    ends: Option<Ends>,
    due: u64,
    age: u64,
}

/// A timer that is due. Its callback runs now; then [`Timers::finish`] is to be told.
#[derive(Debug)]
pub struct Due<T> {
    /// Which.
    pub key: TimerKey,
    /// What it runs.
    pub callback: T,
}

/// When the loop's timer is to fire next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// At what time.
    pub due: u64,
    /// Whether the loop waits for it.
    pub referenced: bool,
}

impl<T> Default for Timers<T> {
    fn default() -> Self {
        Self {
            slots: TimerSlots::default(),
            lists: HashMap::new(),
            queue: BTreeMap::new(),
            next_age: 0,
            referenced: 0,
            running: None,
        }
    }
}

impl<T: Clone> Timers<T> {
    /// Starts a timer that fires once, or again and again, `duration` milliseconds apart.
    pub fn start(&mut self, callback: T, duration: u64, repeats: bool, now: u64) -> TimerKey {
        let key = self.slots.insert(Entry {
            callback,
            duration,
            start: now,
            repeats,
            referenced: true,
            link: None,
        });
        self.referenced += 1;
        self.append(key, now);
        key
    }

    /// Starts a timer anew, with what is left of it forgotten. False if it is gone.
    pub fn refresh(&mut self, key: TimerKey, now: u64) -> bool {
        if !self.contains(key) {
            return false;
        }
        self.unlink(key);
        self.append(key, now);
        true
    }

    /// Stops a timer; `None` if it is gone.
    pub fn stop(&mut self, key: TimerKey) -> Option<T> {
        let duration = self.slots.get_mut(key)?.duration;
        self.unlink(key);
        self.remove_if_empty(duration);
        self.remove(key)
    }

    /// Whether the loop waits for this timer.
    pub fn set_referenced(&mut self, key: TimerKey, referenced: bool) {
        if let Some(entry) = self.slots.get_mut(key) {
            self.referenced -= usize::from(entry.referenced);
            entry.referenced = referenced;
            self.referenced += usize::from(referenced);
        }
    }

    /// Whether a timer is there, be it that its callback runs now.
    pub fn contains(&self, key: TimerKey) -> bool {
        self.slots.get(key).is_some()
    }

    /// How many timers the loop waits for.
    pub fn referenced(&self) -> usize {
        self.referenced
    }

    /// How many timers there are.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.slots.len() == 0
    }

    /// When the loop's timer has to fire.
    pub fn schedule(&self) -> Option<Schedule> {
        let (&(due, _), _) = self.queue.first_key_value()?;
        Some(Schedule { due, referenced: self.referenced > 0 })
    }

    /// The next timer that is due. `now` is the time at which this turn began, and `clock` tells
    /// the time anew: it is asked before the turn ends, so that what came due meanwhile is not
    /// put off.
    pub fn next_due(&mut self, now: &mut u64, mut clock: impl FnMut() -> u64) -> Option<Due<T>> {
        loop {
            let (duration, began) = match self.running {
                Some(running) => running,
                None => {
                    let (&(due, _), &duration) = self.queue.first_key_value()?;
                    if due > *now {
                        *now = clock();
                        if due > *now {
                            return None;
                        }
                    }
                    *self.running.insert((duration, *now))
                }
            };
            if let Some(key) = self.first_due(duration, began) {
                self.unlink(key);
                let callback = self.slots.get(key)?.callback.clone();
                return Some(Due { key, callback });
            }
            self.running = None;
            self.remove_if_empty(duration);
        }
    }

    /// Ends the turn of a timer whose callback has run: one that repeats starts again from
    /// `start`, others are gone, unless the callback started or stopped the timer itself.
    pub fn finish(&mut self, key: TimerKey, start: u64) -> Option<T> {
        let entry = self.slots.get(key)?;
        match (entry.repeats, entry.link) {
            (true, _) => {
                self.unlink(key);
                self.append(key, start);
                None
            }
            (false, Some(_)) => None,
            (false, None) => self.remove(key),
        }
    }

    /// The first timer of a list, if it is due. Otherwise the list takes its new place in the
    /// queue: not before the next millisecond, lest one turn go on for ever.
    fn first_due(&mut self, duration: u64, began: u64) -> Option<TimerKey> {
        let list = self.lists.get_mut(&duration)?;
        let key = list.ends?.first;
        let due = self.slots.get(key)?.start + duration;
        if due <= began {
            return Some(key);
        }
        self.queue.remove(&(list.due, list.age));
        (list.due, list.age) = (due.max(began + 1), self.next_age);
        self.next_age += 1;
        self.queue.insert((list.due, list.age), duration);
        None
    }

    /// Puts a timer at the end of the list of its duration.
    fn append(&mut self, key: TimerKey, start: u64) {
        let Some(entry) = self.slots.get_mut(key) else { return };
        entry.start = start;
        let duration = entry.duration;
        let list = self.lists.entry(duration).or_insert_with(|| {
            let list = List { ends: None, due: start + duration, age: self.next_age };
            self.next_age += 1;
            self.queue.insert((list.due, list.age), duration);
            list
        });
        self.slots.link(&mut list.ends, key);
    }

    /// Takes a timer out of its list. The list stays, even if it is empty now: the timer may come
    /// back to it, and a list keeps its place in the queue until its time has come.
    fn unlink(&mut self, key: TimerKey) {
        let Some(entry) = self.slots.get(key) else { return };
        if let Some(list) = self.lists.get_mut(&entry.duration) {
            self.slots.unlink(&mut list.ends, key);
        }
    }

    fn remove(&mut self, key: TimerKey) -> Option<T> {
        let entry = self.slots.remove(key)?;
        self.referenced -= usize::from(entry.referenced);
        Some(entry.callback)
    }

    fn remove_if_empty(&mut self, duration: u64) {
        if self.lists.get(&duration).is_some_and(|list| list.ends.is_none()) {
            let list = self.lists.remove(&duration).expect("just seen");
            self.queue.remove(&(list.due, list.age));
        }
    }
}
