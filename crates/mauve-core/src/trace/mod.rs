//! Tracing: the engine and the pool report what they do to a [`Recorder`].
//!
//! Tracing is off until the program or another process sets [`ProbeRoot::trace`]. Each hook is one
//! branch on that number ([`is_on`]). A host that wants its loops to be traceable sets a recorder
//! once per process ([`set_recorder`]), and the function that names callbacks once per loop
//! ([`Engine::set_callback_names`]).
//!
//! A callback lasts from where the host gets its completion to where it requests the next one. Hosts
//! report the begin of those outside of batches ([`Engine::trace_step`]), because the engine would have
//! to store each completion for that. The engine reports everything else.

mod engine;
mod kind;

use std::panic::Location;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use mauve_sys::descriptor::RawDescriptor;
use mauve_sys::usdt::{self, ATTACHED, ROOT};
use mauve_sys::{clock, fork};

pub(crate) use engine::Tracer;
pub use kind::CallbackKind;

use crate::Mode;
use crate::id::{HandleId, RequestId, Token};
use crate::metrics::LoopCounters;
use crate::phase::Phase;
use crate::probe::LoopProbe;
use crate::schedule;

#[cfg(doc)]
use crate::{Engine, probe::ProbeRoot};

/// A recorder is to be started with the directory in [`ProbeRoot::trace_directory`]. The upper 16 bits of
/// the number are [`ATTACHED`].
pub const REQUESTED: u64 = 1;
/// A thread starts the recorder.
const STARTING: u64 = 2;
/// Events are passed to the recorder.
pub const RECORDING: u64 = 4;
/// The current callback of each loop is published in its probe. While events are recorded, it is, too.
pub const WATCHING: u64 = 8;
/// Loops of the process have a seeded [schedule], whose hooks are called.
const SCHEDULED: u64 = 16;

/// What receives events. One for the process.
pub trait Recorder: Sync {
    /// Prepares to record into this directory. Returns whether it is possible.
    fn start(&self, directory: &str) -> bool;

    /// Records an event of the calling thread. `time` is in nanoseconds of the monotonic clock,
    /// `lp` the number of the loop.
    fn record(&self, time: u64, lp: u16, event: Event);

    /// Records that the calling thread wakes the loop `lp` by an async handle. May be called in a
    /// signal handler.
    fn record_wakeup(&self, time: u64, lp: u16, handle: HandleId);
}

/// What happened.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// A loop is traced from now on.
    LoopOpen {
        /// The address of its `uv_loop_t`, or zero.
        uv_loop: u64,
    },
    /// A loop is closed.
    LoopClose,
    /// A run begins.
    RunBegin(Mode),
    /// A run ends.
    RunEnd {
        /// Whether the loop is alive.
        alive: bool,
        /// The counters of the loop.
        counters: LoopCounters,
    },
    /// A phase begins. Reported before the first callback of the phase.
    Phase(Phase),
    /// The poll phase begins to wait.
    WaitBegin {
        /// The counters of the loop. Events of this wait are not counted yet.
        counters: LoopCounters,
        /// The timeout in milliseconds.
        timeout: Option<u32>,
    },
    /// The wait is over.
    WaitEnd {
        /// How many events the driver has returned.
        events: usize,
    },
    /// A callback begins.
    CallbackBegin {
        /// What it is for.
        kind: CallbackKind,
        /// The handle or request.
        token: Token,
        /// For a timer: by how many milliseconds it is late.
        late: u32,
        /// Its name.
        name: CallbackName,
    },
    /// The innermost callback of the thread ends.
    CallbackEnd,
    /// A handle exists.
    HandleOpen {
        /// Its id.
        id: HandleId,
        /// The host's token.
        token: Token,
        /// Whether it existed before the trace.
        earlier: bool,
    },
    /// A handle has a descriptor.
    HandleFd {
        /// The host's token.
        token: Token,
        /// The descriptor.
        fd: RawDescriptor,
    },
    /// A handle begins to close.
    HandleClosing(Token),
    /// A request is submitted to the pool, or performed inline.
    Submit(RequestId),
    /// A pool thread starts a request.
    JobBegin(RequestId),
    /// A pool thread has finished a request.
    JobEnd(RequestId),
    /// The name of what a pool thread runs for a request.
    JobName(RequestId, CallbackName),
    /// The next callback completes this request.
    Completed(RequestId),
    /// A seeded schedule does not do what the plain one does.
    Decision {
        /// Which decision.
        key: schedule::Key,
        /// What was chosen. Not zero.
        choice: u32,
        /// How many choices there were.
        options: u32,
    },
}

