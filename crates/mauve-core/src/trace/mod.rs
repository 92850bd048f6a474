//! Tracing: the engine and the pool report what they do to a [`Recorder`].
//!
//! Tracing is off until the program or another process sets [`ProbeRoot::trace`]. Each hook is one
//! branch on that number ([`is_on`]). A host that wants its loops to be traceable sets a recorder
//! once per process ([`set_recorder`]), and the function that names callbacks once per loop
//! ([`Engine::set_callback_names`]).
//!
//! The engine reports a callback from where it yields the completion to where the host requests the
//! next one. So hosts need no hooks of their own, except for what runs inside callbacks.

mod kind;

use std::panic::Location;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use mauve_sys::driver::Driver;
use mauve_sys::{clock, fork};

pub use kind::CallbackKind;

use crate::completion::Completion;
use crate::id::{HandleId, RequestId, Token};
use crate::phase::Phase;
use crate::probe::{LoopProbe, ROOT};
use crate::run::{Batch, Step};
use crate::{Engine, Mode};

#[allow(unused_imports)] // For the documentation.
use crate::probe::ProbeRoot;

/// A recorder is to be started with the directory in [`ProbeRoot::trace_directory`].
pub const REQUESTED: u64 = 1;
/// A thread starts the recorder.
const STARTING: u64 = 2;
/// Events are passed to the recorder.
pub const RECORDING: u64 = 4;
/// The current callback of each loop is published in its probe.
pub const WATCHING: u64 = 8;

/// What receives events. One for the process.
pub trait Recorder: Sync {
    /// Prepares to record into this directory. Returns whether it is possible.
    fn start(&self, directory: &str) -> bool;

    /// Records an event of the calling thread. `time` is in nanoseconds of the monotonic clock,
    /// `lp` the number of the loop.
    fn record(&self, time: u64, lp: u16, event: Event);
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
    },
    /// A phase begins. Reported before the first callback of the phase.
    Phase(Phase),
    /// The poll phase begins to wait.
    WaitBegin {
        /// The number of the iteration.
        iteration: u64,
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
        fd: i32,
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
    /// The calling thread wakes a loop by an async handle.
    Wakeup(HandleId),
}

/// The name of a callback.
#[derive(Clone, Copy, Debug, Default)]
pub enum CallbackName {
    /// Not known.
    #[default]
    Unknown,
    /// A function of the program, by its address.
    Function(u64),
    /// Code that was passed to the host at this place.
    Place(&'static Location<'static>),
    /// A name that the host has registered with the recorder.
    Registered(u64),
}

/// Names the callback of a completion.
pub type NameOf = Box<dyn Fn(&Completion) -> CallbackName>;

/// Whether a trace or the watchdog is on.
#[inline(always)]
pub fn is_on() -> bool {
    ROOT.trace.load(Ordering::Relaxed) != 0
}

/// Whether events are recorded. Starts the recorder if that was requested.
#[cold]
fn is_recording() -> bool {
    let state = ROOT.trace.load(Ordering::Acquire);
    if state & REQUESTED != 0 { start() } else { state & RECORDING != 0 }
}

static RECORDER: OnceLock<&'static dyn Recorder> = OnceLock::new();

/// How often a recorder was started. Loops and handles are announced for each.
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
        record_at(clock::hrtime(), lp, event);
    }
}

fn record_at(time: u64, lp: u16, event: Event) {
    if let Some(recorder) = RECORDER.get() {
        recorder.record(time, lp, event);
    }
}

/// A callback that is not the engine's: a task, or a function in a queue of JavaScript. It usually
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
    let outer = (probe.callback(), probe.callback_place.load());
    let (time, token) = (clock::hrtime(), Token(0));
    if ROOT.trace.load(Ordering::Relaxed) & WATCHING != 0 {
        probe.begin_callback(time, kind, token, name);
    }
    let recorded = is_recording();
    if recorded {
        let number = probe.number.load(Ordering::Relaxed) as u16;
        record_at(time, number, Event::CallbackBegin { kind, token, late: 0, name });
    }
    InnerCallback { outer, recorded }
}

