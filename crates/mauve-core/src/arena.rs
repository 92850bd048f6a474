//! Linked lists whose nodes share one array, so that no node is allocated alone.
//!
//! Nodes are linked by index. Removed nodes form a free list.

use crate::growth::make_room;

const NONE: u32 = u32::MAX;

/// The nodes of all lists of one item type.
pub(crate) struct Arena<T> {
    nodes: Vec<Node<T>>,
    free: u32,
}

struct Node<T> {
    /// Kept when the node is freed, so that [`Arena::push_with`] can reuse its memory.
    item: T,
    /// The next node of the list or of the free list. The last node of a list points to the first.
    next: u32,
}

/// A queue whose items are in an [`Arena`]. It is circular, so it stores the last index alone.
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

    /// As [`push`](Self::push). Reuses an item that [`pop_with`](Self::pop_with) has left, by `renew`.
    /// Calls `make` if there is none.
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

    /// Removes the first item of a list. The item stays in the free node for
    /// [`push_with`](Self::push_with), so `empty` takes out what it owns.
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

    /// Moves the first item of one list to the end of another.
    pub fn shift(&mut self, from: &mut List, to: &mut List) {
        let mut is_first = true;
        self.shift_while(from, to, |_| std::mem::take(&mut is_first));
    }

    /// Moves the first item for which `is_it` is true to the end of another list, and returns it.
    pub fn shift_one(
        &mut self,
        from: &mut List,
        to: &mut List,
        is_it: impl Fn(&T) -> bool,
    ) -> Option<&mut T> {
        let (last, mut before) = (from.last, from.last);
        loop {
            let at = self.nodes.get(before as usize)?.next;
            if is_it(&self.nodes[at as usize].item) {
                self.nodes[before as usize].next = self.nodes[at as usize].next;
                if at == last {
                    from.last = if before == at { NONE } else { before };
                }
                self.link(to, at);
                return Some(&mut self.nodes[at as usize].item);
            }
            if at == last {
                return None;
            }
            before = at;
        }
    }

    /// Moves the first items of one list to the end of another while `goes` is true.
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

    /// The number of items in the list.
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

    /// The item of a list that has exactly one.
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

    fn items(arena: &Arena<u8>, list: &List) -> Vec<u8> {
        let items: Vec<u8> = arena.iter(list).copied().collect();
        assert_eq!(arena.count(list), items.len() as u32);
        items
    }

    #[test]
    fn items_are_popped_in_the_order_in_which_they_were_pushed() {
        let mut arena = Arena::default();
        let (mut one, mut other) = (List::EMPTY, List::EMPTY);
        for item in 0..3 {
            arena.push(&mut one, item);
            arena.push(&mut other, 10 + item);
        }
        assert_eq!(items(&arena, &one), [0, 1, 2]);
        arena.shift(&mut one, &mut other);
        assert_eq!(items(&arena, &one), [1, 2]);
        assert_eq!(items(&arena, &other), [10, 11, 12, 0]);
        assert_eq!(arena.first_mut(&one), Some(&mut 1));
        assert_eq!(arena.pop_with(&mut one, |item| *item), Some(1));
        assert_eq!((arena.only(&one), arena.only(&other)), (Some(&2), None));
        assert_eq!(arena.pop_with(&mut one, |item| *item), Some(2));
        assert!(one.is_empty() && arena.only(&one).is_none());
        assert_eq!(arena.pop_with(&mut one, |item| *item), None);
        assert_eq!(arena.first_mut(&one), None);
        assert_eq!(items(&arena, &one), [0; 0]);
    }

    #[test]
    fn the_first_items_of_a_list_move_to_the_end_of_another() {
        for (goes, stays) in [(0, 3), (1, 2), (2, 1), (3, 0)] {
            for known in [0, 2] {
                let mut arena = Arena::default();
                let (mut from, mut to) = (List::EMPTY, List::EMPTY);
                (0..known).for_each(|item| arena.push(&mut to, 10 + item));
                (0..3).for_each(|item| arena.push(&mut from, item));
                arena.shift_while(&mut from, &mut to, |item| *item < goes);
                let moved: Vec<u8> = (10..10 + known).chain(0..goes).collect();
                assert_eq!(items(&arena, &to), moved);
                assert_eq!(items(&arena, &from), (3 - stays..3).collect::<Vec<_>>());
                arena.push(&mut from, 9);
                arena.push(&mut to, 9);
                assert_eq!(items(&arena, &to), [moved, vec![9]].concat());
            }
        }
    }

    #[test]
    fn any_item_of_a_list_moves_to_the_end_of_another() {
        for count in 1..4 {
            for wanted in 0..count {
                let mut arena = Arena::default();
                let (mut from, mut to) = (List::EMPTY, List::EMPTY);
                (0..count).for_each(|item| arena.push(&mut from, item));
                arena.push(&mut to, 9);
                assert_eq!(arena.shift_one(&mut from, &mut to, |item| *item == count), None);
                let moved = arena.shift_one(&mut from, &mut to, |item| *item == wanted);
                assert_eq!(moved, Some(&mut { wanted }));
                arena.push(&mut from, 7);
                let left: Vec<u8> = (0..count).filter(|item| *item != wanted).chain([7]).collect();
                assert_eq!(items(&arena, &from), left);
                assert_eq!(items(&arena, &to), [9, wanted]);
            }
        }
    }

    #[test]
    fn removed_nodes_are_reused() {
        let mut arena = Arena::default();
        let mut list = List::EMPTY;
        for item in 0..100 {
            arena.push_with(&mut list, |old| *old = item, || item);
            arena.push_with(&mut list, |old| *old = item, || item);
            assert_eq!(arena.pop_with(&mut list, |item| *item), Some(item));
            assert_eq!(arena.pop_with(&mut list, |item| *item), Some(item));
        }
        assert_eq!(arena.nodes.len(), 2);
    }
}
