//! Every handle of one engine, by kind.

use std::os::fd::{BorrowedFd, RawFd};

use crate::handle::{
    async_::Async, fs_event::FsEvent, fs_poll::FsPoll, hook::Hook, poll::Poll, process::Process,
    signal::Signal, stream::Stream, timer::Timer, udp::Udp,
};
use crate::id::{HandleId, Kind};
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
            timers: Slab::new(Kind::Timer),
            idles: Slab::new(Kind::Idle),
            prepares: Slab::new(Kind::Prepare),
            checks: Slab::new(Kind::Check),
            asyncs: Slab::new(Kind::Async),
            polls: Slab::new(Kind::Poll),
            streams: Slab::new(Kind::Tcp),
            udps: Slab::new(Kind::Udp),
            signals: Slab::new(Kind::Signal),
            processes: Slab::new(Kind::Process),
            fs_events: Slab::new(Kind::FsEvent),
            fs_polls: Slab::new(Kind::FsPoll),
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
            Kind::Timer => self.timers.get_mut(id).map(|entry| &mut entry.head),
            Kind::Idle => self.idles.get_mut(id).map(|entry| &mut entry.head),
            Kind::Prepare => self.prepares.get_mut(id).map(|entry| &mut entry.head),
            Kind::Check => self.checks.get_mut(id).map(|entry| &mut entry.head),
            Kind::Async => self.asyncs.get_mut(id).map(|entry| &mut entry.head),
            Kind::Poll => self.polls.get_mut(id).map(|entry| &mut entry.head),
            Kind::Tcp | Kind::Pipe | Kind::Tty => {
                self.streams.get_mut(id).map(|entry| &mut entry.head)
            }
            Kind::Udp => self.udps.get_mut(id).map(|entry| &mut entry.head),
            Kind::Signal => self.signals.get_mut(id).map(|entry| &mut entry.head),
            Kind::Process => self.processes.get_mut(id).map(|entry| &mut entry.head),
            Kind::FsEvent => self.fs_events.get_mut(id).map(|entry| &mut entry.head),
            Kind::FsPoll => self.fs_polls.get_mut(id).map(|entry| &mut entry.head),
        }
    }

    /// The descriptor of a handle and the interest in it, if it is of a kind that has one.
    pub fn source(&mut self, id: HandleId) -> Option<(RawFd, &mut Watch)> {
        match id.kind() {
            Kind::Poll => self.polls.get_mut(id).map(|entry| entry.body.source.parts()),
            Kind::Process => self.processes.get_mut(id).map(|entry| entry.body.source.parts()),
            Kind::Tcp | Kind::Pipe | Kind::Tty => {
                self.streams.get_mut(id).map(|entry| entry.body.source.parts())
            }
            Kind::Udp => self.udps.get_mut(id).map(|entry| entry.body.source.parts()),
            Kind::Timer | Kind::Idle | Kind::Prepare | Kind::Check | Kind::Async => None,
            Kind::Signal | Kind::FsEvent | Kind::FsPoll => None,
        }
    }

    /// The descriptor of a stream or datagram socket, while it has one.
    pub fn descriptor(&self, id: HandleId) -> Option<BorrowedFd<'_>> {
        match id.kind() {
            Kind::Tcp | Kind::Pipe | Kind::Tty => {
                self.streams[self.streams.find(id)?].body.fd().ok()
            }
            Kind::Udp => self.udps[self.udps.find(id)?].body.fd().ok(),
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
