//! Callbacks for the check phase, `setImmediate`.

use std::collections::{HashMap, VecDeque};

/// The key of a queued immediate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImmediateKey(pub u64);

/// Callbacks that run once, in the next check phase. Callbacks that are added during a check phase
/// run in the one after it.
#[derive(Debug)]
pub struct Immediates<T> {
    queued: VecDeque<ImmediateKey>,
    /// The rest of the batch of the current check phase.
    running: VecDeque<ImmediateKey>,
    entries: HashMap<u64, ImmediateEntry<T>>,
    next_key: u64,
    referenced: usize,
}

#[derive(Debug)]
struct ImmediateEntry<T> {
    callback: T,
    referenced: bool,
}

impl<T> Default for Immediates<T> {
    fn default() -> Self {
        Self {
            queued: VecDeque::new(),
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
        self.entries.insert(key.0, ImmediateEntry { callback, referenced: true });
        self.referenced += 1;
        self.queued.push_back(key);
        key
    }

    /// Removes a callback. Returns `None` if it has run or was cancelled.
    pub fn cancel(&mut self, key: ImmediateKey) -> Option<T> {
        let entry = self.entries.remove(&key.0)?;
        self.referenced -= usize::from(entry.referenced);
        Some(entry.callback)
    }

    /// Sets whether an immediate keeps the loop running.
    pub fn set_referenced(&mut self, key: ImmediateKey, referenced: bool) {
        if let Some(entry) = self.entries.get_mut(&key.0) {
            self.referenced -= usize::from(entry.referenced);
            entry.referenced = referenced;
            self.referenced += usize::from(referenced);
        }
    }

    /// Whether an immediate is queued and keeps the loop running.
    pub fn has_ref(&self, key: ImmediateKey) -> bool {
        self.entries.get(&key.0).is_some_and(|entry| entry.referenced)
    }

    /// Whether an immediate is queued.
    pub fn contains(&self, key: ImmediateKey) -> bool {
        self.entries.contains_key(&key.0)
    }

    /// The number of immediates that keep the loop running.
    pub fn referenced(&self) -> usize {
        self.referenced
    }

    /// The number of queued immediates.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no immediate is queued.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Starts a check phase, whose batch are the immediates that are queued now.
    pub fn begin(&mut self) {
        if self.running.is_empty() {
            std::mem::swap(&mut self.running, &mut self.queued);
        } else {
            self.running.append(&mut self.queued);
        }
    }

    /// Returns the key of the next immediate of the batch. The caller drains the ticks first, which
    /// may cancel it, and then takes the callback with [`cancel`](Self::cancel).
    pub fn next_key(&mut self) -> Option<ImmediateKey> {
        loop {
            let key = self.running.pop_front()?;
            if self.entries.contains_key(&key.0) {
                return Some(key);
            }
        }
    }
}
