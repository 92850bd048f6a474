//! Things that wait in lists, without an allocation for each.
//!
//! All lists of one kind share an array; they are linked by index.

use crate::growth::make_room;

const NONE: u32 = u32::MAX;

/// The things, whichever list they are in.
pub(crate) struct Arena<T> {
    nodes: Vec<Node<T>>,
    free: u32,
}

struct Node<T> {
    /// Stays when it has left its list, until another thing takes its place.
    item: T,
    /// The one behind it in its list, or in the list of those that are free.
    next: u32,
}

/// A queue of things that live in an [`Arena`]. The last one knows the first, so that to know the
/// last is enough.
#[derive(Clone, Copy)]
pub(crate) struct List {
    last: u32,
}

impl List {
    pub const EMPTY: Self = Self { last: NONE };

    pub fn is_empty(&self) -> bool {
        self.last == NONE
    }
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self { nodes: Vec::new(), free: NONE }
    }
}

impl<T> Arena<T> {
    pub fn push(&mut self, list: &mut List, item: T) {
        let node = Node { item, next: NONE };
        let index = match self.free {
            NONE => {
                make_room(&mut self.nodes, 1);
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
            index => {
                self.free = self.nodes[index as usize].next;
                self.nodes[index as usize] = node;
                index
            }
        };
        self.link(list, index);
    }

    /// As [`push`](Self::push), for a thing that [`pop_with`](Self::pop_with) may have left behind,
    /// and that `renew` makes a new one of.
    #[inline]
    pub fn push_with(
        &mut self,
        list: &mut List,
        renew: impl FnOnce(&mut T),
        make: impl FnOnce() -> T,
    ) {
        let index = self.free;
        match self.nodes.get_mut(index as usize) {
            Some(Node { item, next }) => {
                renew(item);
                self.free = *next;
                self.link(list, index);
            }
            None => self.push(list, make()),
        }
    }

    /// Takes the first thing off a list and leaves it where it is, for
    /// [`push_with`](Self::push_with): `empty` sees to it that it holds nothing.
    #[inline]
    pub fn pop_with<R>(&mut self, list: &mut List, empty: impl FnOnce(&mut T) -> R) -> Option<R> {
        let last = list.last;
        let first = self.nodes.get(last as usize)?.next;
        if first == last {
            list.last = NONE;
        } else {
            self.nodes[last as usize].next = self.nodes[first as usize].next;
        }
        let Node { item, next } = &mut self.nodes[first as usize];
        *next = std::mem::replace(&mut self.free, first);
        Some(empty(item))
    }

    /// Moves the first thing of one list to the end of another.
    pub fn shift(&mut self, from: &mut List, to: &mut List) {
        let mut is_first = true;
        self.shift_while(from, to, |_| std::mem::take(&mut is_first));
    }

    /// Moves the first things of one list to the end of another, as long as `goes` says so.
    #[inline]
    pub fn shift_while(
        &mut self,
        from: &mut List,
        to: &mut List,
        mut goes: impl FnMut(&mut T) -> bool,
    ) {
        let Some(last) = self.nodes.get(from.last as usize) else { return };
        let (first, mut moved, mut at) = (last.next, NONE, last.next);
        while moved != from.last {
            let node = &mut self.nodes[at as usize];
            if !goes(&mut node.item) {
                break;
            }
            moved = at;
            at = node.next;
        }
        if moved == NONE {
            return;
        }
        if moved == from.last {
            from.last = NONE;
        } else {
            self.nodes[from.last as usize].next = at;
        }
        self.nodes[moved as usize].next = match to.last {
            NONE => first,
            last => std::mem::replace(&mut self.nodes[last as usize].next, first),
        };
        to.last = moved;
    }

    /// How many things there are in the list.
    #[inline]
    pub fn count(&self, list: &List) -> u32 {
        let Some(last) = self.nodes.get(list.last as usize) else { return 0 };
        let (mut at, mut count) = (last.next, 1);
        while at != list.last {
            at = self.nodes[at as usize].next;
            count += 1;
        }
        count
    }

    /// The thing in the list, if it is the only one.
    pub fn only(&self, list: &List) -> Option<&T> {
        let last = self.nodes.get(list.last as usize)?;
        (last.next == list.last).then_some(&last.item)
    }

    #[inline]
    pub fn first_mut(&mut self, list: &List) -> Option<&mut T> {
        let first = self.nodes.get(list.last as usize)?.next;
        Some(&mut self.nodes[first as usize].item)
    }

    pub fn iter<'a>(&'a self, list: &List) -> impl Iterator<Item = &'a T> {
        let last = list.last;
        let mut at = self.nodes.get(last as usize).map_or(NONE, |last| last.next);
        std::iter::from_fn(move || {
            let node = self.nodes.get(at as usize)?;
            at = if at == last { NONE } else { node.next };
            Some(&node.item)
        })
    }

    #[inline]
    fn link(&mut self, list: &mut List, index: u32) {
        let first = match list.last {
            NONE => index,
            last => std::mem::replace(&mut self.nodes[last as usize].next, index),
        };
        self.nodes[index as usize].next = first;
        list.last = index;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn things(arena: &Arena<u8>, list: &List) -> Vec<u8> {
        let things: Vec<u8> = arena.iter(list).copied().collect();
        assert_eq!(arena.count(list), things.len() as u32);
        things
    }

    #[test]
    fn things_leave_a_list_in_the_order_in_which_they_came() {
        let mut arena = Arena::default();
        let (mut one, mut other) = (List::EMPTY, List::EMPTY);
        for thing in 0..3 {
            arena.push(&mut one, thing);
            arena.push(&mut other, 10 + thing);
        }
        assert_eq!(things(&arena, &one), [0, 1, 2]);
        arena.shift(&mut one, &mut other);
        assert_eq!(things(&arena, &one), [1, 2]);
        assert_eq!(things(&arena, &other), [10, 11, 12, 0]);
        assert_eq!(arena.first_mut(&one), Some(&mut 1));
        assert_eq!(arena.pop_with(&mut one, |thing| *thing), Some(1));
        assert_eq!((arena.only(&one), arena.only(&other)), (Some(&2), None));
        assert_eq!(arena.pop_with(&mut one, |thing| *thing), Some(2));
        assert!(one.is_empty() && arena.only(&one).is_none());
        assert_eq!(arena.pop_with(&mut one, |thing| *thing), None);
        assert_eq!(arena.first_mut(&one), None);
        assert_eq!(things(&arena, &one), [0; 0]);
    }

    #[test]
    fn the_first_things_of_a_list_move_together() {
        for (goes, stays) in [(0, 3), (1, 2), (2, 1), (3, 0)] {
            for known in [0, 2] {
                let mut arena = Arena::default();
                let (mut from, mut to) = (List::EMPTY, List::EMPTY);
                (0..known).for_each(|thing| arena.push(&mut to, 10 + thing));
                (0..3).for_each(|thing| arena.push(&mut from, thing));
                arena.shift_while(&mut from, &mut to, |thing| *thing < goes);
                let moved: Vec<u8> = (10..10 + known).chain(0..goes).collect();
                assert_eq!(things(&arena, &to), moved);
                assert_eq!(things(&arena, &from), (3 - stays..3).collect::<Vec<_>>());
                arena.push(&mut from, 9);
                arena.push(&mut to, 9);
                assert_eq!(things(&arena, &to), [moved, vec![9]].concat());
            }
        }
    }

    #[test]
    fn what_has_left_makes_room_for_what_comes() {
        let mut arena = Arena::default();
        let mut list = List::EMPTY;
        for thing in 0..100 {
            arena.push_with(&mut list, |old| *old = thing, || thing);
            arena.push_with(&mut list, |old| *old = thing, || thing);
            assert_eq!(arena.pop_with(&mut list, |thing| *thing), Some(thing));
            assert_eq!(arena.pop_with(&mut list, |thing| *thing), Some(thing));
        }
        assert_eq!(arena.nodes.len(), 2);
    }
}
