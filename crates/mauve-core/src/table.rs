//! Every handle of one engine, by kind.

use std::os::fd::{BorrowedFd, RawFd};

use crate::handle::{
    async_::Async, fs_event::FsEvent, fs_poll::FsPoll, hook::Hook, poll::Poll, process::Process,
    signal::Signal, stream::Stream, timer::Timer, udp::Udp,
};
use crate::id::{HandleId, HandleKind};
use crate::io::Watch;
use crate::slab::{Body, CacheLine, Head, Slab};

/// The handles.
pub(crate) struct Table {
    pub timers: Slab<Timer>,
    pub idles: Slab<Hook>,
    pub prepares: Slab<Hook>,
    pub checks: Slab<Hook>,
    pub asyncs: Slab<Async>,
    pub polls: Slab<Poll>,
    /// TCP, pipes and terminals.
    pub streams: Slab<Stream>,
    pub udps: Slab<Udp>,
    pub signals: Slab<Signal>,
    pub processes: Slab<Process>,
    pub fs_events: Slab<FsEvent>,
    pub fs_polls: Slab<FsPoll>,
    /// The last handle's [`birth`](Self::birth).
    births: u64,
    /// The engine's time, in milliseconds.
    pub now: u64,
}

impl Table {
    pub fn new() -> Self {
        Self {
            timers: Slab::new(HandleKind::Timer),
            idles: Slab::new(HandleKind::Idle),
            prepares: Slab::new(HandleKind::Prepare),
            checks: Slab::new(HandleKind::Check),
            asyncs: Slab::new(HandleKind::Async),
            polls: Slab::new(HandleKind::Poll),
            streams: Slab::new(HandleKind::Tcp),
            udps: Slab::new(HandleKind::Udp),
            signals: Slab::new(HandleKind::Signal),
            processes: Slab::new(HandleKind::Process),
            fs_events: Slab::new(HandleKind::FsEvent),
            fs_polls: Slab::new(HandleKind::FsPoll),
            births: 0,
            now: 0,
        }
    }

    /// A number that is larger than that of every handle opened before, and tells when it was
    /// made: see [`born_at`].
    pub fn birth(&mut self) -> u64 {
        self.births = (self.births + 1).max(self.now << SEQUENCE_BITS);
        self.births
    }

    /// The birth of the newest handle.
    pub fn last_birth(&self) -> u64 {
        self.births
    }

    /// What all handles have in common, of one of them.
    pub fn head(&mut self, id: HandleId) -> Option<&mut Head> {
        match id.kind() {
            HandleKind::Timer => self.timers.get_mut(id).map(|entry| &mut entry.head),
            HandleKind::Idle => self.idles.get_mut(id).map(|entry| &mut entry.head),
            HandleKind::Prepare => self.prepares.get_mut(id).map(|entry| &mut entry.head),
            HandleKind::Check => self.checks.get_mut(id).map(|entry| &mut entry.head),
            HandleKind::Async => self.asyncs.get_mut(id).map(|entry| &mut entry.head),
            HandleKind::Poll => self.polls.get_mut(id).map(|entry| &mut entry.head),
            HandleKind::Tcp | HandleKind::Pipe | HandleKind::Tty => {
                self.streams.get_mut(id).map(|entry| &mut entry.head)
            }
            HandleKind::Udp => self.udps.get_mut(id).map(|entry| &mut entry.head),
            HandleKind::Signal => self.signals.get_mut(id).map(|entry| &mut entry.head),
            HandleKind::Process => self.processes.get_mut(id).map(|entry| &mut entry.head),
            HandleKind::FsEvent => self.fs_events.get_mut(id).map(|entry| &mut entry.head),
            HandleKind::FsPoll => self.fs_polls.get_mut(id).map(|entry| &mut entry.head),
        }
    }

    /// The descriptor of a handle and the interest in it, if it is of a kind that has one.
    pub fn source(&mut self, id: HandleId) -> Option<(RawFd, &mut Watch)> {
        match id.kind() {
            HandleKind::Poll => self.polls.get_mut(id).map(|entry| entry.body.source.parts()),
            HandleKind::Process => {
                self.processes.get_mut(id).map(|entry| entry.body.source.parts())
            }
            HandleKind::Tcp | HandleKind::Pipe | HandleKind::Tty => {
                self.streams.get_mut(id).map(|entry| entry.body.source.parts())
            }
            HandleKind::Udp => self.udps.get_mut(id).map(|entry| entry.body.source.parts()),
            HandleKind::Timer
            | HandleKind::Idle
            | HandleKind::Prepare
            | HandleKind::Check
            | HandleKind::Async => None,
            HandleKind::Signal | HandleKind::FsEvent | HandleKind::FsPoll => None,
        }
    }

    /// The descriptor of a stream or datagram socket, while it has one.
    pub fn descriptor(&self, id: HandleId) -> Option<BorrowedFd<'_>> {
        match id.kind() {
            HandleKind::Tcp | HandleKind::Pipe | HandleKind::Tty => {
                self.streams[self.streams.find(id)?].body.fd().ok()
            }
            HandleKind::Udp => self.udps[self.udps.find(id)?].body.fd().ok(),
            _ => None,
        }
    }

    /// All handles in the order of their creation, with their births.
    pub fn all(&self) -> Vec<(HandleId, &Head, u64)> {
        let mut all: Vec<_> = heads(&self.timers)
            .chain(heads(&self.idles))
            .chain(heads(&self.prepares))
            .chain(heads(&self.checks))
            .chain(heads(&self.asyncs))
            .chain(heads(&self.polls))
            .chain(heads(&self.streams))
            .chain(heads(&self.udps))
            .chain(heads(&self.signals))
            .chain(heads(&self.processes))
            .chain(heads(&self.fs_events))
            .chain(heads(&self.fs_polls))
            .collect();
        all.sort_unstable_by_key(|(_, _, born)| *born);
        all
    }
}

/// Handles that are born in the same millisecond are counted in so many bits. Should they be more,
/// the last ones look a little younger than they are.
const SEQUENCE_BITS: u32 = 24;

/// The millisecond in which a handle was born.
pub(crate) fn born_at(born: u64) -> u64 {
    born >> SEQUENCE_BITS
}

fn heads<T: Body>(slab: &Slab<T>) -> impl Iterator<Item = (HandleId, &Head, u64)> {
    slab.iter().map(|(id, entry)| (id, &entry.head, slab.born(id.index())))
}

/// There may be millions of timers: their entries are adjacent without padding.
impl Body for Timer {
    type Align = u32;
}

impl Body for Hook {
    type Align = CacheLine;
}

impl Body for Async {
    type Align = CacheLine;
}

impl Body for Poll {
    type Align = CacheLine;
}

impl Body for Stream {
    type Align = CacheLine;
}

impl Body for Udp {
    type Align = CacheLine;
}

impl Body for Signal {
    type Align = CacheLine;
}

impl Body for Process {
    type Align = CacheLine;
}

impl Body for FsEvent {
    type Align = CacheLine;
}

impl Body for FsPoll {
    type Align = CacheLine;
}
