//! Every handle of one engine, by kind.

use mauve_sys::descriptor::{BorrowedDescriptor, RawDescriptor};

use crate::handle::{
    async_::Async, fs_event::FsEvent, fs_poll::FsPoll, hook::Hook, poll::Poll, process::Process,
    signal::Signal, stream::Stream, timer::Timer, udp::Udp,
};
use crate::id::{HandleId, HandleKind};
use crate::registration::Registration;
use crate::slab::{Body, CacheLine, Head, Slab};
use crate::sort::sort_by_number;

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
    /// The last number that [`next_sequence`](Self::next_sequence) has returned.
    last_sequence: u64,
    /// The engine's time, in milliseconds.
    pub now: u64,
    overwritten: OverwrittenCheck,
}

/// When to look for handles that the program has overwritten.
#[derive(Default)]
struct OverwrittenCheck {
    /// Handles that were created since they were last counted.
    created: u32,
    /// How many handles the last check has found.
    found: usize,
    /// How many of them were not active.
    inactive: usize,
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
            last_sequence: 0,
            now: 0,
            overwritten: OverwrittenCheck::default(),
        }
    }

    /// Returns the sequence number of a new handle. It is larger than all earlier ones, and its high
    /// bits are the time of creation, see [`created_at`].
    pub fn next_sequence(&mut self) -> u64 {
        self.overwritten.created += 1;
        self.last_sequence = (self.last_sequence + 1).max(self.now << SEQUENCE_BITS);
        self.last_sequence
    }

    /// Whether as many inactive handles were added since the last check as it has found handles, so that the
    /// time of all checks is proportional to the number of handles. `active` is the number of active
    /// ones. Counts them after every 256 new handles only.
    #[inline]
    pub fn may_have_overwritten(&mut self, active: usize) -> bool {
        const INTERVAL: u32 = 256;
        self.overwritten.created >= INTERVAL && {
            self.overwritten.created = 0;
            let OverwrittenCheck { found, inactive, .. } = self.overwritten;
            self.count().saturating_sub(active) >= inactive + found + INTERVAL as usize
        }
    }

    /// Ends a check for [`may_have_overwritten`](Self::may_have_overwritten).
    pub fn end_overwritten_check(&mut self, active: usize) {
        let found = self.count();
        self.overwritten.found = found;
        self.overwritten.inactive = found.saturating_sub(active);
    }

    /// Whether the tokens of the user's handles ascend from one entry to the next, so that no two are
    /// equal. They often do: a program with many handles has them in an array.
    pub fn tokens_ascend(&self) -> bool {
        let last = &mut 0;
        ascend(&self.timers, last)
            && ascend(&self.idles, last)
            && ascend(&self.prepares, last)
            && ascend(&self.checks, last)
            && ascend(&self.asyncs, last)
            && ascend(&self.polls, last)
            && ascend(&self.streams, last)
            && ascend(&self.udps, last)
            && ascend(&self.signals, last)
            && ascend(&self.processes, last)
            && ascend(&self.fs_events, last)
            && ascend(&self.fs_polls, last)
    }

    #[cold]
    fn count(&self) -> usize {
        self.timers.taken()
            + self.idles.taken()
            + self.prepares.taken()
            + self.checks.taken()
            + self.asyncs.taken()
            + self.polls.taken()
            + self.streams.taken()
            + self.udps.taken()
            + self.signals.taken()
            + self.processes.taken()
            + self.fs_events.taken()
            + self.fs_polls.taken()
    }

    /// The sequence number of the newest handle.
    pub fn last_sequence(&self) -> u64 {
        self.last_sequence
    }

    /// The common part of a handle of any kind.
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

    /// The descriptor of a handle and the interest in it. `None` for kinds without a descriptor.
    pub fn source(&mut self, id: HandleId) -> Option<(RawDescriptor, &mut Registration)> {
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
    pub fn descriptor(&self, id: HandleId) -> Option<BorrowedDescriptor<'_>> {
        match id.kind() {
            HandleKind::Tcp | HandleKind::Pipe | HandleKind::Tty => {
                self.streams[self.streams.find(id)?].body.fd().ok()
            }
            HandleKind::Udp => self.udps[self.udps.find(id)?].body.fd().ok(),
            _ => None,
        }
    }

    /// The ids of all handles in the order of their creation.
    pub fn ids(&self) -> Vec<HandleId> {
        self.all().into_iter().map(|(id, ..)| id).collect()
    }

    /// All handles in the order of their creation, with their sequence numbers.
    pub fn all(&self) -> Vec<(HandleId, &Head, u64)> {
        let mut all = Vec::new();
        push_heads(&mut all, &self.timers);
        push_heads(&mut all, &self.idles);
        push_heads(&mut all, &self.prepares);
        push_heads(&mut all, &self.checks);
        push_heads(&mut all, &self.asyncs);
        push_heads(&mut all, &self.polls);
        push_heads(&mut all, &self.streams);
        push_heads(&mut all, &self.udps);
        push_heads(&mut all, &self.signals);
        push_heads(&mut all, &self.processes);
        push_heads(&mut all, &self.fs_events);
        push_heads(&mut all, &self.fs_polls);
        sort_by_number(&mut all, |(_, _, sequence)| *sequence);
        all
    }
}

/// The low bits of a sequence number count the handles created in one millisecond. If the count
/// overflows, [`created_at`] of the last of these handles is too late.
const SEQUENCE_BITS: u32 = 24;

/// The loop's time, in milliseconds, when the handle with this sequence number was created.
pub(crate) fn created_at(sequence: u64) -> u64 {
    sequence >> SEQUENCE_BITS
}

fn push_heads<'a, T: Body>(all: &mut Vec<(HandleId, &'a Head, u64)>, slab: &'a Slab<T>) {
    for (id, entry) in slab.iter() {
        all.push((id, &entry.head, slab.sequence(id.index())));
    }
}

/// Whether the tokens of the user's handles ascend, beginning above `last`, which becomes the last one.
fn ascend<T: Body>(slab: &Slab<T>, last: &mut u64) -> bool {
    let users = slab.iter().map(|(_, entry)| &entry.head).filter(|head| !head.is_internal());
    users.map(|head| head.token.0).all(|token| std::mem::replace(last, token) < token)
}

/// Without padding, because a program may have millions of timers.
impl Body for Timer {
    type Align = u32;
}

macro_rules! fill_cache_lines {
    ($($body:ty),*) => {
        $(impl Body for $body {
            type Align = CacheLine;
        })*
    };
}

fill_cache_lines!(Hook, Async, Poll, Stream, Udp, Signal, Process, FsEvent, FsPoll);
