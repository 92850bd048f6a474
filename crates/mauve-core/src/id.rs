//! Generational ids of handles and requests, and the host's tokens.

use std::fmt;
use std::num::NonZeroU64;

/// The host's identifier of a handle or request. The engine returns it with every completion. The
/// C ABI uses addresses, the Rust API keys of its tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Token(pub u64);

impl Token {
    /// The token of an abandoned handle, in its close completion.
    pub const ABANDONED: Self = Self(0);
}

/// The kinds of handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum HandleKind {
    /// Completes when a time has elapsed.
    Timer = 1,
    /// Completes once per iteration, and keeps the loop from waiting.
    Idle,
    /// Completes once per iteration, before the poll phase.
    Prepare,
    /// Completes once per iteration, after the poll phase.
    Check,
    /// Completes when another thread notifies it.
    Async,
    /// Completes when a descriptor of the program is ready.
    Poll,
    /// A TCP connection, or a listening socket.
    Tcp,
    /// A local socket, a pipe, or a fifo.
    Pipe,
    /// A terminal.
    Tty,
    /// A datagram socket.
    Udp,
    /// Completes when a signal is delivered.
    Signal,
    /// A child process; completes when it has exited.
    Process,
    /// Completes when the system reports a change of a file.
    FsEvent,
    /// Completes when a periodic `stat` finds a file changed.
    FsPoll,
}

impl HandleKind {
    const ALL: [Self; 14] = [
        Self::Timer,
        Self::Idle,
        Self::Prepare,
        Self::Check,
        Self::Async,
        Self::Poll,
        Self::Tcp,
        Self::Pipe,
        Self::Tty,
        Self::Udp,
        Self::Signal,
        Self::Process,
        Self::FsEvent,
        Self::FsPoll,
    ];

    /// The name that libuv gives it.
    #[doc(alias = "uv_handle_type_name")]
    pub fn name(self) -> &'static str {
        match self {
            Self::Timer => "timer",
            Self::Idle => "idle",
            Self::Prepare => "prepare",
            Self::Check => "check",
            Self::Async => "async",
            Self::Poll => "poll",
            Self::Tcp => "tcp",
            Self::Pipe => "pipe",
            Self::Tty => "tty",
            Self::Udp => "udp",
            Self::Signal => "signal",
            Self::Process => "process",
            Self::FsEvent => "fs_event",
            Self::FsPoll => "fs_poll",
        }
    }

    /// The kinds are numbered from one on, in the order of the list.
    #[inline]
    fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number).wrapping_sub(1)).copied()
    }
}

/// A handle of one engine.
///
/// Holds an index, a generation and the kind. The id of a closed handle is *stale*: the engine finds
/// no handle for it, even when the index is in use for another handle.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct HandleId(NonZeroU64);

const KIND_BITS: u32 = 8;
const GENERATION_BITS: u32 = 24;

/// The last generation of an index. An index that reached it is never used again.
pub(crate) const LAST_GENERATION: u32 = (1 << GENERATION_BITS) - 1;

impl HandleId {
    /// The id as a number.
    #[inline]
    pub fn to_bits(self) -> u64 {
        self.0.get()
    }

    /// The inverse of [`to_bits`](Self::to_bits). Returns `None` for a number without a valid kind.
    /// Any other invalid number gives a stale id.
    #[inline]
    pub fn from_bits(bits: u64) -> Option<Self> {
        HandleKind::from_number(bits as u8)?;
        NonZeroU64::new(bits).map(Self)
    }

    /// What kind of handle this is.
    #[inline]
    pub fn kind(self) -> HandleKind {
        self.tag().kind().expect("both constructors check the kind")
    }

    #[inline]
    pub(crate) fn index(self) -> u32 {
        (self.0.get() >> 32) as u32
    }

    #[inline]
    pub(crate) fn tag(self) -> Tag {
        Tag(self.0.get() as u32)
    }

    #[inline]
    pub(crate) fn generation(self) -> u32 {
        self.tag().generation()
    }
}

/// Generation and kind. Distinguishes a handle from earlier ones with the same index. A free index
/// has no kind.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tag(u32);

impl Tag {
    pub fn new(kind: HandleKind, generation: u32) -> Self {
        debug_assert!(generation <= LAST_GENERATION);
        Self(generation << KIND_BITS | kind as u32)
    }

    /// The id of the handle at `index`.
    pub fn at(self, index: u32) -> HandleId {
        let bits = u64::from(index) << 32 | u64::from(self.0);
        HandleId(NonZeroU64::new(bits).expect("a handle has a kind"))
    }

    /// The tag of the index after its handle was removed: the next generation, without a kind.
    pub fn vacated(self) -> Self {
        Self((self.generation() + 1).min(LAST_GENERATION) << KIND_BITS)
    }

    #[inline]
    pub fn bits(self) -> u32 {
        self.0
    }

    /// The inverse of [`bits`](Self::bits).
    #[inline]
    pub fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    pub fn generation(self) -> u32 {
        self.0 >> KIND_BITS
    }

    #[inline]
    fn kind(self) -> Option<HandleKind> {
        HandleKind::from_number(self.0 as u8)
    }
}

impl fmt::Debug for HandleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}#{}.{}", self.kind(), self.index(), self.generation())
    }
}

/// A request of one engine: an index and a generation, as for handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RequestId {
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

impl RequestId {
    /// The id as a number.
    pub fn to_bits(self) -> u64 {
        u64::from(self.index) << 32 | u64::from(self.generation)
    }

    /// The inverse of [`to_bits`](Self::to_bits). An invalid number gives a stale id.
    pub fn from_bits(bits: u64) -> Self {
        Self { index: (bits >> 32) as u32, generation: bits as u32 }
    }
}
