//! The places of ready descriptors in the order of events.
//!
//! The kernel keeps a level-triggered descriptor that it has reported in its ready list, in its place,
//! until a wait finds that it is not ready. It appends an edge-triggered one whenever that is ready
//! again. Which handle is reported first would depend on that, and libuv's descriptors are all
//! level-triggered. So descriptors that the previous wait has reported come first, in their order.

use super::epoll::MAX_EVENTS;
use crate::selector::{Event, Key};

/// No descriptor is registered with this key.
const FORGOTTEN: Key = Key(u64::MAX - 3);

/// The most comparisons to search without a hash table.
const SMALL: usize = 256;

/// The descriptors that the previous wait has reported.
pub(super) struct Places {
    keys: Box<[Key; MAX_EVENTS]>,
    count: usize,
    scratch: Scratch,
}

/// Memory that is used again, because events are ordered in every iteration.
#[derive(Default)]
struct Scratch {
    /// Hash table of the positions in the previous wait, plus one.
    table: Vec<u32>,
    /// By event: its position in the previous wait.
    found: Vec<Option<u32>>,
    /// By position in the previous wait: the event, plus one.
    by_place: Vec<u32>,
    events: Vec<Event>,
}

impl Places {
    pub fn new() -> Self {
        Self { keys: Box::new([FORGOTTEN; MAX_EVENTS]), count: 0, scratch: Scratch::default() }
    }

    /// Orders the events of a wait, and remembers their places.
    #[inline]
    pub fn restore(&mut self, events: &mut [Event]) {
        if let [event] = events {
            // The common case. The general steps below lead to the same state.
            (self.keys[0], self.count) = (place_of(event), 1);
            return;
        }
        if events.len() > 1 && self.count > 0 {
            self.order(events);
        }
        // After a full batch, the kernel first reports the descriptors that it has not reported yet.
        self.count = if events.len() < MAX_EVENTS { events.len() } else { 0 };
        for (place, event) in self.keys.iter_mut().zip(&events[..self.count]) {
            *place = place_of(event);
        }
    }

    /// No descriptor has a place any more: the next events keep the order of the kernel.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// The descriptor was removed from the ready list. If it is registered again, it is appended.
    pub fn forget(&mut self, key: Key) {
        let previous = &mut self.keys[..self.count];
        if let Some(place) = previous.iter_mut().find(|place| **place == key) {
            *place = FORGOTTEN;
        }
    }

    #[inline(never)]
    fn order(&mut self, events: &mut [Event]) {
        let previous = &self.keys[..self.count];
        // A wake-up has no place. If it is the first event, it stays so.
        let events = match events {
            [Event::Wake, others @ ..] => others,
            events => events,
        };
        let is_ordered = if events.len() * previous.len() <= SMALL {
            let mut after = 0;
            events.iter().all(|event| match previous.iter().position(|at| *at == key(event)) {
                Some(at) if at < after => false,
                Some(at) => {
                    after = at + 1;
                    true
                }
                None => {
                    after = usize::MAX;
                    true
                }
            })
        } else {
            let mut places = previous.iter();
            events.iter().all(|event| places.any(|place| *place == key(event)))
        };
        if is_ordered {
            return;
        }
        let Scratch { table, found, by_place, events: ordered } = &mut self.scratch;
        fill_table(table, previous);
        found.clear();
        found.extend(events.iter().map(|event| find(table, previous, key(event))));
        by_place.clear();
        by_place.resize(previous.len(), 0);
        for (at, place) in (1..).zip(found.iter()) {
            if let Some(place) = place {
                by_place[*place as usize] = at;
            }
        }
        ordered.clear();
        ordered.extend(by_place.iter().filter(|at| **at > 0).map(|at| events[*at as usize - 1]));
        let new = events.iter().zip(found.iter()).filter(|(_, place)| place.is_none());
        ordered.extend(new.map(|(event, _)| *event));
        events.copy_from_slice(ordered);
    }
}

#[inline]
fn key(event: &Event) -> Key {
    match event {
        Event::Wake => Key::WAKER,
        Event::Ready { key, .. } => *key,
    }
}