#[cold]
fn end_traced_inner(probe: &LoopProbe, inner: &InnerCallback) {
    let (callback, place) = inner.outer;
    probe.callback_place.store(place);
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
        record_at(clock::hrtime(), lp, Event::CallbackEnd);
    }
}

/// The engine's part for tracing.
pub(crate) struct Tracer {
    /// The number of the loop in this process.
    pub number: u16,
    /// The session in which the loop was announced.
    session: u64,
    /// Whether a callback has begun and not ended.
    in_callback: bool,
    /// The phase that was recorded last.
    phase: Option<Phase>,
    /// By how many milliseconds the next timer of the batch is late.
    late: u32,
    names: Option<NameOf>,
}

impl Tracer {
    pub fn new(number: u16) -> Self {
        Self { number, session: 0, in_callback: false, phase: None, late: 0, names: None }
    }

    /// A nested run begins: the current callback goes on. Returns whether there is one.
    pub fn suspend(&mut self) -> bool {
        std::mem::take(&mut self.in_callback)
    }

    /// The nested run has ended.
    pub fn resume(&mut self, in_callback: bool) {
        self.in_callback = in_callback;
    }
}

impl<D: Driver> Engine<D> {
    /// Sets the function that names callbacks in traces.
    pub fn set_callback_names(&mut self, names: NameOf) {
        self.tracer.names = Some(names);
    }

    /// The number of the loop in traces.
    pub fn trace_number(&self) -> u16 {
        self.tracer.number
    }

    /// Sets the name of what a pool thread runs for a request, if a trace is recorded.
    #[inline]
    pub fn trace_job_name(&self, request: RequestId, name: impl FnOnce() -> CallbackName) {
        if is_on() {
            record(self.tracer.number, Event::JobName(request, name()));
        }
    }

    /// Called when a run begins.
    #[cold]
    pub(crate) fn trace_run_begin(&mut self, mode: Mode) {
        if is_recording() {
            self.emit(Event::RunBegin(mode));
        }
    }

    /// Called when a run has ended.
    #[cold]
    pub(crate) fn trace_run_end(&mut self) {
        self.tracer.phase = None;
        if is_recording() {
            let alive = self.alive();
            self.emit(Event::RunEnd { alive });
        }
    }

    /// Called when [`Engine::next`] returns a step of a run. [`Batch::next`] reports batches itself.
    #[cold]
    pub(crate) fn begin_traced_step(&mut self, step: &Step) {
        if let Step::Call(completion) = step {
            self.begin_traced_callback(completion, 0);
        }
    }

    /// Called when [`Batch::next`] begins.
    #[cold]
    pub(crate) fn end_traced_callback_in(&mut self, batch: Batch) {
        self.end_traced_callback();
        let due = if batch == Batch::Timers { self.peek_due() } else { None };
        let late = due.map_or(0, |due| self.clock.now.saturating_sub(due));
        self.tracer.late = u32::try_from(late).unwrap_or(u32::MAX);
    }

    /// Called when [`Batch::next`] returns.
    #[cold]
    pub(crate) fn begin_traced_callback_in(&mut self, completion: &Option<Completion>) {
        if let Some(completion) = completion {
            self.begin_traced_callback(completion, self.tracer.late);
        }
    }

    /// Ends the current callback, if there is one.
    #[cold]
    pub(crate) fn end_traced_callback(&mut self) {
        self.probe.shared.end_callback();
        if is_recording() {
            if self.tracer.session != session() {
                self.announce(None);
            } else if self.tracer.in_callback {
                self.emit(Event::CallbackEnd);
            }
        }
        self.tracer.in_callback = false;
    }