/// The name of a callback.
#[derive(Clone, Copy, Debug, Default)]
pub enum CallbackName {
    /// Not known.
    #[default]
    Unknown,
    /// A function of the program, by its address.
    Function(u64),
    /// Code that was passed to the host at this location.
    Location(&'static Location<'static>),
    /// A name that the host has registered with the recorder.
    Registered(u64),
}

/// Names the callback of a completion, by its kind and token.
pub type NameOf = Box<dyn Fn(CallbackKind, Token) -> CallbackName>;

/// Whether a trace or the watchdog is on, or a loop has a seeded schedule.
#[inline(always)]
pub fn is_on() -> bool {
    ROOT.trace.load(Ordering::Relaxed) != 0
}

/// The time of events, in nanoseconds of the monotonic clock. It is the system's, also in a program that is shown
/// another one: what reads traces has no other.
pub fn now() -> u64 {
    if ROOT.trace.load(Ordering::Relaxed) & SCHEDULED != 0 {
        clock::system_hrtime()
    } else {
        clock::hrtime()
    }
}

/// Whether events are recorded, or passed to static probes. Starts the recorder if that was requested.
#[cold]
fn is_recording() -> bool {
    let state = ROOT.trace.load(Ordering::Acquire);
    let recording = if state & REQUESTED != 0 { start() } else { state & RECORDING != 0 };
    recording || state & ATTACHED != 0
}

static RECORDER: OnceLock<&'static dyn Recorder> = OnceLock::new();

/// How often a recorder was started. Loops and handles are described for each.
static SESSIONS: AtomicU32 = AtomicU32::new(0);

/// The number of the last loop.
static LOOPS: AtomicU64 = AtomicU64::new(0);

/// Sets the recorder of this process. Later calls have no effect.
pub fn set_recorder(recorder: &'static dyn Recorder) {
    // A recorder that is set already stays.
    let _ = RECORDER.set(recorder);
}

/// Requests a trace of this process into `directory`. The next event starts it. Fails if the path is
/// too long.
pub fn request(directory: &str) -> bool {
    let bytes = directory.as_bytes();
    let capacity = size_of_val(&ROOT.trace_directory);
    if bytes.len() >= capacity {
        return false;
    }
    let mut words = bytes.chunks(size_of::<u64>());
    for word in &ROOT.trace_directory {
        let mut padded = [0; 8];
        let chunk = words.next().unwrap_or_default();
        padded[..chunk.len()].copy_from_slice(chunk);
        word.store(u64::from_ne_bytes(padded), Ordering::Relaxed);
    }
    ROOT.trace.fetch_or(REQUESTED, Ordering::Release);
    true
}