/// What is remembered of an event. A wake-up has no place.
#[inline]
fn place_of(event: &Event) -> Key {
    match event {
        Event::Wake => FORGOTTEN,
        Event::Ready { key, .. } => *key,
    }
}

/// The first slot of a key in a table whose length is a power of two.
fn slot(table: &[u32], key: Key) -> usize {
    const GOLDEN_RATIO: u64 = 0x9e37_79b9_7f4a_7c15;
    (key.0.wrapping_mul(GOLDEN_RATIO) >> 32) as usize & (table.len() - 1)
}

/// Fills a table that is at most half full, so that each search ends at an empty slot.
fn fill_table(table: &mut Vec<u32>, keys: &[Key]) {
    table.clear();
    table.resize((2 * keys.len()).next_power_of_two(), 0);
    for (at, key) in (1..).zip(keys) {
        let mut free = slot(table, *key);
        while table[free] != 0 {
            free = (free + 1) & (table.len() - 1);
        }
        table[free] = at;
    }
}

/// The position of a key.
fn find(table: &[u32], keys: &[Key], key: Key) -> Option<u32> {
    let mut at = slot(table, key);
    while table[at] != 0 {
        let position = table[at] - 1;
        if keys[position as usize] == key {
            return Some(position);
        }
        at = (at + 1) & (table.len() - 1);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selector::Readiness;

    fn events(keys: &[u64]) -> Vec<Event> {
        let ready = |key: &u64| Event::Ready { key: Key(*key), readiness: Readiness::READABLE };
        keys.iter().map(ready).collect()
    }

    fn restored(places: &mut Places, keys: &[u64]) -> Vec<u64> {
        let mut events = events(keys);
        places.restore(&mut events);
        events.iter().map(|event| key(event).0).collect()
    }

    #[test]
    fn descriptors_keep_the_places_of_the_previous_wait() {
        let mut places = Places::new();
        assert_eq!(restored(&mut places, &[1, 2, 3]), [1, 2, 3]);
        assert_eq!(restored(&mut places, &[3, 9, 1]), [1, 3, 9]);
        assert_eq!(restored(&mut places, &[2, 9, 3, 1]), [1, 3, 9, 2]);
        assert_eq!(restored(&mut places, &[]), []);
        assert_eq!(restored(&mut places, &[3, 1]), [3, 1]);
    }

    #[test]
    fn a_wake_up_has_no_place() {
        let mut places = Places::new();
        let wake = Key::WAKER.0;
        let mut both = [events(&[1])[0], Event::Wake];
        places.restore(&mut both);
        let mut first = [Event::Wake, events(&[2])[0], events(&[1])[0]];
        places.restore(&mut first);
        assert_eq!(first.map(|event| key(&event).0), [wake, 1, 2]);
        let mut last = [events(&[2])[0], Event::Wake, events(&[1])[0]];
        places.restore(&mut last);
        assert_eq!(last.map(|event| key(&event).0), [1, 2, wake]);
    }

    #[test]
    fn a_forgotten_descriptor_is_appended() {
        let mut places = Places::new();
        restored(&mut places, &[1, 2, 3]);
        places.forget(Key(1));
        assert_eq!(restored(&mut places, &[1, 3, 2]), [2, 3, 1]);
        places.clear();
        assert_eq!(restored(&mut places, &[3, 2]), [3, 2]);
    }

    #[test]
    fn the_order_is_that_of_a_stable_sort() {
        let mut places = Places::new();
        let mut state = 7u64;
        let mut previous: Vec<u64> = Vec::new();
        for _ in 0..500 {
            let mut keys = Vec::new();
            for _ in 0..state % 40 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let key = (((state >> 40) % 60) << 32) | 7;
                if !keys.contains(&key) {
                    keys.push(key);
                }
            }
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state ^= state >> 33;
            let ordered = restored(&mut places, &keys);
            keys.sort_by_key(|key| previous.iter().position(|place| place == key).unwrap_or(99));
            assert_eq!(ordered, keys);
            previous = ordered;
        }
    }
}
