//! A growing array of entries with generations, one per kind of handle or family of kinds.
//!
//! Entries are adjacent and found by index, so an operation on a handle touches one place in memory.
//! Each entry has the [`Head`] that all kinds share and the body of its kind. The times of creation
//! are rarely read and stored apart ([`Births`]).

use crate::births::Births;
use crate::id::{HandleId, HandleKind, LAST_GENERATION, Name, Token};
use crate::slots::Slots;

/// All handles of one kind, or of a family that shares its state.
pub(crate) struct Slab<T: Body> {
    kind: HandleKind,
    entries: Slots<Aligned<T>>,
    births: Births,
}

/// The state of a kind of handle.
pub(crate) trait Body {
    /// A type with the alignment of the entries.
    type Align;
}

/// The alignment of entries that fill a cache line: none lies across two.
#[repr(align(64))]
pub(crate) struct CacheLine;

/// One handle: what all kinds have in common, and the rest.
pub(crate) struct Entry<T> {
    pub head: Head,
    pub body: T,
}

/// An entry with the alignment that its kind asks for.
struct Aligned<T: Body> {
    entry: Entry<T>,
    _align: [T::Align; 0],
}

/// What every handle has, in 12 bytes: ten million timers have ten million heads.
#[repr(C, packed(4))]
pub(crate) struct Head {
    pub token: Token,
    /// The name of the handle that is or was last here. Its kind takes four bits of eight; the
    /// other four are the flags below.
    tag: u32,
}

const KIND: u32 = 0x0f;
const LIFE: u32 = 0x30;
const ACTIVE: u32 = (Life::Active as u32) << LIFE_SHIFT;
const LIFE_SHIFT: u32 = 4;
const REFERENCED: u32 = 0x40;
const INTERNAL: u32 = 0x80;
const FLAGS: u32 = LIFE | REFERENCED | INTERNAL;

/// The state of a handle between opening and its close completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Life {
    Inactive = 0,
    Active = 1,
    Closing = 2,
}

/// How many things keep the loop alive, apart from closing handles.
#[derive(Default)]
pub(crate) struct ActiveCounts {
    /// Handles that are active and referenced.
    pub handles: usize,
    /// Requests in flight.
    pub requests: usize,
    /// References that the host has added.
    pub host_references: usize,
}

impl ActiveCounts {
    pub fn is_empty(&self) -> bool {
        self.handles == 0 && self.requests == 0 && self.host_references == 0
    }
}

impl Head {
    /// An inactive, referenced handle.
    fn new(token: Token, name: Name) -> Self {
        Self { token, tag: name.bits() | REFERENCED }
    }

    fn name(&self) -> Name {
        Name::from_bits(self.tag & !FLAGS)
    }

    /// Whether no handle is here.
    #[inline]
    pub fn is_vacant(&self) -> bool {
        self.tag & KIND == 0
    }

    #[inline]
    pub fn life(&self) -> Life {
        match self.tag & LIFE {
            0 => Life::Inactive,
            ACTIVE => Life::Active,
            _ => Life::Closing,
        }
    }

    fn set_life(&mut self, life: Life) {
        self.tag = self.tag & !LIFE | (life as u32) << LIFE_SHIFT;
    }

    #[inline]
    pub fn is_referenced(&self) -> bool {
        self.tag & REFERENCED != 0
    }

    /// Whether the handle belongs to the engine itself and is hidden from the user.
    #[inline]
    pub fn is_internal(&self) -> bool {
        self.tag & INTERNAL != 0
    }

    /// Hides the handle from the user.
    pub fn set_internal(&mut self) {
        self.tag |= INTERNAL;
    }

    fn counts(&self) -> bool {
        self.tag & (LIFE | REFERENCED) == ACTIVE | REFERENCED
    }

    pub fn activate(&mut self, active: &mut ActiveCounts) {
        self.change(active, |head| head.set_life(Life::Active));
    }

    pub fn deactivate(&mut self, active: &mut ActiveCounts) {
        self.change(active, |head| head.set_life(Life::Inactive));
    }

    pub fn set_referenced(&mut self, referenced: bool, active: &mut ActiveCounts) {
        self.change(active, |head| {
            head.tag &= !REFERENCED;
            head.tag |= if referenced { REFERENCED } else { 0 };
        });
    }

    pub fn begin_closing(&mut self, active: &mut ActiveCounts) {
        self.change(active, |head| head.set_life(Life::Closing));
    }

    /// The one place where the active counts are kept.
    fn change(&mut self, active: &mut ActiveCounts, change: impl FnOnce(&mut Self)) {
        active.handles -= usize::from(self.counts());
        change(self);
        active.handles += usize::from(self.counts());
    }
}

impl<T: Body> Slab<T> {
    pub fn new(kind: HandleKind) -> Self {
        Self { kind, entries: Slots::new(), births: Births::default() }
    }

    /// Adds an inactive, referenced handle.
    pub fn insert(&mut self, token: Token, born: u64, body: T) -> HandleId {
        self.insert_as(self.kind, token, born, body)
    }

