//! A growing array of entries with generations, one per kind of handle or family of kinds.
//!
//! Entries stand next to each other and are found by index, so an operation on a handle touches
//! one place in memory. The [`Head`] that every kind shares stands in front of the kind's body.

use crate::growth::make_room;
use crate::id::{HandleId, Kind, LAST_GENERATION, Name, Token};

/// All handles of one kind, or of a family that shares its state.
pub(crate) struct Slab<T> {
    kind: Kind,
    entries: Vec<Entry<T>>,
    free: Vec<u32>,
}

/// One handle: what all kinds have in common, and the rest. A timer or a stream fills a cache line,
/// and shall not stand across two.
#[repr(align(64))]
pub(crate) struct Entry<T> {
    pub head: Head,
    pub body: T,
}

/// What every handle has.
pub(crate) struct Head {
    pub token: Token,
    /// Grows with every handle the engine opens: the order of creation, and its time.
    pub born: u64,
    /// Says whose entry this is, or was last.
    name: Name,
    pub life: Life,
    pub referenced: bool,
    /// Belongs to the engine itself and is hidden from the user.
    pub internal: bool,
}

/// Where a handle stands between opening and its close completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Life {
    Inactive,
    Active,
    Closing,
}

/// How many things keep the loop alive, apart from closing handles.
#[derive(Default)]
pub(crate) struct ActiveCounts {
    /// Handles that are active and referenced.
    pub handles: usize,
    /// Requests in flight.
    pub requests: usize,
    /// What the user counted in by hand.
    pub extra: usize,
}

impl ActiveCounts {
    pub fn is_empty(&self) -> bool {
        self.handles == 0 && self.requests == 0 && self.extra == 0
    }
}

impl Head {
    /// Whether no handle is here.
    #[inline]
    pub fn is_vacant(&self) -> bool {
        self.name.is_vacant()
    }

    fn counts(&self) -> bool {
        self.life == Life::Active && self.referenced
    }

    pub fn activate(&mut self, active: &mut ActiveCounts) {
        self.change(active, |head| head.life = Life::Active);
    }

    pub fn deactivate(&mut self, active: &mut ActiveCounts) {
        self.change(active, |head| head.life = Life::Inactive);
    }

    pub fn set_referenced(&mut self, referenced: bool, active: &mut ActiveCounts) {
        self.change(active, |head| head.referenced = referenced);
    }

    pub fn begin_closing(&mut self, active: &mut ActiveCounts) {
        self.change(active, |head| head.life = Life::Closing);
    }

    /// The one place where the active counts are kept.
    fn change(&mut self, active: &mut ActiveCounts, change: impl FnOnce(&mut Self)) {
        active.handles -= usize::from(self.counts());
        change(self);
        active.handles += usize::from(self.counts());
    }
}

impl<T> Slab<T> {
    pub fn new(kind: Kind) -> Self {
        Self { kind, entries: Vec::new(), free: Vec::new() }
    }

    /// Adds an inactive, referenced handle.
    pub fn insert(&mut self, token: Token, born: u64, body: T) -> HandleId {
        self.insert_as(self.kind, token, born, body)
    }

    /// As [`insert`](Self::insert), for a handle of another kind of the family.
    pub fn insert_as(&mut self, kind: Kind, token: Token, born: u64, body: T) -> HandleId {
        self.add(kind, token, born, body, |_| 0)
    }

    /// As [`insert`](Self::insert), where an index that was never used before begins with
    /// generation `first(index)`.
    pub fn insert_with(
        &mut self,
        token: Token,
        born: u64,
        body: T,
        first: impl Fn(u32) -> u32,
    ) -> HandleId {
        self.add(self.kind, token, born, body, first)
    }

    #[inline]
    fn add(
        &mut self,
        kind: Kind,
        token: Token,
        born: u64,
        body: T,
        first: impl Fn(u32) -> u32,
    ) -> HandleId {
        let free = self.free.pop();
        let index = free.unwrap_or(self.len());
        let generation = match free {
            Some(index) => self[index].head.name.generation(),
            None => first(index),
        };
        let name = Name::new(kind, generation);
        let head =
            Head { token, born, name, life: Life::Inactive, referenced: true, internal: false };
        let entry = Entry { head, body };
        match free {
            Some(index) => self[index] = entry,
            None => {
                make_room(&mut self.entries, 1);
                self.entries.push(entry);
            }
        }
        name.at(index)
    }

