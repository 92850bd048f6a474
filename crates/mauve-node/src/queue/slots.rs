//! Where timers are kept: in slots that are used again, linked into the lists they belong to.
//!
//! A key names a slot and how often it was used before, so that the key of a timer that is gone
//! finds nothing.

use mauve_core::slots::Slots;

/// Names a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimerKey(pub u64);

/// The first and the last timer of a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    pub first: TimerKey,
    pub last: TimerKey,
}

/// The neighbours of a timer in its list.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Link {
    before: Option<TimerKey>,
    after: Option<TimerKey>,
}

#[derive(Debug)]
pub(super) struct Entry<T> {
    pub callback: T,
    pub duration: u64,
    pub start: u64,
    pub repeats: bool,
    pub referenced: bool,
    /// Its place in its list; `None` while its callback runs.
    pub link: Option<Link>,
}

/// The timers, in slots that are used again.
#[derive(Debug)]
pub(super) struct TimerSlots<T> {
    slots: Slots<Slot<T>>,
}

#[derive(Debug)]
struct Slot<T> {
    uses: u32,
    entry: Option<Entry<T>>,
}

impl<T> Default for TimerSlots<T> {
    fn default() -> Self {
        Self { slots: Slots::new() }
    }
}

impl<T> TimerSlots<T> {
    pub fn len(&self) -> usize {
        self.slots.taken()
    }

    pub fn insert(&mut self, entry: Entry<T>) -> TimerKey {
        let index = self.slots.take(|_| Slot { uses: 0, entry: None });
        let slot = &mut self.slots[index];
        slot.uses = slot.uses.wrapping_add(1);
        slot.entry = Some(entry);
        // JavaScript counts exactly up to 53 bits, so the uses have 21.
        TimerKey(u64::from(slot.uses & 0x1f_ffff) << 32 | index as u64)
    }

    fn slot(&self, key: TimerKey) -> Option<usize> {
        let index = (key.0 & 0xffff_ffff) as usize;
        let uses = self.slots.get(index)?.uses & 0x1f_ffff;
        (u64::from(uses) == key.0 >> 32).then_some(index)
    }

    pub fn get(&self, key: TimerKey) -> Option<&Entry<T>> {
        self.slots[self.slot(key)?].entry.as_ref()
    }

    pub fn get_mut(&mut self, key: TimerKey) -> Option<&mut Entry<T>> {
        let index = self.slot(key)?;
        self.slots[index].entry.as_mut()
    }

    pub fn remove(&mut self, key: TimerKey) -> Option<Entry<T>> {
        let index = self.slot(key)?;
        let entry = self.slots[index].entry.take()?;
        self.slots.free(index);
        Some(entry)
    }

    /// Puts an entry at the end of a list.
    pub fn link(&mut self, ends: &mut Option<Ends>, key: TimerKey) {
        let before = ends.map(|ends| ends.last);
        if let Some(entry) = self.get_mut(key) {
            entry.link = Some(Link { before, after: None });
        }
        match ends {
            Some(ends) => {
                if let Some(link) = self.link_mut(ends.last) {
                    link.after = Some(key);
                }
                ends.last = key;
            }
            None => *ends = Some(Ends { first: key, last: key }),
        }
    }

    /// Takes an entry out of its list, if it is in it.
    pub fn unlink(&mut self, ends: &mut Option<Ends>, key: TimerKey) {
        let Some(link) = self.get_mut(key).and_then(|entry| entry.link.take()) else { return };
        if let Some(before) = link.before.and_then(|key| self.link_mut(key)) {
            before.after = link.after;
        }
        if let Some(after) = link.after.and_then(|key| self.link_mut(key)) {
            after.before = link.before;
        }
        *ends = ends.and_then(|ends| {
            let first = if ends.first == key { link.after? } else { ends.first };
            let last = if ends.last == key { link.before? } else { ends.last };
            Some(Ends { first, last })
        });
    }

    fn link_mut(&mut self, key: TimerKey) -> Option<&mut Link> {
        self.get_mut(key)?.link.as_mut()
    }
}
