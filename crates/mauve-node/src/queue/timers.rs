//! Timer lists, one per duration. One timer of the loop serves all of them.
//!
//! Timers of the same duration expire in the order of their starts, so a list needs no sorting. The
//! lists are sorted by the due time of their first timer, then by the sequence number of that queue
//! entry. This is Node's order, which differs from that of the loop's timers: timers that are due
//! at the same time run list by list.

use std::collections::{BTreeMap, HashMap};

/// The key of a timer. Keys are not reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimerKey(pub u64);

/// Timers, grouped by their duration in milliseconds.
#[derive(Debug)]
pub struct Timers<T> {
    entries: HashMap<TimerKey, TimerEntry<T>>,
    lists: HashMap<u64, TimerList>,
    /// The durations of all lists, by due time and sequence number.
    queue: BTreeMap<(u64, u64), u64>,
    /// The last number that was given to a timer, to a position in a list, or to a list in the queue.
    last_number: u64,
    referenced: usize,
    pass: Pass,
}

#[derive(Debug)]
struct TimerEntry<T> {
    callback: T,
    duration: u64,
    start: u64,
    referenced: bool,
    /// The position in the list; `None` while the callback runs.
    position: Option<u64>,
}

/// The timers of one duration, in the order of their starts.
#[derive(Debug)]
struct TimerList {
    id: ListId,
    /// By position.
    timers: BTreeMap<u64, TimerKey>,
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
            entries: HashMap::new(),
            lists: HashMap::new(),
            queue: BTreeMap::new(),
            last_number: 0,
            referenced: 0,
            pass: Pass::default(),
        }
    }
}

impl<T: Clone> Timers<T> {
    /// Starts a timer.
    pub fn start(&mut self, callback: T, duration: u64, now: u64) -> TimerKey {
        let key = TimerKey(self.next_number());
        let entry = TimerEntry { callback, duration, start: now, referenced: true, position: None };
        self.entries.insert(key, entry);
        self.referenced += 1;
        self.append(key, now);
        key
    }

    fn next_number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    /// Restarts a timer. Returns false if it no longer exists.
    pub fn refresh(&mut self, key: TimerKey, now: u64) -> bool {
        if !self.entries.contains_key(&key) {
            return false;
        }
        self.unlink(key);
        self.append(key, now);
        true
    }

    /// Stops a timer. Returns `None` if it no longer exists.
    pub fn stop(&mut self, key: TimerKey) -> Option<T> {
        let entry = self.entries.get(&key)?;
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
        if let Some(entry) = self.entries.get_mut(&key) {
            self.referenced -= usize::from(entry.referenced);
            entry.referenced = referenced;
            self.referenced += usize::from(referenced);
        }
    }

    /// The number of timers that keep the loop running.
    pub fn referenced(&self) -> usize {
        self.referenced
    }

    /// The timers, in the order in which they were started: callback and duration.
    pub fn iter(&self) -> impl Iterator<Item = (&T, u64)> {
        let mut entries: Vec<_> = self.entries.iter().collect();
        entries.sort_by_key(|(key, _)| key.0);
        entries.into_iter().map(|(_, entry)| (&entry.callback, entry.duration))
    }

    /// The number of timers.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no timers.
    pub fn is_empty(&self) -> bool {
        self.entries.len() == 0
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
                if let Some(entry) = self.entries.get(&key) {
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
        let is_linked = self.entries.get(&key)?.position.is_some();
        if let Some(duration) = repeat {
            self.unlink(key);
            self.entries.get_mut(&key)?.duration = duration;
            self.append(key, start);
            return None;
        }
        if is_linked { None } else { self.remove(key) }
    }

    /// Returns the first timer of a list if it is due. Otherwise reinserts the list into the queue,
    /// at the next millisecond or later, or removes an empty list.
    fn first_due(&mut self, id: ListId, now: u64) -> Option<TimerKey> {
        let list = self.lists.get_mut(&id.duration).filter(|list| list.id == id)?;
        let Some((_, &first)) = list.timers.first_key_value() else {
            self.remove_if_empty(id.duration);
            return None;
        };
        let due = self.entries.get(&first)?.start + id.duration;
        if due <= now {
            return Some(first);
        }
        self.queue.remove(&(list.due, list.sequence));
        self.last_number += 1;
        (list.due, list.sequence) = (due.max(now + 1), self.last_number);
        self.queue.insert((list.due, list.sequence), id.duration);
        None
    }

    /// Appends a timer to the list of its duration.
    fn append(&mut self, key: TimerKey, start: u64) {
        let (position, created) = (self.next_number(), self.next_number());
        let Some(entry) = self.entries.get_mut(&key) else { return };
        (entry.start, entry.position) = (start, Some(position));
        let duration = entry.duration;
        let list = self.lists.entry(duration).or_insert_with(|| {
            let due = start + duration;
            self.queue.insert((due, created), duration);
            let id = ListId { duration, created };
            TimerList { id, timers: BTreeMap::new(), due, sequence: created }
        });
        list.timers.insert(position, key);
    }

    /// Removes a timer from its list. An empty list stays in the queue until it is due, because the
    /// timer may be appended again.
    fn unlink(&mut self, key: TimerKey) {
        let Some(entry) = self.entries.get_mut(&key) else { return };
        if let (Some(position), Some(list)) =
            (entry.position.take(), self.lists.get_mut(&entry.duration))
        {
            list.timers.remove(&position);
        }
    }

    fn remove(&mut self, key: TimerKey) -> Option<T> {
        let entry = self.entries.remove(&key)?;
        self.referenced -= usize::from(entry.referenced);
        Some(entry.callback)
    }

    fn remove_if_empty(&mut self, duration: u64) {
        if self.lists.get(&duration).is_some_and(|list| list.timers.is_empty()) {
            let list = self.lists.remove(&duration).expect("just seen");
            self.queue.remove(&(list.due, list.sequence));
        }
    }
}
