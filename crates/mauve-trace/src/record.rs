//! The record: what one thread writes to its ring for one event.
//!
//! A record has four words: the time, a head, an id, and a value. The head holds the kind of record,
//! two small numbers and a 32-bit number. Their meaning depends on the kind, see [`RecordKind`].

pub use mauve_core::trace::CallbackKind;

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
    /// A run ends. `small`: whether the loop is alive. `number` and `value`: how many events the loop
    /// has handled, and how many of them were ready before it polled.
    RunEnd,
    /// A phase other than poll begins, and the one before it ends. `small`: the phase.
    Phase,
    /// The poll phase begins to wait. `id`: the iteration. `number`: how many events the loop has
    /// handled. `value`: the timeout in milliseconds, or `u32::MAX`; and in its upper half how many
    /// events were ready before the loop polled.
    WaitBegin,
    /// The loop has waited. `number`: how many events the driver returned.
    WaitEnd,
    /// A callback begins. `small`: its [kind](CallbackKind). `id`: the token.
    /// `number`: for a timer, how many milliseconds ago it was due. `value`: its name.
    CallbackBegin,
    /// The innermost callback ends.
    CallbackEnd,
    /// A handle is opened. `small`: its kind. `number`: one if it existed before the trace. `id`:
    /// its token. `value`: its id.
    HandleOpen,
    /// A handle has a descriptor. `number`: the descriptor. `id`: its token.
    HandleFd,
    /// A handle begins to close. `id`: its token.
    HandleClosing,
    /// A request is submitted to the pool, or performed inline. `id`: the request.
    Submit,
    /// A pool thread starts a request. `id`: the request.
    JobBegin,
    /// A pool thread has finished a request. `id`: the request.
    JobEnd,
    /// The callback of a pool request begins next on this thread. `id`: the request.
    Completed,
    /// A thread wakes a loop. `lp`: the loop. `id`: the id of the async handle.
    Wakeup,
    /// The name of what a pool thread runs for a request. `id`: the request. `value`: the name.
    JobName,
    /// The stack of a callback that runs long. `id`: when the callback began. Its frames follow.
    Sample,
    /// A frame of the last sample of this thread, the innermost first. `value`: the name.
    Frame,
    /// A seeded schedule does not do what the plain one does. `small`, `value` and `number`: the kind, loop and
    /// ordinal of the decision. `id`: what was chosen; and in its upper half how many choices there were.
    Decision,
}

impl RecordKind {
    const ALL: [Self; 21] = [
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
        Self::JobName,
        Self::Sample,
        Self::Frame,
        Self::Decision,
    ];

    /// Whether the thread that runs the loop has written the record.
    pub fn is_of_loop_thread(self) -> bool {
        !matches!(
            self,
            Self::JobBegin
                | Self::JobEnd
                | Self::JobName
                | Self::Wakeup
                | Self::Sample
                | Self::Frame
                | Self::Decision
        )
    }

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
