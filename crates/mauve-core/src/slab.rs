//! A growing array of entries with generations, one per kind of handle or family of kinds.
//!
//! Entries are adjacent and found by index, so an operation on a handle touches one cache line.
//! Each entry has the [`Head`] that all kinds share and the body of its kind. Sequence numbers are
//! rarely read and stored separately ([`SequenceNumbers`]).

use crate::id::{HandleId, HandleKind, LAST_GENERATION, Tag, Token};
use crate::sequence::SequenceNumbers;
use crate::slots::Slots;

/// All handles of one kind, or of a family that shares its state.
pub(crate) struct Slab<T: Body> {
    kind: HandleKind,
    entries: Slots<Aligned<T>>,
    sequence_numbers: SequenceNumbers,
}

/// The state of a kind of handle.
pub(crate) trait Body {
    /// A type with the alignment of the entries.
    type Align;
}

/// The alignment of entries that fill a cache line, so that none spans two.
#[repr(align(64))]
pub(crate) struct CacheLine;

/// One handle: the part that all kinds share, and the state of its kind.
pub(crate) struct Entry<T> {
    pub head: Head,
    pub body: T,
}

/// An entry with the alignment of its kind.
struct Aligned<T: Body> {
    entry: Entry<T>,
    _align: [T::Align; 0],
}

/// The part that all kinds of handle share. Packed into 12 bytes, because a program may have
/// millions of timers.
#[repr(C, packed(4))]
pub(crate) struct Head {
    pub token: Token,
    /// The [`Tag`] of the current or last handle of this entry. The kind uses four of its eight
    /// bits; the other four are the flags below.
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
    handles: usize,
    /// Requests in flight.
    requests: usize,
    /// References that the host has added.
    host_references: usize,
}

impl ActiveCounts {
    pub fn is_empty(&self) -> bool {
        self.handles == 0 && self.requests == 0 && self.host_references == 0
    }

    #[inline]
    pub fn begin_request(&mut self) {
        self.requests += 1;
    }

    #[inline]
    pub fn end_request(&mut self) {
        self.requests -= 1;
    }

    pub fn has_requests(&self) -> bool {
        self.requests > 0
    }

    /// Handles that are active and referenced.
    #[inline]
    pub fn handles(&self) -> usize {
        self.handles
    }

    pub fn host_references(&self) -> usize {
        self.host_references
    }

    pub fn set_host_references(&mut self, count: usize) {
        self.host_references = count;
    }
}

impl Head {
    /// An inactive, referenced handle.
    fn new(token: Token, tag: Tag) -> Self {
        Self { token, tag: tag.bits() | REFERENCED }
    }

    fn tag(&self) -> Tag {
        Tag::from_bits(self.tag & !FLAGS)
    }

    /// Whether the entry is free.
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

    /// Updates the active counts. They change nowhere else.
    fn change(&mut self, active: &mut ActiveCounts, change: impl FnOnce(&mut Self)) {
        active.handles -= usize::from(self.counts());
        change(self);
        active.handles += usize::from(self.counts());
    }
}

impl<T: Body> Slab<T> {
    pub fn new(kind: HandleKind) -> Self {
        Self { kind, entries: Slots::new(), sequence_numbers: SequenceNumbers::default() }
    }

    /// Adds an inactive, referenced handle.
    pub fn insert(&mut self, token: Token, sequence: u64, body: T) -> HandleId {
        self.insert_as(self.kind, token, sequence, body)
    }

    /// As [`insert`](Self::insert), for a handle of another kind of the family.
    pub fn insert_as(
        &mut self,
        kind: HandleKind,
        token: Token,
        sequence: u64,
        body: T,
    ) -> HandleId {
        self.add(kind, token, sequence, body, |_| 0)
    }

    /// As [`insert`](Self::insert), where an index that was never used before begins with
    /// generation `first(index)`.
    pub fn insert_with(
        &mut self,
        token: Token,
        sequence: u64,
        body: T,
        first: impl Fn(u32) -> u32,
    ) -> HandleId {
        self.add(self.kind, token, sequence, body, first)
    }