    fn begin_traced_callback(&mut self, completion: &Completion, late: u32) {
        let Some(kind) = CallbackKind::of(completion) else { return };
        let state = ROOT.trace.load(Ordering::Relaxed);
        let names = self.tracer.names.as_ref();
        let name = names.map_or(CallbackName::Unknown, |name_of| name_of(completion));
        let token = completion.token();
        let time = self.driver.now();
        if state & WATCHING != 0 {
            self.probe.shared.begin_callback(time, kind, token, name);
        }
        // A loop that is not announced yet is announced by its next event.
        if state & RECORDING == 0 || self.tracer.session != session() {
            return;
        }
        let number = self.tracer.number;
        let phase = self.phase();
        if phase != self.tracer.phase {
            self.tracer.phase = phase;
            if let Some(phase) = phase {
                record_at(time, number, Event::Phase(phase));
            }
        }
        record_at(time, number, Event::CallbackBegin { kind, token, late, name });
        self.tracer.in_callback = true;
    }

    fn emit(&self, event: Event) {
        record_at(self.driver.now(), self.tracer.number, event);
    }

    /// Announces the loop and its handles to a recorder that has just started. They existed before
    /// the trace, except for `new`.
    #[cold]
    fn announce(&mut self, new: Option<HandleId>) {
        self.tracer.session = session();
        self.tracer.in_callback = false;
        self.tracer.phase = None;
        let uv_loop = self.probe.shared.uv_loop.load(Ordering::Relaxed);
        self.emit(Event::LoopOpen { uv_loop });
        for (id, token) in self.handles(false) {
            self.emit(Event::HandleOpen { id, token, earlier: Some(id) != new });
            if let Some((fd, _)) = self.table.source(id).filter(|(fd, _)| *fd >= 0) {
                self.emit(Event::HandleFd { token, fd });
            }
        }
    }

    /// Called when a handle was opened.
    #[inline(always)]
    pub(crate) fn trace_open(&mut self, id: HandleId, token: Token) {
        if is_on() {
            self.record_open(id, token);
        }
    }

    #[cold]
    fn record_open(&mut self, id: HandleId, token: Token) {
        if !is_recording() {
            return;
        }
        if self.tracer.session == session() {
            self.emit(Event::HandleOpen { id, token, earlier: false });
        } else {
            self.announce(Some(id));
        }
    }

    /// Called when a handle begins to close.
    #[inline(always)]
    pub(crate) fn trace_closing(&mut self, token: Token) {
        if is_on() {
            record(self.tracer.number, Event::HandleClosing(token));
        }
    }

    /// Called before the poll phase waits.
    #[inline(always)]
    pub(crate) fn trace_wait_begin(&mut self, timeout: Option<u32>) {
        if is_on() {
            self.record_wait_begin(timeout);
        }
    }

    #[cold]
    fn record_wait_begin(&mut self, timeout: Option<u32>) {
        if is_recording() {
            let iteration = self.metrics.counters.iterations;
            self.tracer.phase = Some(Phase::Poll);
            self.emit(Event::WaitBegin { iteration, timeout });
        }
    }

    /// Called after the poll phase has waited.
    #[inline(always)]
    pub(crate) fn trace_wait_end(&mut self, events: usize) {
        if is_on() {
            self.record_wait_end(events);
        }
    }

    #[cold]
    fn record_wait_end(&mut self, events: usize) {
        if is_recording() {
            if self.tracer.session != session() {
                self.announce(None);
            }
            self.emit(Event::WaitEnd { events });
        }
    }

    /// Called when the interest of a handle is registered.
    #[cold]
    pub(crate) fn trace_descriptor(&mut self, id: HandleId) {
        let source = self.table.source(id).map(|(fd, _)| fd);
        let token = self.table.head(id).map(|head| head.token);
        if let Some((fd, token)) = source.zip(token) {
            record(self.tracer.number, Event::HandleFd { token, fd });
        }
    }

    /// Called when the loop is closed.
    pub(crate) fn trace_loop_close(&mut self) {
        if is_on() && is_recording() && self.tracer.session == session() {
            self.emit(Event::LoopClose);
        }
    }
}
