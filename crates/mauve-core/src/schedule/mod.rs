//! The schedule: decides which of the ready completions comes next.
//!
//! The plain one keeps libuv's order, and is no code at all. The seeded one belongs to a [`Simulation`], which
//! `mauve sim` sets for a process. It permutes only what neither libuv nor the kernel promises:
//!
//! * [`events`]: the events of one poll, and whether timers that are due come first.
//! * [`work`]: the requests that the pool has finished, if it has more than one thread.
//! * [`streams`]: how many bytes a read or a write takes.
//! * [`faults`]: which calls fail, if the simulation has rates for that.
//!
//! A [simulation] draws each decision, numbers and logs it, and can repeat a log. The hooks of the
//! schedule are on paths that a loop takes only while [tracing is on](crate::trace::is_on), and on the
//! paths of uncommon streams, so that the plain schedule costs nothing.

mod events;
pub(crate) mod faults;
mod simulation;
mod streams;
mod work;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mauve_sys::driver::Driver;

use crate::Engine;
use crate::handle::stream::is_stream;
use crate::id::{HandleId, HandleKind, RequestId, Token};
use crate::run::Mode;
use crate::trace::{self, CallbackKind, CallbackName, Event};

pub use faults::{FaultRates, NoRates};
pub use simulation::{Decision, DecisionKind, Key, Names, Simulation, of_process, set_of_process};

/// The seeded schedule of one loop.
pub(crate) struct LoopSchedule {
    simulation: Arc<Simulation>,
    /// The number of the loop in logs.
    number: u16,
    /// The number of the loop in traces.
    trace_number: u16,
    /// How many decisions of each kind were drawn.
    drawn: [AtomicU32; DecisionKind::ALL.len()],
    /// How many jobs of the pool did not finish while the loop waited for them.
    unfinished: AtomicUsize,
    /// By how many nanoseconds the timer is late that ends the wait of this poll phase.
    late: AtomicU64,
    /// The mode of the run.
    mode: AtomicU8,
    /// The requests in flight, with their numbers in the order in which they were submitted.
    submitted: Mutex<Submitted>,
}

/// The requests that were submitted.
#[derive(Default)]
struct Submitted {
    in_flight: HashMap<RequestId, u32>,
    count: u32,
}

impl LoopSchedule {
    /// Draws a decision: zero for what the plain schedule does, or a number below `options`. `subject` says
    /// what it is about.
    fn decide(
        &self,
        kind: DecisionKind,
        options: usize,
        subject: impl FnOnce(usize) -> String,
    ) -> usize {
        if options < 2 {
            return 0;
        }
        let ordinal = self.drawn[kind as usize].fetch_add(1, Ordering::Relaxed);
        let options = u32::try_from(options).unwrap_or(u32::MAX);
        let key = Key { lp: self.number, kind, ordinal };
        let choice = self.simulation.decide(key, options, |choice| subject(choice as usize));
        self.trace(key, choice, options);
        choice as usize
    }

    /// Records a decision that is not the plain schedule's.
    fn trace(&self, key: Key, choice: u32, options: u32) {
        if choice != 0 {
            trace::record(self.trace_number, Event::Decision { key, choice, options });
        }
    }

    /// Draws whether a call fails: zero if not. `ordinal` is the number of the call if the kind has no count
    /// of its own. Only calls that fail have a subject, and are logged.
    fn decide_fault(
        &self,
        kind: DecisionKind,
        ordinal: Option<u32>,
        rate: f64,
        options: usize,
        subject: impl FnOnce(usize) -> String,
    ) -> usize {
        let next = || self.drawn[kind as usize].fetch_add(1, Ordering::Relaxed);
        let key = Key { lp: self.number, kind, ordinal: ordinal.unwrap_or_else(next) };
        let options = u32::try_from(options).unwrap_or(u32::MAX);
        let subject = |choice| subject(choice as usize);
        let choice = self.simulation.decide_fault(key, rate, options, subject);
        self.trace(key, choice, options);
        choice as usize
    }
}

impl<D: Driver> Engine<D> {
    /// Replaces the plain schedule by a seeded one. For a loop that has no streams yet.
    pub fn set_schedule(&mut self, simulation: Arc<Simulation>) {
        trace::note_schedule();
        let number = simulation.next_loop();
        let has_faults = simulation.has_faults();
        let schedule = Arc::new(LoopSchedule {
            simulation,
            number,
            trace_number: self.trace_number(),
            drawn: Default::default(),
            unfinished: AtomicUsize::new(0),
            late: AtomicU64::new(events::UNDECIDED),
            mode: AtomicU8::new(Mode::Default as u8),
            submitted: Mutex::default(),
        });
        if has_faults {
            faults::enter_loop(self.trace_number(), &schedule);
        }
        self.schedule = Some(schedule);
    }

    /// What draws the decisions of the loop, if it has a seeded schedule.
    pub fn simulation(&self) -> Option<&Arc<Simulation>> {
        self.schedule.as_ref().map(|schedule| &schedule.simulation)
    }

    /// Called before a callback, which the log contains.
    pub(crate) fn note_scheduled_call(&self, kind: CallbackKind, name: CallbackName) {
        if let Some(schedule) = &self.schedule {
            schedule.simulation.note_call(schedule.number, kind, name);
        }
    }

    /// Lets time pass without an event, as if the system had been busy.
    fn pass_time(&mut self, time: Duration) {
        match self.virtual_clock() {
            Some(clock) => clock.advance_to(clock.now() + time.as_nanos() as u64),
            None => self.driver.pause(time),
        }
        self.update_time();
    }

    /// The callback of a handle, for logs.
    fn name_handle(&mut self, id: HandleId) -> String {
        let Some(token) = self.table.head(id).map(|head| head.token) else {
            return "a closed handle".to_owned();
        };
        let stream = self.table.streams.find(id).filter(|_| is_stream(id.kind()));
        let kind = match id.kind() {
            _ if stream.is_some_and(|index| self.table.streams[index].body.is_listening()) => {
                CallbackKind::Connection
            }
            HandleKind::Udp => CallbackKind::Receive,
            HandleKind::Poll => CallbackKind::Poll,
            HandleKind::Process => CallbackKind::Exit,
            _ => CallbackKind::Read,
        };
        self.name_callback(kind, token)
    }

    /// The callback of a request, for logs.
    fn name_request(&self, id: RequestId) -> String {
        if self.fs_polls.contains(id) {
            return "fs_poll".to_owned();
        }
        let found = self.works.token_of(id);
        found.map_or_else(String::new, |token| self.name_callback(CallbackKind::Work, token))
    }

    fn name_callback(&self, kind: CallbackKind, token: Token) -> String {
        let name = self.tracer.names().map_or(CallbackName::Unknown, |names| names(kind, token));
        let name = self.schedule.as_ref().map(|schedule| schedule.simulation.name(name));
        format!("{} {}", kind.name(), name.unwrap_or_default()).trim_end().to_owned()
    }
}