    /// As [`insert`](Self::insert), for a handle of another kind of the family.
    pub fn insert_as(&mut self, kind: HandleKind, token: Token, born: u64, body: T) -> HandleId {
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
        kind: HandleKind,
        token: Token,
        born: u64,
        body: T,
        first: impl Fn(u32) -> u32,
    ) -> HandleId {
        let mut fresh = Some(body);
        let index = self.entries.take(|index| {
            let name = Name::new(kind, first(index as u32));
            let body = fresh.take().expect("there is one");
            Aligned { entry: Entry { head: Head::new(token, name), body }, _align: [] }
        });
        let index = index as u32;
        let name = Name::new(kind, self[index].head.name().generation());
        if let Some(body) = fresh {
            self[index] = Entry { head: Head::new(token, name), body };
        }
        self.births.set(index, born);
        name.at(index)
    }

    /// Ends the life of the handle at `index`: its id is stale from now on. The index is not used
    /// again before [`recycle`](Self::recycle).
    pub fn remove(&mut self, index: u32) {
        let head = &mut self[index].head;
        head.tag = head.name().vacated().bits() | head.tag & FLAGS;
    }

    /// Gives the index of a removed handle back for the next one.
    pub fn recycle(&mut self, index: u32) {
        // An index out of generations could mistake a stale id for a fresh one: let it rest.
        if self[index].head.name().generation() < LAST_GENERATION {
            self.entries.free(index as usize);
        }
    }

    /// The index of the handle that `id` names, unless it is stale or of another kind.
    #[inline]
    pub fn find(&self, id: HandleId) -> Option<u32> {
        let head = &self.entries.get(id.index() as usize)?.entry.head;
        (head.tag & !FLAGS == id.name().bits()).then_some(id.index())
    }

    #[inline]
    pub fn get_mut(&mut self, id: HandleId) -> Option<&mut Entry<T>> {
        let entry = &mut self.entries.get_mut(id.index() as usize)?.entry;
        (entry.head.tag & !FLAGS == id.name().bits()).then_some(entry)
    }

    /// How many indices are or were in use.
    pub fn len(&self) -> u32 {
        self.entries.len() as u32
    }

    /// The id of the handle at `index`.
    pub fn id(&self, index: u32) -> HandleId {
        self[index].head.name().at(index)
    }

    /// The birth of the handle at `index`: a number that grows with every handle of the engine.
    #[inline]
    pub fn born(&self, index: u32) -> u64 {
        self.births.get(index)
    }

    pub fn iter(&self) -> impl Iterator<Item = (HandleId, &Entry<T>)> {
        let entries = self.entries.iter().map(|aligned| &aligned.entry).zip(0..);
        let living = entries.filter(|(entry, _)| !entry.head.is_vacant());
        living.map(|(entry, index)| (entry.head.name().at(index), entry))
    }
}

impl<T: Body> std::ops::Index<u32> for Slab<T> {
    type Output = Entry<T>;

    fn index(&self, index: u32) -> &Entry<T> {
        &self.entries[index as usize].entry
    }
}

impl<T: Body> std::ops::IndexMut<u32> for Slab<T> {
    fn index_mut(&mut self, index: u32) -> &mut Entry<T> {
        &mut self.entries[index as usize].entry
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Body for () {
        type Align = u8;
    }

    fn insert(slab: &mut Slab<()>) -> HandleId {
        slab.insert(Token(0), 0, ())
    }

    fn end(slab: &mut Slab<()>, id: HandleId) {
        slab.remove(id.index());
        slab.recycle(id.index());
    }

    #[test]
    fn an_id_finds_its_handle_and_after_that_nothing() {
        let mut slab = Slab::new(HandleKind::Tcp);
        let tcp = insert(&mut slab);
        let pipe = slab.insert_as(HandleKind::Pipe, Token(1), 1, ());
        assert_eq!([tcp, pipe].map(|id| slab.find(id)), [Some(0), Some(1)]);
        assert_eq!((tcp.kind(), pipe.kind()), (HandleKind::Tcp, HandleKind::Pipe));
        // The right index, but another kind or generation.
        assert_eq!(slab.find(Name::new(HandleKind::Tcp, 0).at(1)), None);
        assert_eq!(slab.find(Name::new(HandleKind::Pipe, 1).at(1)), None);
        end(&mut slab, pipe);
        assert_eq!(slab.find(pipe), None);
        // A guess of the next id does not find a vacant entry.
        assert_eq!(slab.find(Name::new(HandleKind::Pipe, 1).at(1)), None);
        assert_eq!(slab.iter().map(|(id, _)| id).collect::<Vec<_>>(), [tcp]);
        let next = insert(&mut slab);
        assert_eq!((next.index(), next.generation(), next.kind()), (1, 1, HandleKind::Tcp));
        assert_eq!([tcp, pipe, next].map(|id| slab.find(id)), [Some(0), None, Some(1)]);
    }

    #[test]
    fn an_index_that_is_out_of_generations_is_left_alone() {
        for last in [LAST_GENERATION - 1, LAST_GENERATION] {
            let mut slab = Slab::new(HandleKind::Async);
            let id = slab.insert_with(Token(0), 0, (), |_| last);
            assert_eq!(slab.find(id), Some(0));
            end(&mut slab, id);
            assert_eq!(slab.find(id), None);
            assert_eq!(insert(&mut slab).index(), 1);
        }
    }
}
