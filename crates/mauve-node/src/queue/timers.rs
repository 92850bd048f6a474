//! Timer lists, one per duration. One timer of the loop serves all of them.
//!
//! Timers of the same duration expire in the order of their starts, so a list needs no sorting. The
//! lists are sorted by the due time of their first timer, then by the sequence number of that queue
//! entry. This is Node's order, which differs from that of the loop's timers: timers that are due
//! at the same time run list by list.

use std::collections::{BTreeMap, HashMap};

use super::timer_slab::{ListEnds, TimerEntry, TimerSlab};

pub use super::timer_slab::TimerKey;

/// Timers, grouped by their duration in milliseconds.
#[derive(Debug)]
pub struct Timers<T> {
    slab: TimerSlab<T>,
    lists: HashMap<u64, TimerList>,
    /// The durations of all lists, by due time and sequence number.
    queue: BTreeMap<(u64, u64), u64>,
    next_sequence: u64,
    referenced: usize,
    /// The duration of the list whose timers are running, and the time at which that run started.
    running: Option<(u64, u64)>,
}

/// The timers of one duration, in the order of their starts.
#[derive(Debug)]
struct TimerList {
    ends: Option<ListEnds>,
    due: u64,
    sequence: u64,
}

/// A timer that is due. After its callback has run, the host calls [`Timers::finish`].
#[derive(Debug)]
pub struct DueTimer<T> {
    /// The key of the timer.
    pub key: TimerKey,
    /// The callback of the timer.
    pub callback: T,
}

/// When the loop's timer has to fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The due time.
    pub due: u64,
    /// Whether it keeps the loop running.
    pub referenced: bool,
}

impl<T> Default for Timers<T> {
    fn default() -> Self {
        Self {
            slab: TimerSlab::default(),
            lists: HashMap::new(),
            queue: BTreeMap::new(),
            next_sequence: 0,
            referenced: 0,
            running: None,
        }
    }
}

impl<T: Clone> Timers<T> {
    /// Starts a timer that fires once, or every `duration` milliseconds.
    pub fn start(&mut self, callback: T, duration: u64, repeats: bool, now: u64) -> TimerKey {
        let key = self.slab.insert(TimerEntry {
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

    /// Restarts a timer. Returns false if it no longer exists.
    pub fn refresh(&mut self, key: TimerKey, now: u64) -> bool {
        if !self.contains(key) {
            return false;
        }
        self.unlink(key);
        self.append(key, now);
        true
    }

    /// Stops a timer. Returns `None` if it no longer exists.
    pub fn stop(&mut self, key: TimerKey) -> Option<T> {
        let duration = self.slab.get_mut(key)?.duration;
        self.unlink(key);
        self.remove_if_empty(duration);
        self.remove(key)
    }

    /// Sets whether a timer keeps the loop running.
    pub fn set_referenced(&mut self, key: TimerKey, referenced: bool) {
        if let Some(entry) = self.slab.get_mut(key) {
            self.referenced -= usize::from(entry.referenced);
            entry.referenced = referenced;
            self.referenced += usize::from(referenced);
        }
    }

    /// Whether a timer exists. This includes a timer whose callback is running.
    pub fn contains(&self, key: TimerKey) -> bool {
        self.slab.get(key).is_some()
    }

    /// The number of timers that keep the loop running.
    pub fn referenced(&self) -> usize {
        self.referenced
    }

    /// The number of timers.
    pub fn len(&self) -> usize {
        self.slab.len()
    }

    /// Whether there are no timers.
    pub fn is_empty(&self) -> bool {
        self.slab.len() == 0
    }

    /// When the loop's timer has to fire.
    pub fn schedule(&self) -> Option<Schedule> {
        let (&(due, _), _) = self.queue.first_key_value()?;
        Some(Schedule { due, referenced: self.referenced > 0 })
    }

    /// Returns the next timer that is due at `now`. Before it returns `None`, it updates `now` from
    /// `clock`, so that timers which became due while callbacks ran are not delayed.
    pub fn next_due(
        &mut self,
        now: &mut u64,
        mut clock: impl FnMut() -> u64,
    ) -> Option<DueTimer<T>> {
        loop {
            let (duration, run_start) = match self.running {
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
            if let Some(key) = self.first_due(duration, run_start) {
                self.unlink(key);
                let callback = self.slab.get(key)?.callback.clone();
                return Some(DueTimer { key, callback });
            }
            self.running = None;
            self.remove_if_empty(duration);
        }
    }

    /// Completes a timer whose callback has run. A repeating timer starts again at `start`. Other
    /// timers are removed, unless the callback has restarted them.
    pub fn finish(&mut self, key: TimerKey, start: u64) -> Option<T> {
        let entry = self.slab.get(key)?;
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

    /// Returns the first timer of a list if it is due. Otherwise reinserts the list into the queue,
    /// at the next millisecond or later, so that one run cannot continue forever.
    fn first_due(&mut self, duration: u64, run_start: u64) -> Option<TimerKey> {
        let list = self.lists.get_mut(&duration)?;
        let key = list.ends?.first;
        let due = self.slab.get(key)?.start + duration;
        if due <= run_start {
            return Some(key);
        }
        self.queue.remove(&(list.due, list.sequence));
        (list.due, list.sequence) = (due.max(run_start + 1), self.next_sequence);
        self.next_sequence += 1;
        self.queue.insert((list.due, list.sequence), duration);
        None
    }

    /// Appends a timer to the list of its duration.
    fn append(&mut self, key: TimerKey, start: u64) {
        let Some(entry) = self.slab.get_mut(key) else { return };
        entry.start = start;
        let duration = entry.duration;
        let list = self.lists.entry(duration).or_insert_with(|| {
            let list =
                TimerList { ends: None, due: start + duration, sequence: self.next_sequence };
            self.next_sequence += 1;
            self.queue.insert((list.due, list.sequence), duration);
            list
        });
        self.slab.link(&mut list.ends, key);
    }

    /// Removes a timer from its list. An empty list stays in the queue until it is due, because the
    /// timer may be appended again.
    fn unlink(&mut self, key: TimerKey) {
        let Some(entry) = self.slab.get(key) else { return };
        if let Some(list) = self.lists.get_mut(&entry.duration) {
            self.slab.unlink(&mut list.ends, key);
        }
    }

    fn remove(&mut self, key: TimerKey) -> Option<T> {
        let entry = self.slab.remove(key)?;
        self.referenced -= usize::from(entry.referenced);
        Some(entry.callback)
    }

    fn remove_if_empty(&mut self, duration: u64) {
        if self.lists.get(&duration).is_some_and(|list| list.ends.is_none()) {
            let list = self.lists.remove(&duration).expect("just seen");
            self.queue.remove(&(list.due, list.sequence));
        }
    }
}