/// The directory of the trace that was requested last.
pub fn directory() -> String {
    let words = ROOT.trace_directory.iter();
    let bytes = words.flat_map(|word| word.load(Ordering::Relaxed).to_ne_bytes());
    let bytes: Vec<u8> = bytes.take_while(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Ends the trace of this process.
pub fn stop() {
    ROOT.trace.fetch_and(!(REQUESTED | STARTING | RECORDING), Ordering::Relaxed);
}

/// Turns the hooks of seeded schedules on.
pub(crate) fn note_schedule() {
    ROOT.trace.fetch_or(SCHEDULED, Ordering::Relaxed);
}

/// Turns the publication of current callbacks on, for a watchdog.
pub fn watch() {
    ROOT.trace.fetch_or(WATCHING, Ordering::Relaxed);
}

#[cold]
fn start() -> bool {
    let seen = ROOT.trace.load(Ordering::Acquire);
    let claimed = seen & !(REQUESTED | RECORDING) | STARTING;
    let exchanged = ROOT.trace.compare_exchange(seen, claimed, Ordering::AcqRel, Ordering::Relaxed);
    if seen & REQUESTED == 0 || exchanged.is_err() {
        return false;
    }
    let started = RECORDER.get().is_some_and(|recorder| recorder.start(&directory()));
    if started {
        SESSIONS.fetch_add(1, Ordering::AcqRel);
        ROOT.trace.fetch_or(RECORDING, Ordering::Release);
    }
    ROOT.trace.fetch_and(!STARTING, Ordering::Release);
    started
}

/// The current session of this process. A forked child has another one than its parent.
fn session() -> u64 {
    u64::from(SESSIONS.load(Ordering::Acquire)) << 32 | fork::generation() & 0xffff_ffff
}

/// The number of a new loop. Numbers are reused after 65,535 loops.
pub(crate) fn next_loop() -> u16 {
    (LOOPS.fetch_add(1, Ordering::Relaxed) % u64::from(u16::MAX)) as u16 + 1
}

/// Records an event of the loop `lp`, or of no loop if it is zero. For hooks outside of the engine.
#[cold]
pub fn record(lp: u16, event: Event) {
    if is_recording() {
        record_at(now(), lp, event);
    }
}

/// Records a wake-up. Called by any thread, and in signal handlers, so it does not start a recorder.
#[cold]
#[inline(never)]
pub(crate) fn record_wakeup(lp: u16, handle: HandleId) {
    if ROOT.trace.load(Ordering::Acquire) & RECORDING != 0
        && let Some(recorder) = RECORDER.get()
    {
        recorder.record_wakeup(now(), lp, handle);
    }
}

fn record_at(time: u64, lp: u16, event: Event) {
    let state = ROOT.trace.load(Ordering::Relaxed);
    if state & ATTACHED != 0 {
        pass_to_probes(lp, event);
    }
    if state & RECORDING != 0
        && let Some(recorder) = RECORDER.get()
    {
        recorder.record(time, lp, event);
    }
}

/// Passes an event to the tools that are attached to static probes.
fn pass_to_probes(lp: u16, event: Event) {
    match event {
        Event::CallbackBegin { kind, token, name, .. } => {
            let function = if let CallbackName::Function(address) = name { address } else { 0 };
            usdt::callback_begin(kind as u64, token.0, function);
        }
        Event::CallbackEnd => usdt::callback_end(),
        Event::WaitBegin { counters, .. } => usdt::iteration(lp.into(), counters.iterations),
        Event::JobBegin(request) => usdt::job_begin(request.to_bits()),
        Event::JobEnd(request) => usdt::job_end(request.to_bits()),
        _ => {}
    }
}

/// A callback that is not the engine's: a task, or a function in a queue of JavaScript. It often
/// runs inside of a callback of the loop.
pub struct InnerCallback {
    /// The callback that it runs inside of.
    outer: ([u64; 4], Option<&'static Location<'static>>),
    recorded: bool,
}

/// Begins an inner callback of the loop with this probe, if tracing is on.
#[inline(always)]
pub fn begin_inner(
    probe: &LoopProbe,
    kind: CallbackKind,
    name: impl FnOnce() -> CallbackName,
) -> Option<InnerCallback> {
    if is_on() { Some(begin_traced_inner(probe, kind, name())) } else { None }
}

/// Ends an inner callback.
#[inline(always)]
pub fn end_inner(probe: &LoopProbe, inner: Option<InnerCallback>) {
    if let Some(inner) = inner {
        end_traced_inner(probe, &inner);
    }
}

#[cold]
fn begin_traced_inner(probe: &LoopProbe, kind: CallbackKind, name: CallbackName) -> InnerCallback {
    let outer = (probe.callback(), probe.callback_location.load());
    let (time, token) = (now(), Token(0));
    if let Some(simulation) = schedule::of_process() {
        simulation.note_call(probe.number.load(Ordering::Relaxed) as u16, kind, name);
    }
    let recorded = is_recording();
    if recorded || ROOT.trace.load(Ordering::Relaxed) & WATCHING != 0 {
        probe.begin_callback(time, kind, token, name);
    }
    if recorded {
        let number = probe.number.load(Ordering::Relaxed) as u16;
        record_at(time, number, Event::CallbackBegin { kind, token, late: 0, name });
    }
    InnerCallback { outer, recorded }
}

#[cold]
fn end_traced_inner(probe: &LoopProbe, inner: &InnerCallback) {
    let (callback, location) = inner.outer;
    probe.callback_location.store(location);
    probe.restore_callback(callback);
    if inner.recorded {
        record(probe.number.load(Ordering::Relaxed) as u16, Event::CallbackEnd);
    }
}

/// Records an inner callback that began at `begin` and has just ended.
#[cold]
pub fn record_inner(probe: &LoopProbe, kind: CallbackKind, begin: u64) {
    if is_recording() {
        let lp = probe.number.load(Ordering::Relaxed) as u16;
        let (token, name) = (Token(0), CallbackName::Unknown);
        record_at(begin, lp, Event::CallbackBegin { kind, token, late: 0, name });
        record_at(now(), lp, Event::CallbackEnd);
    }
}
