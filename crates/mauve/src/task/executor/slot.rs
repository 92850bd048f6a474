//! The state of one task.

use std::future::Future;
use std::num::NonZeroU32;
use std::panic::Location;
use std::pin::Pin;
use std::task::Waker;

use crate::metrics::PollTimes;

/// The future of a task. It stores its own result for the join handle.
pub(super) type TaskFuture = Pin<Box<dyn Future<Output = ()>>>;

/// Identifies a task of one executor: its slot, counted from one. The slot of a finished task is
/// reused, so a stale key may name a newer task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TaskKey(NonZeroU32);

impl TaskKey {
    /// The key of a slot. `None` if there are too many.
    pub fn of(slot: usize) -> Option<Self> {
        u32::try_from(slot + 1).ok().and_then(NonZeroU32::new).map(Self)
    }

    /// The slot.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// A task, in a cache line of its own.
#[repr(align(64))]
pub(super) struct TaskSlot {
    pub state: TaskState,
    /// Whether the task is in the local queue, or has yielded.
    pub queued: bool,
    /// Whether the task is dropped instead of polled.
    pub aborted: bool,
    /// Where the task was spawned.
    pub location: &'static Location<'static>,
    pub polls: u32,
    pub poll_times: PollTimes,
}

impl TaskSlot {
    pub fn new(location: &'static Location<'static>) -> Self {
        let poll_times = PollTimes::default();
        Self {
            state: TaskState::FREE,
            queued: false,
            aborted: false,
            location,
            polls: 0,
            poll_times,
        }
    }
}

const _: () = assert!(size_of::<TaskSlot>() == 64, "a task takes one cache line");

pub(super) enum TaskState {
    Waiting(TaskFuture, Waker),
    /// The future is elsewhere, or there is none.
    Away(Away),
}

pub(super) enum Away {
    /// There is no task.
    Free,
    /// The task is being polled.
    Polling,
}

impl TaskState {
    pub const FREE: Self = Self::Away(Away::Free);

    pub fn is_free(&self) -> bool {
        matches!(self, Self::Away(Away::Free))
    }
}
