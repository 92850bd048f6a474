//! The poll phase.
//!
//! * [`wait`]: registers changed interests, and waits for events.
//! * [`report`]: handles the events, and reports their completions.

mod report;
mod wait;

use mauve_sys::driver::{Event, Interest, Readiness};

/// The events that the driver has returned.
#[derive(Default)]
pub(crate) struct PollEvents {
    /// The number of the current batch: how often the driver was polled.
    batch: u64,
    current: EventBatch,
}

/// The batch of events that the current poll phase handles.
#[derive(Default)]
pub(crate) struct EventBatch {
    events: Vec<Event>,
    /// Position in `events` of the next one to handle.
    next: usize,
    /// How often a full batch may still be followed by another one.
    batches_left: u32,
    /// Requests that ended in this batch beyond one for each event.
    further_events: usize,
    /// Events of this batch that no handle wanted. They are not counted.
    stale_events: usize,
    /// Whether the events were ready before the loop polled.
    batch_was_ready: bool,
    /// Whether every event of the phase so far was for an interest that has ended.
    stale: bool,
    /// The wait of the host.
    wait: HostWait,
}

/// A wait that the host performs while it does not borrow the engine.
#[derive(Default)]
struct HostWait {
    /// Milliseconds. `None` means without a limit.
    timeout: Option<u64>,
    /// Whether the wait is recorded.
    traced: bool,
}

impl PollEvents {
    fn is_pending(&self) -> bool {
        !self.current.events.is_empty()
    }

    /// The events of the current batch.
    pub fn current_events(&mut self) -> &mut Vec<Event> {
        &mut self.current.events
    }

    /// The number of the current batch.
    pub fn batch(&self) -> u64 {
        self.batch
    }

    /// Takes the rest of the current batch.
    pub fn suspend(&mut self) -> EventBatch {
        std::mem::take(&mut self.current)
    }

    /// Continues a batch that was suspended.
    pub fn resume(&mut self, batch: EventBatch) {
        self.current = batch;
    }

    /// Notes the readiness of a descriptor. It is stale if the interest in it has ended. As in
    /// libuv, errors and hang-ups are always of interest.
    #[inline(always)]
    pub fn note_readiness(&mut self, readiness: Readiness, wanted: Interest) {
        let always = Readiness::ERROR | Readiness::HANGUP;
        let fits = !readiness.wanted(wanted).is_empty() || readiness.intersects(always);
        self.current.stale &= wanted.is_empty() || !fits;
    }

    /// Notes that an event with this readiness is not handled, unless it is an error or a hang-up of a
    /// descriptor that is still watched.
    #[cold]
    pub fn note_unwanted(&mut self, readiness: Readiness, wanted: Interest) {
        let failed = readiness.intersects(Readiness::ERROR | Readiness::HANGUP);
        self.current.stale_events += usize::from(wanted.is_empty() || !failed);
    }

    /// Excludes an event from the counted ones: it is dropped, or belongs to another one.
    #[cold]
    pub fn exclude_event(&mut self) {
        self.current.stale_events += 1;
    }

    /// Excludes requests that another phase reports from the counted events.
    pub fn exclude_events(&mut self, count: usize) {
        self.current.further_events = self.current.further_events.saturating_sub(count);
    }

    /// Notes that an event of the current poll phase was wanted.
    #[inline(always)]
    pub fn note_wanted_event(&mut self) {
        self.current.stale = false;
    }
}
