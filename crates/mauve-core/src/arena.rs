//! Things that wait in lists, without an allocation for each.
//!
//! All lists of one kind share an array; they are linked by index.

const NONE: u32 = u32::MAX;

/// The things, whichever list they are in.
pub(crate) struct Arena<T> {
    nodes: Vec<Node<T>>,
    free: u32,
}

struct Node<T> {
    item: Option<T>,
    next: u32,
}

/// A queue of things that live in an [`Arena`].
#[derive(Clone, Copy)]
pub(crate) struct List {
    first: u32,
    last: u32,
}

impl List {
    pub const EMPTY: Self = Self { first: NONE, last: NONE };

    pub fn is_empty(&self) -> bool {
        self.first == NONE
    }

    /// Whether there is exactly one thing in it.
    pub fn is_single(&self) -> bool {
        self.first == self.last && self.first != NONE
    }
}

impl<T> Arena<T> {
    pub fn new() -> Self {
        Self { nodes: Vec::new(), free: NONE }
    }

    pub fn push(&mut self, list: &mut List, item: T) {
        let node = Node { item: Some(item), next: NONE };
        let index = match self.free {
            NONE => {
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
            Some(Node { item: Some(item), next }) => {
                renew(item);
                self.free = std::mem::replace(next, NONE);
                self.link(list, index);
            }
            _ => self.push(list, make()),
        }
    }

    /// Takes the first thing off a list and leaves it where it is, for
    /// [`push_with`](Self::push_with): `empty` sees to it that it holds nothing.
    #[inline]
    pub fn pop_with<R>(&mut self, list: &mut List, empty: impl FnOnce(&mut T) -> R) -> Option<R> {
        let index = self.unlink_first(list)?;
        let node = &mut self.nodes[index as usize];
        node.next = std::mem::replace(&mut self.free, index);
        node.item.as_mut().map(empty)
    }

    /// Moves the first thing of one list to the end of another.
    pub fn shift(&mut self, from: &mut List, to: &mut List) {
        if let Some(index) = self.unlink_first(from) {
            self.link(to, index);
        }
    }

    pub fn first_mut(&mut self, list: &List) -> Option<&mut T> {
        self.nodes.get_mut(list.first as usize)?.item.as_mut()
    }

    pub fn iter<'a>(&'a self, list: &List) -> impl Iterator<Item = &'a T> {
        let mut index = list.first;
        std::iter::from_fn(move || {
            let node = self.nodes.get(index as usize)?;
            index = node.next;
            node.item.as_ref()
        })
    }

    #[inline]
    fn link(&mut self, list: &mut List, index: u32) {
        match list.last {
            NONE => list.first = index,
            last => self.nodes[last as usize].next = index,
        }
        list.last = index;
    }

    #[inline]
    fn unlink_first(&mut self, list: &mut List) -> Option<u32> {
        let index = list.first;
        let node = self.nodes.get_mut(index as usize)?;
        list.first = std::mem::replace(&mut node.next, NONE);
        if list.first == NONE {
            list.last = NONE;
        }
        Some(index)
    }
}