    /// Ends the life of the handle at `index`: its id is stale from now on. The index is not used
    /// again before [`recycle`](Self::recycle).
    pub fn remove(&mut self, index: u32) {
        let head = &mut self[index].head;
        head.name = head.name.vacated();
    }

    /// Gives the index of a removed handle back for the next one.
    pub fn recycle(&mut self, index: u32) {
        // An index out of generations could mistake a stale id for a fresh one: let it rest.
        if self[index].head.name.generation() < LAST_GENERATION {
            self.free.push(index);
        }
    }

    /// The index of the handle that `id` names, unless it is stale or of another kind.
    #[inline]
    pub fn find(&self, id: HandleId) -> Option<u32> {
        let head = &self.entries.get(id.index() as usize)?.head;
        (head.name == id.name()).then_some(id.index())
    }

    #[inline]
    pub fn get_mut(&mut self, id: HandleId) -> Option<&mut Entry<T>> {
        let entry = self.entries.get_mut(id.index() as usize)?;
        (entry.head.name == id.name()).then_some(entry)
    }

    /// How many indices are or were in use.
    pub fn len(&self) -> u32 {
        u32::try_from(self.entries.len()).expect("fewer than 2^32 handles")
    }

    /// The id of the handle at `index`.
    pub fn id(&self, index: u32) -> HandleId {
        self[index].head.name.at(index)
    }

    pub fn iter(&self) -> impl Iterator<Item = (HandleId, &Entry<T>)> {
        let living = self.entries.iter().zip(0..).filter(|(entry, _)| !entry.head.is_vacant());
        living.map(|(entry, index)| (entry.head.name.at(index), entry))
    }
}

impl<T> std::ops::Index<u32> for Slab<T> {
    type Output = Entry<T>;

    fn index(&self, index: u32) -> &Entry<T> {
        &self.entries[index as usize]
    }
}

impl<T> std::ops::IndexMut<u32> for Slab<T> {
    fn index_mut(&mut self, index: u32) -> &mut Entry<T> {
        &mut self.entries[index as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn insert(slab: &mut Slab<()>) -> HandleId {
        slab.insert(Token(0), 0, ())
    }

    fn end(slab: &mut Slab<()>, id: HandleId) {
        slab.remove(id.index());
        slab.recycle(id.index());
    }

    #[test]
    fn an_id_finds_its_handle_and_after_that_nothing() {
        let mut slab = Slab::new(Kind::Tcp);
        let tcp = insert(&mut slab);
        let pipe = slab.insert_as(Kind::Pipe, Token(1), 1, ());
        assert_eq!([tcp, pipe].map(|id| slab.find(id)), [Some(0), Some(1)]);
        assert_eq!((tcp.kind(), pipe.kind()), (Kind::Tcp, Kind::Pipe));
        // The right place, but neither the kind nor the generation of who is there.
        assert_eq!(slab.find(Name::new(Kind::Tcp, 0).at(1)), None);
        assert_eq!(slab.find(Name::new(Kind::Pipe, 1).at(1)), None);
        end(&mut slab, pipe);
        assert_eq!(slab.find(pipe), None);
        // Not even somebody who guesses the next id finds a place that is vacant.
        assert_eq!(slab.find(Name::new(Kind::Pipe, 1).at(1)), None);
        assert_eq!(slab.iter().map(|(id, _)| id).collect::<Vec<_>>(), [tcp]);
        let next = insert(&mut slab);
        assert_eq!((next.index(), next.generation(), next.kind()), (1, 1, Kind::Tcp));
        assert_eq!([tcp, pipe, next].map(|id| slab.find(id)), [Some(0), None, Some(1)]);
    }

    #[test]
    fn an_index_that_is_out_of_generations_is_left_alone() {
        for last in [LAST_GENERATION - 1, LAST_GENERATION] {
            let mut slab = Slab::new(Kind::Async);
            let id = slab.insert_with(Token(0), 0, (), |_| last);
            assert_eq!(slab.find(id), Some(0));
            end(&mut slab, id);
            assert_eq!(slab.find(id), None);
            assert_eq!(insert(&mut slab).index(), 1);
        }
    }
}
