//! The registrations of a selector whose events contain only a descriptor: kqueue and event ports.

use std::os::fd::RawFd;

use crate::selector::{Event, Interest, Key, Readiness};

/// The key and the interest of each registered descriptor, by its number.
#[derive(Default)]
pub(crate) struct Registrations {
    entries: Vec<Registration>,
}

#[derive(Clone, Copy)]
struct Registration {
    key: Key,
    /// Empty if the descriptor is not registered.
    interest: Interest,
    /// Where the last wait has stored an event, if it is still there.
    position: usize,
}

impl Registrations {
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// The interest in a descriptor; empty if it is not registered.
    #[inline]
    pub fn interest(&self, fd: RawFd) -> Interest {
        let found = usize::try_from(fd).ok().and_then(|index| self.entries.get(index));
        found.map_or(Interest::empty(), |entry| entry.interest)
    }

    /// Stores the registration of an open descriptor, or replaces it.
    pub fn insert(&mut self, fd: RawFd, key: Key, interest: Interest) {
        let index = fd as usize;
        if index >= self.entries.len() {
            let none = Registration { key, interest: Interest::empty(), position: 0 };
            self.entries.resize(index + 1, none);
        }
        let entry = &mut self.entries[index];
        (entry.key, entry.interest) = (key, interest);
    }

    /// Removes the registration of a descriptor, if there is one.
    pub fn remove(&mut self, fd: RawFd) {
        if !self.interest(fd).is_empty() {
            self.entries[fd as usize].interest = Interest::empty();
        }
    }

    /// Appends an event of a registered descriptor, or merges it with one of the same wait, which are
    /// those from `begin` on.
    #[inline]
    pub fn report(
        &mut self,
        fd: RawFd,
        readiness: Readiness,
        begin: usize,
        events: &mut Vec<Event>,
    ) {
        if self.interest(fd).is_empty() || readiness.is_empty() {
            return;
        }
        let Registration { key, position, .. } = &mut self.entries[fd as usize];
        if let Some(Event::Ready { key: same, readiness: so_far }) = events.get_mut(*position)
            && *position >= begin
            && same == key
        {
            *so_far |= readiness;
            return;
        }
        *position = events.len();
        events.push(Event::Ready { key: *key, readiness });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ready(key: u64, readiness: Readiness) -> Event {
        Event::Ready { key: Key(key), readiness }
    }

    #[test]
    fn events_of_one_wait_are_merged_and_those_of_two_are_not() {
        let mut registrations = Registrations::default();
        registrations.insert(5, Key(1), Interest::READABLE);
        let (mut events, both) = (Vec::new(), Readiness::READABLE | Readiness::WRITABLE);
        registrations.report(5, Readiness::READABLE, 0, &mut events);
        registrations.report(5, Readiness::WRITABLE, 0, &mut events);
        assert_eq!(events, [ready(1, both)]);
        registrations.report(5, Readiness::READABLE, 1, &mut events);
        assert_eq!(events, [ready(1, both), ready(1, Readiness::READABLE)]);
    }

    #[test]
    fn a_removed_descriptor_is_not_reported() {
        let mut registrations = Registrations::default();
        registrations.insert(3, Key(1), Interest::READABLE);
        registrations.insert(4, Key(2), Interest::READABLE);
        for _ in 0..2 {
            registrations.remove(3);
        }
        let mut events = Vec::new();
        for fd in [3, 4, 5, -1] {
            registrations.report(fd, Readiness::READABLE, 0, &mut events);
        }
        assert_eq!(events, [ready(2, Readiness::READABLE)]);
        registrations.insert(4, Key(3), Interest::WRITABLE);
        registrations.remove(4);
        assert!(registrations.interest(4).is_empty());
    }
}
