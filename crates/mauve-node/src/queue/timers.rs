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
    pass: Pass,
}

/// The timers of one duration, in the order of their starts.
#[derive(Debug)]
struct TimerList {
    id: ListId,
    ends: Option<ListEnds>,
    due: u64,
    sequence: u64,
}

/// The identity of a list: its duration, and its first sequence number. A callback may remove a list
/// and create another one of the same duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ListId {
    duration: u64,
    created: u64,
}

/// The state of a pass over the timers that are due. All of it uses the time at which the pass
/// started, so that slow callbacks cannot make it continue forever.
#[derive(Debug, Default)]
struct Pass {
    /// Whether a list has run, so that the ticks are drained before the next one.
    ran_list: bool,
    /// The list that is running, and whether one of its timers has run.
    list: Option<(ListId, bool)>,
    /// The next timer. It was due before the drain, which may still stop it.
    due: Option<TimerKey>,
}

/// What the host does next in a pass.
#[derive(Debug, PartialEq, Eq)]
pub enum TimerStep<T> {
    /// Drain the ticks. This may stop timers that are due.
    Drain,
    /// Run this timer, and then call [`Timers::finish`].
    Run(DueTimer<T>),
    /// The pass is complete.
    Done,
}

/// A timer that is due.
#[derive(Debug, PartialEq, Eq)]
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
            pass: Pass::default(),
        }
    }
}

impl<T: Clone> Timers<T> {
    /// Starts a timer.
    pub fn start(&mut self, callback: T, duration: u64, now: u64) -> TimerKey {
        let key = self.slab.insert(TimerEntry {
            callback,
            duration,
            start: now,
            referenced: true,
            link: None,
        });
        self.referenced += 1;
        self.append(key, now);
        key
    }

    /// Restarts a timer. Returns false if it no longer exists.
    pub fn refresh(&mut self, key: TimerKey, now: u64) -> bool {
        if self.slab.get(key).is_none() {
            return false;
        }
        self.unlink(key);
        self.append(key, now);
        true
    }

    /// Stops a timer. Returns `None` if it no longer exists.
    pub fn stop(&mut self, key: TimerKey) -> Option<T> {
        let entry = self.slab.get(key)?;
        let (duration, referenced) = (entry.duration, entry.referenced);
        self.unlink(key);
        // Node keeps the list of an unreferenced timer in the queue.
        if referenced {
            self.remove_if_empty(duration);
        }
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

    /// Returns the next step of a pass that started at `now`. The ticks are drained between two
    /// timers. As in Node, it is determined before the drain which timer is next.
    pub fn next_step(&mut self, now: u64) -> TimerStep<T> {
        loop {
            if let Some(key) = self.pass.due.take() {
                self.unlink(key);
                if let Some(entry) = self.slab.get(key) {
                    return TimerStep::Run(DueTimer { key, callback: entry.callback.clone() });
                }
            }
            let drain_first = if let Some((id, ran)) = self.pass.list {
                let Some(key) = self.first_due(id, now) else {
                    self.pass.list = None;
                    continue;
                };
                self.pass.due = Some(key);
                self.pass.list = Some((id, true));
                ran
            } else {
                let first = self.queue.first_key_value().filter(|((due, _), _)| *due <= now);
                let Some((_, duration)) = first else {
                    self.restart_pass();
                    return TimerStep::Done;
                };
                self.pass.list = Some((self.lists[duration].id, false));
                std::mem::replace(&mut self.pass.ran_list, true)
            };
            if drain_first {
                return TimerStep::Drain;
            }
        }
    }

    /// Makes the next call start a new pass: after an uncaught exception. The next timer then runs
    /// without a drain before it.
    pub fn restart_pass(&mut self) {
        self.pass = Pass::default();
    }

    /// Completes a timer whose callback has run. With `repeat` it starts again at `start`, with that
    /// duration. Otherwise it is removed, unless the callback has restarted it.
    pub fn finish(&mut self, key: TimerKey, repeat: Option<u64>, start: u64) -> Option<T> {
        let is_linked = self.slab.get(key)?.link.is_some();
        if let Some(duration) = repeat {
            self.unlink(key);
            self.slab.get_mut(key)?.duration = duration;
            self.append(key, start);
            return None;
        }
        if is_linked { None } else { self.remove(key) }
    }

    /// Returns the first timer of a list if it is due. Otherwise reinserts the list into the queue,
    /// at the next millisecond or later, or removes an empty list.
    fn first_due(&mut self, id: ListId, now: u64) -> Option<TimerKey> {
        let list = self.lists.get_mut(&id.duration).filter(|list| list.id == id)?;
        let Some(ListEnds { first, .. }) = list.ends else {
            self.remove_if_empty(id.duration);
            return None;
        };
        let due = self.slab.get(first)?.start + id.duration;
        if due <= now {
            return Some(first);
        }
        self.queue.remove(&(list.due, list.sequence));
        (list.due, list.sequence) = (due.max(now + 1), self.next_sequence);
        self.next_sequence += 1;
        self.queue.insert((list.due, list.sequence), id.duration);
        None
    }

    /// Appends a timer to the list of its duration.
    fn append(&mut self, key: TimerKey, start: u64) {
        let Some(entry) = self.slab.get_mut(key) else { return };
        entry.start = start;
        let duration = entry.duration;
        let list = self.lists.entry(duration).or_insert_with(|| {
            let sequence = self.next_sequence;
            self.next_sequence += 1;
            let id = ListId { duration, created: sequence };
            let list = TimerList { id, ends: None, due: start + duration, sequence };
            self.queue.insert((list.due, sequence), duration);
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
