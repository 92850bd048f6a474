//! Callbacks for the check phase, `setImmediate`.

use std::collections::{HashMap, VecDeque};

/// Names an immediate that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImmediateKey(pub u64);

/// Callbacks that run once, in the next check phase. Those added during a check phase wait for
/// the one after it.
#[derive(Debug)]
pub struct Immediates<T> {
    waiting: VecDeque<ImmediateKey>,
    /// The batch of this check phase, as far as it has not run.
    running: VecDeque<ImmediateKey>,
    entries: HashMap<u64, Entry<T>>,
    next_key: u64,
    referenced: usize,
}

#[derive(Debug)]
struct Entry<T> {
    callback: T,
    referenced: bool,
}

impl<T> Default for Immediates<T> {
    fn default() -> Self {
        Self {
            waiting: VecDeque::new(),
            running: VecDeque::new(),
            entries: HashMap::new(),
            next_key: 0,
            referenced: 0,
        }
    }
}

impl<T> Immediates<T> {
    /// Adds a callback for the next check phase.
    pub fn push(&mut self, callback: T) -> ImmediateKey {
        let key = ImmediateKey(self.next_key);
        self.next_key += 1;
        self.entries.insert(key.0, Entry { callback, referenced: true });
        self.referenced += 1;
        self.waiting.push_back(key);
        key
    }

    /// Takes a callback back; `None` if it has run or was taken back before.
    pub fn cancel(&mut self, key: ImmediateKey) -> Option<T> {
        let entry = self.entries.remove(&key.0)?;
        self.referenced -= usize::from(entry.referenced);
        Some(entry.callback)
    }

    /// Whether the loop has to get to the check phase for this one.
    pub fn set_referenced(&mut self, key: ImmediateKey, referenced: bool) {
        if let Some(entry) = self.entries.get_mut(&key.0) {
            self.referenced -= usize::from(entry.referenced);
            entry.referenced = referenced;
            self.referenced += usize::from(referenced);
        }
    }

    /// Whether an immediate waits and keeps the loop alive.
    pub fn has_ref(&self, key: ImmediateKey) -> bool {
        self.entries.get(&key.0).is_some_and(|entry| entry.referenced)
    }

    /// Whether an immediate waits.
    pub fn contains(&self, key: ImmediateKey) -> bool {
        self.entries.contains_key(&key.0)
    }

    /// How many callbacks want the loop to get to the check phase without waiting.
    pub fn referenced(&self) -> usize {
        self.referenced
    }

    /// How many callbacks wait.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether none wait.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Begins a check phase: what waits now is its batch.
    pub fn begin(&mut self) {
        if self.running.is_empty() {
            std::mem::swap(&mut self.running, &mut self.waiting);
        } else {
            self.running.append(&mut self.waiting);
        }
    }

    /// Which is next in the batch. Ticks may run before it does, and cancel it: so this only
    /// names it, and [`cancel`](Self::cancel) takes it.
    pub fn next_key(&mut self) -> Option<ImmediateKey> {
        loop {
            let key = self.running.pop_front()?;
            if self.entries.contains_key(&key.0) {
                return Some(key);
            }
        }
    }
}
