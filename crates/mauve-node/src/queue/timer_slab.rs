//! The storage of timers: a slab whose entries are linked into lists.
//!
//! A key has the index of a slot and its generation, so that the key of a removed timer finds
//! nothing.

use mauve_core::slots::Slots;

/// The key of a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimerKey(pub u64);

/// The first and the last timer of a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListEnds {
    pub first: TimerKey,
    pub last: TimerKey,
}

/// The neighbours of a timer in its list.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ListLink {
    prev: Option<TimerKey>,
    next: Option<TimerKey>,
}

#[derive(Debug)]
pub(super) struct TimerEntry<T> {
    pub callback: T,
    pub duration: u64,
    pub start: u64,
    pub referenced: bool,
    /// The neighbours in the list; `None` while the callback runs.
    pub link: Option<ListLink>,
}

/// A slab of timers.
#[derive(Debug)]
pub(super) struct TimerSlab<T> {
    slots: Slots<TimerSlot<T>>,
}

#[derive(Debug)]
struct TimerSlot<T> {
    generation: u32,
    entry: Option<TimerEntry<T>>,
}

impl<T> Default for TimerSlab<T> {
    fn default() -> Self {
        Self { slots: Slots::new() }
    }
}

impl<T> TimerSlab<T> {
    pub fn len(&self) -> usize {
        self.slots.taken()
    }

    pub fn insert(&mut self, entry: TimerEntry<T>) -> TimerKey {
        let index = self.slots.take(|_| TimerSlot { generation: 0, entry: None });
        let slot = &mut self.slots[index];
        slot.generation = slot.generation.wrapping_add(1);
        slot.entry = Some(entry);
        // Numbers of JavaScript are exact up to 53 bits, so the generation has 21 bits.
        TimerKey(u64::from(slot.generation & 0x1f_ffff) << 32 | index as u64)
    }

    fn slot(&self, key: TimerKey) -> Option<usize> {
        let index = (key.0 & 0xffff_ffff) as usize;
        let generation = self.slots.get(index)?.generation & 0x1f_ffff;
        (u64::from(generation) == key.0 >> 32).then_some(index)
    }

    pub fn get(&self, key: TimerKey) -> Option<&TimerEntry<T>> {
        self.slots[self.slot(key)?].entry.as_ref()
    }

    pub fn get_mut(&mut self, key: TimerKey) -> Option<&mut TimerEntry<T>> {
        let index = self.slot(key)?;
        self.slots[index].entry.as_mut()
    }

    pub fn remove(&mut self, key: TimerKey) -> Option<TimerEntry<T>> {
        let index = self.slot(key)?;
        let entry = self.slots[index].entry.take()?;
        self.slots.free(index);
        Some(entry)
    }

    /// Appends an entry to a list.
    pub fn link(&mut self, ends: &mut Option<ListEnds>, key: TimerKey) {
        let prev = ends.map(|ends| ends.last);
        if let Some(entry) = self.get_mut(key) {
            entry.link = Some(ListLink { prev, next: None });
        }
        match ends {
            Some(ends) => {
                if let Some(link) = self.link_mut(ends.last) {
                    link.next = Some(key);
                }
                ends.last = key;
            }
            None => *ends = Some(ListEnds { first: key, last: key }),
        }
    }

    /// Removes an entry from its list, if it is linked.
    pub fn unlink(&mut self, ends: &mut Option<ListEnds>, key: TimerKey) {
        let Some(link) = self.get_mut(key).and_then(|entry| entry.link.take()) else { return };
        if let Some(prev) = link.prev.and_then(|key| self.link_mut(key)) {
            prev.next = link.next;
        }
        if let Some(next) = link.next.and_then(|key| self.link_mut(key)) {
            next.prev = link.prev;
        }
        *ends = ends.and_then(|ends| {
            let first = if ends.first == key { link.next? } else { ends.first };
            let last = if ends.last == key { link.prev? } else { ends.last };
            Some(ListEnds { first, last })
        });
    }

    fn link_mut(&mut self, key: TimerKey) -> Option<&mut ListLink> {
        self.get_mut(key)?.link.as_mut()
    }
}
