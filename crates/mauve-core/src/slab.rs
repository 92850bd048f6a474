//! A growing array of entries with generations, one per kind of handle or family of kinds.
//!
//! Entries stand next to each other and are found by index, so an operation on a handle touches
//! one place in memory. The [`Head`] that every kind shares stands in front of the kind's body.

use crate::id::{HandleId, Kind, LAST_GENERATION, Token};

/// All handles of one kind, or of a family that shares its state.
pub(crate) struct Slab<T> {
    kind: Kind,
    entries: Vec<Entry<T>>,
    free: Vec<u32>,
}

/// One handle: what all kinds have in common, and the rest. A timer fills a cache line exactly,
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
    generation: u32,
    kind: Kind,
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
    /// No handle is here.
    Vacant,
}

/// How many things keep the loop alive, apart from closing handles.
#[derive(Default)]
pub(crate) struct Census {
    /// Handles that are active and referenced.
    pub handles: usize,
    /// Requests in flight.
    pub requests: usize,
    /// What the user counted in by hand.
    pub extra: usize,
}

impl Census {
    pub fn is_empty(&self) -> bool {
        self.handles == 0 && self.requests == 0 && self.extra == 0
    }
}

impl Head {
    fn counts(&self) -> bool {
        self.life == Life::Active && self.referenced
    }

    pub fn activate(&mut self, census: &mut Census) {
        self.change(census, |head| head.life = Life::Active);
    }

    pub fn deactivate(&mut self, census: &mut Census) {
        self.change(census, |head| head.life = Life::Inactive);
    }

    pub fn set_referenced(&mut self, referenced: bool, census: &mut Census) {
        self.change(census, |head| head.referenced = referenced);
    }

    pub fn begin_closing(&mut self, census: &mut Census) {
        self.change(census, |head| head.life = Life::Closing);
    }

    /// The one place where the census is kept.
    fn change(&mut self, census: &mut Census, change: impl FnOnce(&mut Self)) {
        census.handles -= usize::from(self.counts());
        change(self);
        census.handles += usize::from(self.counts());
    }
}

impl<T> Slab<T> {
    pub fn new(kind: Kind) -> Self {
        Self { kind, entries: Vec::new(), free: Vec::new() }
    }

    /// Adds an inactive, referenced handle.
    pub fn insert(&mut self, token: Token, born: u64, body: T) -> HandleId {
        self.insert_with(token, born, body, |_| 0)
    }

    /// As [`insert`](Self::insert), for a handle of another kind of the family.
    pub fn insert_as(&mut self, kind: Kind, token: Token, born: u64, body: T) -> HandleId {
        let index = self.insert(token, born, body).index();
        self[index].head.kind = kind;
        self.id(index)
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
        let mut head = Head {
            token,
            born,
            generation: 0,
            kind: self.kind,
            life: Life::Inactive,
            referenced: true,
            internal: false,
        };
        let index = match self.free.pop() {
            Some(index) => {
                let entry = &mut self.entries[index as usize];
                head.generation = entry.head.generation;
                *entry = Entry { head, body };
                index
            }
            None => {
                let index = u32::try_from(self.entries.len()).expect("fewer than 2^32 handles");
                head.generation = first(index);
                self.entries.push(Entry { head, body });
                index
            }
        };
        self.id(index)
    }

    /// Ends the life of the handle at `index`: its id is stale from now on. The index is not used
    /// again before [`recycle`](Self::recycle).
    pub fn remove(&mut self, index: u32) {
        let head = &mut self[index].head;
        head.life = Life::Vacant;
        head.generation += 1;
    }

    /// Gives the index of a removed handle back for the next one.
    pub fn recycle(&mut self, index: u32) {
        // An index out of generations could mistake a stale id for a fresh one: let it rest.
        if self[index].head.generation < LAST_GENERATION {
            self.free.push(index);
        }
    }

    /// The index of the handle that `id` names, unless it is stale or of another kind.
    #[inline]
    pub fn find(&self, id: HandleId) -> Option<u32> {
        let head = &self.entries.get(id.index() as usize)?.head;
        let found = head.generation == id.generation()
            && head.life != Life::Vacant
            && id.to_bits() as u8 == head.kind as u8;
        found.then_some(id.index())
    }

    #[inline]
    pub fn get_mut(&mut self, id: HandleId) -> Option<&mut Entry<T>> {
        let index = self.find(id)?;
        self.entries.get_mut(index as usize)
    }

    /// How many indices are or were in use.
    pub fn len(&self) -> u32 {
        self.entries.len() as u32
    }

    /// The id of the handle at `index`.
    pub fn id(&self, index: u32) -> HandleId {
        let head = &self[index].head;
        HandleId::new(head.kind, index, head.generation)
    }

    pub fn iter(&self) -> impl Iterator<Item = (HandleId, &Entry<T>)> {
        let living = self.entries.iter().zip(0..).filter(|(e, _)| e.head.life != Life::Vacant);
        living.map(|(entry, index)| {
            (HandleId::new(entry.head.kind, index, entry.head.generation), entry)
        })
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
