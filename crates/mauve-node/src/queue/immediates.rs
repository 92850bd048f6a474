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
    /// The rest of the batch that is running.
    running: VecDeque<ImmediateKey>,
    entries: HashMap<u64, ImmediateEntry<T>>,
    next_key: u64,
    referenced: usize,
    /// Whether the ticks are drained before the next callback.
    drain_first: bool,
}

#[derive(Debug)]
struct ImmediateEntry<T> {
    callback: T,
    referenced: bool,
}

/// What the host does next in a check phase.
#[derive(Debug, PartialEq, Eq)]
pub enum ImmediateStep<T> {
    /// Drain the ticks. This may cancel the following callbacks.
    Drain,
    /// Run this callback.
    Run(T),
    /// The batch is complete.
    Done,
}

impl<T> Default for Immediates<T> {
    fn default() -> Self {
        Self {
            queued: VecDeque::new(),
            running: VecDeque::new(),
            entries: HashMap::new(),
            next_key: 0,
            referenced: 0,
            drain_first: false,
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

    /// Starts a batch with the immediates that are queued now. After an exception, it first resumes
    /// the batch that was interrupted, and only then takes the queued ones.
    pub fn begin(&mut self) {
        self.drain_first = false;
        if self.running.is_empty() {
            std::mem::swap(&mut self.running, &mut self.queued);
        }
    }

    /// Returns the next step of the batch. The ticks are drained between two callbacks.
    pub fn next_step(&mut self) -> ImmediateStep<T> {
        while let Some(&key) = self.running.front() {
            if self.contains(key) && std::mem::take(&mut self.drain_first) {
                return ImmediateStep::Drain;
            }
            self.running.pop_front();
            if let Some(callback) = self.cancel(key) {
                self.drain_first = true;
                return ImmediateStep::Run(callback);
            }
        }
        ImmediateStep::Done
    }
}
