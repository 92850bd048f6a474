//! The decoded trace: plain data, in lists that refer to each other by index.
//!
//! All times are nanoseconds since [`Trace::origin`]. All lists of spans are sorted by their begin.
//! A span that was not over when the trace ended ends with the trace, see [`Trace::end`].

use mauve_core::schedule::Key;
use mauve_core::{HandleKind, Phase};

pub use crate::name::Name;
pub use crate::record::CallbackKind;

/// Position in the list of threads of a trace.
pub type ThreadIndex = usize;
/// Position in the list of loops of a trace.
pub type LoopIndex = usize;
/// Position in the list of handles of a trace.
pub type HandleIndex = usize;
/// Position in the list of requests of a trace.
pub type RequestIndex = usize;
/// Position in the list of names of a trace.
pub type NameIndex = usize;
/// Position in the list of frames of a trace.
pub type FrameIndex = usize;

/// What the loops of one or more processes did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// The beginning, in nanoseconds of the system's monotonic clock.
    pub origin: u64,
    /// The beginning, in nanoseconds since 1970.
    pub wall_clock: u64,
    /// The time of the last record.
    pub end: u64,
    /// The traced processes.
    pub processes: Vec<Process>,
    /// The threads that wrote records, loops and pool threads alike.
    pub threads: Vec<Thread>,
    /// The loops.
    pub loops: Vec<Loop>,
    /// The iterations of all loops.
    pub iterations: Vec<Iteration>,
    /// The phases of all iterations.
    pub phases: Vec<PhaseSpan>,
    /// The waits in poll phases.
    pub waits: Vec<Wait>,
    /// The callbacks of loops and, inside them, of queues.
    pub callbacks: Vec<Callback>,
    /// The requests on the thread pool.
    pub requests: Vec<Request>,
    /// The wake-ups of loops by other threads.
    pub wakeups: Vec<Wakeup>,
    /// What seeded schedules did not do as the plain one does.
    pub decisions: Vec<Decision>,
    /// The handles.
    pub handles: Vec<Handle>,
    /// The names of callbacks, jobs and frames.
    pub names: Vec<Name>,
    /// The frames of all stacks: a tree that has its roots at the callbacks.
    pub frames: Vec<Frame>,
    /// The stacks of callbacks that ran long.
    pub samples: Vec<Sample>,
    /// Records that are missing, because they were overwritten before they were read.
    pub dropped: u64,
    /// What the reader could not trace, in sentences for the user.
    pub remarks: Vec<String>,
}

/// A traced process.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Process {
    /// Its id.
    pub pid: u32,
    /// Its command line.
    pub command: String,
}

/// A thread that wrote records.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thread {
    /// Position of its process.
    pub process: usize,
    /// Its id, as the kernel numbers it.
    pub tid: u32,
    /// Its name.
    pub name: String,
    /// Records that are missing.
    pub dropped: u64,
}

/// A loop.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Loop {
    /// Position of its process.
    pub process: usize,
    /// The thread that runs it. If several did, the last.
    pub thread: ThreadIndex,
    /// Its number in its process, from one on.
    pub number: u32,
    /// The address of its `uv_loop_t`, or zero.
    pub uv_loop: u64,
    /// How many events it had handled at its last record that says so, of 32 bits.
    pub events: u32,
    /// Its first record.
    pub begin: u64,
    /// When it was closed, or the end of the trace.
    pub end: u64,
}

/// One iteration of a loop, from its first phase to its last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iteration {
    /// The loop.
    pub lp: LoopIndex,
    /// Its number in the loop, from one on.
    pub number: u64,
    /// Begin.
    pub begin: u64,
    /// End.
    pub end: u64,
    /// The part of it that the loop waited.
    pub waited: u64,
    /// How many events were handled in it, as `uv_metrics_info` counts them.
    pub events: u32,
    /// How many of them were ready before the loop polled. Counted if the loop measures idle time.
    pub events_waiting: u32,
}

/// A phase of an iteration. Empty phases are not recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhaseSpan {
    /// The loop.
    pub lp: LoopIndex,
    /// The phase.
    pub phase: Phase,
    /// Begin.
    pub begin: u64,
    /// End.
    pub end: u64,
    /// How many callbacks of the loop ran in it.
    pub callbacks: u32,
}

/// A wait for events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wait {
    /// The loop.
    pub lp: LoopIndex,
    /// Begin.
    pub begin: u64,
    /// End.
    pub end: u64,
    /// The requested timeout in nanoseconds. `None` is no timeout.
    pub timeout: Option<u64>,
    /// How many events the driver returned.
    pub events: u32,
}

