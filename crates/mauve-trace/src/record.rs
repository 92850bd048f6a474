//! The record: what one thread writes to its ring for one event.
//!
//! A record has four words: the time, a head, an id, and a value. The head holds the kind of record,
//! two small numbers and a 32-bit number. Their meaning depends on the kind, see [`RecordKind`].

/// Words in a record.
pub const WORDS: usize = 4;

/// One record, 32 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Nanoseconds of the monotonic clock.
    pub time: u64,
    /// What happened. A number without a [`RecordKind`] is skipped by readers.
    pub kind: u8,
    /// A number of 8 bits.
    pub small: u8,
    /// The number of the loop in its process, or zero.
    pub lp: u16,
    /// A number of 32 bits.
    pub number: u32,
    /// The token of a handle, or the id of a request.
    pub id: u64,
    /// A name or a number of 64 bits.
    pub value: u64,
}

/// The kinds of record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum RecordKind {
    /// A loop begins to be traced. `value`: the address of its `uv_loop_t`, or zero.
    LoopOpen = 1,
    /// A loop is closed.
    LoopClose,
    /// A run begins. `small`: the mode.
    RunBegin,
    /// A run ends. `small`: whether the loop is alive.
    RunEnd,
    /// A phase begins, and the one before it ends. `small`: the phase. `value`: the iteration.
    Phase,
    /// The loop begins to wait. `value`: the timeout in nanoseconds, or `u64::MAX`.
    WaitBegin,
    /// The loop has waited. `number`: how many events the driver returned.
    WaitEnd,
    /// A callback begins. `small`: its [kind](crate::record::CallbackKind). `id`: the token.
    /// `number`: for a timer, how many milliseconds ago it was due. `value`: its name.
    CallbackBegin,
    /// The innermost callback ends.
    CallbackEnd,
    /// A handle is opened. `small`: its kind. `id`: its token.
    HandleOpen,
    /// A handle has a descriptor. `number`: the descriptor. `id`: its token.
    HandleFd,
    /// A handle begins to close. `id`: its token.
    HandleClosing,
    /// A request is submitted to the pool. `id`: the request. `value`: its token.
    Submit,
    /// A pool thread starts a request. `id`: the request. `value`: its name.
    JobBegin,
    /// A pool thread has finished a request. `id`: the request.
    JobEnd,
    /// The callback of a pool request begins next on this thread. `id`: the request.
    Completed,
    /// A thread wakes a loop. `lp`: the loop. `id`: the token of the async handle, or zero.
    Wakeup,
}

impl RecordKind {
    const ALL: [Self; 17] = [
        Self::LoopOpen,
        Self::LoopClose,
        Self::RunBegin,
        Self::RunEnd,
        Self::Phase,
        Self::WaitBegin,
        Self::WaitEnd,
        Self::CallbackBegin,
        Self::CallbackEnd,
        Self::HandleOpen,
        Self::HandleFd,
        Self::HandleClosing,
        Self::Submit,
        Self::JobBegin,
        Self::JobEnd,
        Self::Completed,
        Self::Wakeup,
    ];

    /// The kind with this number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number).wrapping_sub(1)).copied()
    }
}

impl Record {
    /// The record as it is in memory.
    #[inline]
    pub fn to_words(self) -> [u64; WORDS] {
        let head = u64::from(self.kind)
            | u64::from(self.small) << 8
            | u64::from(self.lp) << 16
            | u64::from(self.number) << 32;
        [self.time, head, self.id, self.value]
    }

    /// The inverse of [`to_words`](Self::to_words).
    pub fn from_words([time, head, id, value]: [u64; WORDS]) -> Self {
        Self {
            time,
            kind: head as u8,
            small: (head >> 8) as u8,
            lp: (head >> 16) as u16,
            number: (head >> 32) as u32,
            id,
            value,
        }
    }
}

macro_rules! callback_kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal,)*) => {
        /// What a callback is for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum CallbackKind {
            $($(#[$doc])* $kind,)*
        }

        impl CallbackKind {
            /// All kinds, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// The name for users.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }
        }
    };
}

callback_kinds! {
    /// A timer is due.
    Timer = "timer",
    /// An idle handle.
    Idle = "idle",
    /// A prepare handle.
    Prepare = "prepare",
    /// A check handle.
    Check = "check",
    /// An async handle was notified.
    Async = "async",
    /// A polled descriptor is ready.
    Poll = "poll",
    /// A stream is read.
    Read = "read",
    /// A stream is writable.
    Writable = "writable",
    /// A listening socket has a connection.
    Connection = "connection",
    /// A connect request has ended.
    Connect = "connect",
    /// A write request has ended.
    Write = "write",
    /// A shutdown request has ended.
    Shutdown = "shutdown",
    /// A datagram is received.
    Receive = "receive",
    /// A datagram was sent.
    Send = "send",
    /// A signal was delivered.
    Signal = "signal",
    /// A child has exited.
    Exit = "exit",
    /// A watched file has changed.
    FsEvent = "fs_event",
    /// A polled file has changed.
    FsPoll = "fs_poll",
    /// A file system request or other work of the pool has ended.
    Work = "work",
    /// A handle is closed.
    Close = "close",
    /// A Rust task is polled.
    Task = "task",
    /// JavaScript: the main script or a module.
    Script = "script",
    /// JavaScript: a function in the queue of `process.nextTick`.
    Tick = "tick",
    /// JavaScript: the microtask queue.
    Microtask = "microtasks",
    /// JavaScript: a function in the queue of `setImmediate`.
    Immediate = "immediate",
    /// JavaScript: a function of `setTimeout` or `setInterval`.
    Timeout = "timeout",
}

impl CallbackKind {
    /// The kind with this number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_the_same_after_encoding() {
        let record = Record {
            time: u64::MAX - 1,
            kind: RecordKind::Wakeup as u8,
            small: 0xfe,
            lp: 0xfedc,
            number: 0xfedc_ba98,
            id: 0x1122_3344_5566_7788,
            value: 7,
        };
        assert_eq!(Record::from_words(record.to_words()), record);
    }

    #[test]
    fn kinds_are_found_by_their_numbers() {
        for kind in RecordKind::ALL {
            assert_eq!(RecordKind::from_number(kind as u8), Some(kind));
        }
        for kind in CallbackKind::ALL {
            assert_eq!(CallbackKind::from_number(*kind as u8), Some(*kind));
        }
        assert_eq!(RecordKind::from_number(0), None);
        assert_eq!(RecordKind::from_number(200), None);
        assert_eq!(CallbackKind::from_number(200), None);
    }
}