    #[inline]
    fn add(
        &mut self,
        kind: HandleKind,
        token: Token,
        sequence: u64,
        body: T,
        first: impl Fn(u32) -> u32,
    ) -> HandleId {
        let mut fresh = Some(body);
        let index = self.entries.take(|index| {
            let tag = Tag::new(kind, first(index as u32));
            let body = fresh.take().expect("there is one");
            Aligned { entry: Entry { head: Head::new(token, tag), body }, _align: [] }
        });
        let index = index as u32;
        let tag = Tag::new(kind, self[index].head.tag().generation());
        if let Some(body) = fresh {
            self[index] = Entry { head: Head::new(token, tag), body };
        }
        self.sequence_numbers.set(index, sequence);
        tag.at(index)
    }

    /// Removes the handle at `index`. Its id is stale from now on. The index is not reused before
    /// [`recycle`](Self::recycle).
    pub fn remove(&mut self, index: u32) {
        let head = &mut self[index].head;
        head.tag = head.tag().vacated().bits() | head.tag & FLAGS;
    }

    /// Makes the index of a removed handle available to a new one.
    pub fn recycle(&mut self, index: u32) {
        // After the last generation the counter would wrap, and a stale id would match again.
        if self[index].head.tag().generation() < LAST_GENERATION {
            self.entries.free(index as usize);
        }
    }

    /// The index of the handle with this id, unless the id is stale or of another kind.
    #[inline]
    pub fn find(&self, id: HandleId) -> Option<u32> {
        let head = &self.entries.get(id.index() as usize)?.entry.head;
        (head.tag & !FLAGS == id.tag().bits()).then_some(id.index())
    }

    #[inline]
    pub fn get_mut(&mut self, id: HandleId) -> Option<&mut Entry<T>> {
        let entry = &mut self.entries.get_mut(id.index() as usize)?.entry;
        (entry.head.tag & !FLAGS == id.tag().bits()).then_some(entry)
    }

    /// How many handles there are.
    pub fn taken(&self) -> usize {
        self.entries.taken()
    }

    /// How many indices are or were in use.
    pub fn len(&self) -> u32 {
        self.entries.len() as u32
    }

    /// The id of the handle at `index`.
    pub fn id(&self, index: u32) -> HandleId {
        self[index].head.tag().at(index)
    }

    /// The sequence number of the handle at `index`. It grows with every handle of the engine.
    #[inline]
    pub fn sequence(&self, index: u32) -> u64 {
        self.sequence_numbers.get(index)
    }

    pub fn iter(&self) -> impl Iterator<Item = (HandleId, &Entry<T>)> {
        let entries = self.entries.iter().map(|aligned| &aligned.entry).zip(0..);
        let live = entries.filter(|(entry, _)| !entry.head.is_vacant());
        live.map(|(entry, index)| (entry.head.tag().at(index), entry))
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
    fn the_id_of_a_removed_handle_finds_nothing() {
        let mut slab = Slab::new(HandleKind::Tcp);
        let tcp = insert(&mut slab);
        let pipe = slab.insert_as(HandleKind::Pipe, Token(1), 1, ());
        assert_eq!([tcp, pipe].map(|id| slab.find(id)), [Some(0), Some(1)]);
        assert_eq!((tcp.kind(), pipe.kind()), (HandleKind::Tcp, HandleKind::Pipe));
        // The right index, but another kind or generation.
        assert_eq!(slab.find(Tag::new(HandleKind::Tcp, 0).at(1)), None);
        assert_eq!(slab.find(Tag::new(HandleKind::Pipe, 1).at(1)), None);
        end(&mut slab, pipe);
        assert_eq!(slab.find(pipe), None);
        // A guess of the next id does not find a vacant entry.
        assert_eq!(slab.find(Tag::new(HandleKind::Pipe, 1).at(1)), None);
        assert_eq!(slab.iter().map(|(id, _)| id).collect::<Vec<_>>(), [tcp]);
        let next = insert(&mut slab);
        assert_eq!((next.index(), next.generation(), next.kind()), (1, 1, HandleKind::Tcp));
        assert_eq!([tcp, pipe, next].map(|id| slab.find(id)), [Some(0), None, Some(1)]);
    }

    #[test]
    fn an_index_is_not_reused_after_its_last_generation() {
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