/// A callback.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Callback {
    /// The loop.
    pub lp: LoopIndex,
    /// The thread that ran it.
    pub thread: ThreadIndex,
    /// What it is for.
    pub kind: CallbackKind,
    /// The phase that it ran in.
    pub phase: Option<Phase>,
    /// How many other callbacks it ran inside: zero for a callback of the loop itself.
    pub depth: u8,
    /// The handle that it is for, if it is known.
    pub handle: Option<HandleIndex>,
    /// The pool request that it completes.
    pub request: Option<RequestIndex>,
    /// The descriptor.
    pub fd: Option<i32>,
    /// When it was ready to be called, if that is known: never after `begin`.
    pub ready: Option<u64>,
    /// Begin.
    pub begin: u64,
    /// End.
    pub end: u64,
    /// Whether it had not returned when the trace ended.
    pub running: bool,
    /// Its function.
    pub name: Option<NameIndex>,
}

impl Callback {
    /// How long it ran.
    pub fn duration(&self) -> u64 {
        self.end - self.begin
    }

    /// How long it was ready before it was called.
    pub fn delay(&self) -> Option<u64> {
        self.ready.map(|ready| self.begin.saturating_sub(ready))
    }
}

/// A request on the thread pool, from its submission to its callback.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Request {
    /// The loop that submitted it.
    pub lp: LoopIndex,
    /// The thread that submitted it.
    pub submitter: ThreadIndex,
    /// When it was submitted.
    pub submitted: u64,
    /// The part on a pool thread, unless it was cancelled, done by the loop itself, or not yet begun.
    pub job: Option<Job>,
    /// Its callback: position in [`Trace::callbacks`].
    pub callback: Option<usize>,
    /// The function that ran on the pool.
    pub name: Option<NameIndex>,
}

impl Request {
    /// How long it was queued before a pool thread started it.
    pub fn queued(&self) -> Option<u64> {
        self.job.map(|job| job.begin.saturating_sub(self.submitted))
    }
}

/// The part of a request that a pool thread runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Job {
    /// The pool thread.
    pub thread: ThreadIndex,
    /// Begin.
    pub begin: u64,
    /// End.
    pub end: u64,
}

/// A wake-up of a loop by another thread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wakeup {
    /// The thread that sent it, if it writes records.
    pub from: ThreadIndex,
    /// The loop.
    pub lp: LoopIndex,
    /// The async handle. `None` for the pool.
    pub handle: Option<HandleIndex>,
    /// When it was sent.
    pub time: u64,
    /// The callback that it led to: position in [`Trace::callbacks`].
    pub callback: Option<usize>,
}

/// A decision of a seeded schedule that is not the plain one's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The loop.
    pub lp: LoopIndex,
    /// When it was drawn.
    pub time: u64,
    /// The callback of the loop that was next: position in [`Trace::callbacks`].
    pub callback: Option<usize>,
    /// Which decision, and what was chosen out of how many.
    pub key: Key,
    /// What was chosen.
    pub choice: u32,
    /// How many choices there were.
    pub options: u32,
    /// What it does. Who has the log of the schedule knows more than its name.
    pub words: String,
}

/// A function in the stacks of callbacks, with those that have called it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// What has called it. `None` for the outermost function of a callback.
    pub caller: Option<FrameIndex>,
    /// Its name.
    pub name: NameIndex,
}

/// The stack of a callback at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Position in [`Trace::callbacks`].
    pub callback: usize,
    /// When it was captured.
    pub time: u64,
    /// How long before that the callback began, or the sample before was captured.
    pub covers: u64,
    /// The innermost function.
    pub frame: FrameIndex,
}

/// A handle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handle {
    /// The loop.
    pub lp: LoopIndex,
    /// Its kind.
    pub kind: HandleKind,
    /// The address of the C struct, or the key of the Rust API.
    pub token: u64,
    /// The last descriptor.
    pub fd: Option<i32>,
    /// When it was opened. `None` if that was before the trace.
    pub opened: Option<u64>,
    /// When it began to close.
    pub closed: Option<u64>,
}

impl Trace {
    /// How long the trace is.
    pub fn duration(&self) -> u64 {
        self.end
    }

    /// The share of time in which a loop did not wait, from its first record to its last.
    pub fn utilisation(&self, lp: LoopIndex) -> f64 {
        let of = &self.loops[lp];
        let waits = self.waits.iter().filter(|wait| wait.lp == lp);
        let waited: u64 = waits.map(|wait| wait.end - wait.begin).sum();
        let total = of.end.saturating_sub(of.begin);
        if total == 0 { 0.0 } else { 1.0 - waited as f64 / total as f64 }
    }
}
