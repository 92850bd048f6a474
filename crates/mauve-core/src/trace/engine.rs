//! The engine's part for tracing: what a loop reports to the recorder.

use std::sync::atomic::Ordering;

use mauve_sys::descriptor::CLOSED;
use mauve_sys::driver::Driver;
use mauve_sys::usdt::ROOT;

use super::{
    CallbackKind, CallbackName, Event, NameOf, WATCHING, is_on, is_recording, now, record,
    record_at, session,
};
use crate::id::{HandleId, RequestId, Token};
use crate::phase::Phase;
use crate::run::{HookBatch, Step};
use crate::{Engine, Mode};

/// The engine's part for tracing.
pub(crate) struct Tracer {
    /// The number of the loop in this process.
    number: u16,
    /// The session in which the loop was described.
    session: u64,
    /// Whether the loop is traced or watched, so that [`Engine::trace_next`] is called before the next
    /// completion.
    ends_callback: bool,
    /// Whether a callback has begun and not ended.
    in_callback: bool,
    /// The phase that was recorded last.
    phase: Option<Phase>,
    names: Option<NameOf>,
    /// By how many milliseconds the next timer of the batch is late.
    late: u32,
}

impl Tracer {
    pub fn new(number: u16) -> Self {
        Self {
            number,
            session: 0,
            ends_callback: false,
            in_callback: false,
            phase: None,
            names: None,
            late: 0,
        }
    }

    /// Whether [`Engine::trace_next`] is to be called before the next completion.
    #[inline(always)]
    pub fn ends_callback(&self) -> bool {
        self.ends_callback
    }

    /// The function that names callbacks.
    pub fn names(&self) -> Option<&NameOf> {
        self.names.as_ref()
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
            self.record_job_name(request, name);
        }
    }

    #[cold]
    #[inline(never)]
    fn record_job_name(&self, request: RequestId, name: impl FnOnce() -> CallbackName) {
        record(self.tracer.number, Event::JobName(request, name()));
    }

    /// Called when a run begins.
    #[cold]
    #[inline(never)]
    pub(crate) fn trace_run_begin(&mut self, mode: Mode) {
        self.tracer.ends_callback = true;
        if is_recording() {
            if self.tracer.session != session() {
                self.describe_loop(None);
            }
            self.emit(Event::RunBegin(mode));
        }
    }

    /// Called when a run has ended.
    #[cold]
    #[inline(never)]
    pub(crate) fn trace_run_end(&mut self) {
        self.tracer.phase = None;
        if is_recording() {
            let (alive, counters) = (self.alive(), self.metrics.counters());
            self.emit(Event::RunEnd { alive, counters });
        }
    }

    /// Called when a run was abandoned.
    pub(crate) fn trace_abandoned_run(&mut self) {
        if is_on() {
            self.trace_run_end();
        }
    }

    /// Called when the host requests the next completion, if something was traced before. Ends the
    /// current callback, and notes by how much the next timer of a batch is late.
    #[cold]
    #[inline(never)]
    pub(crate) fn trace_next(&mut self, batch: Option<HookBatch>) {
        self.probe.end_callback();
        if std::mem::take(&mut self.tracer.in_callback) && is_recording() {
            if self.tracer.session == session() {
                self.emit(Event::CallbackEnd);
            } else {
                self.describe_loop(None);
            }
        }
        let due = if batch == Some(HookBatch::Timers) { self.peek_due() } else { None };
        let late = due.map_or(0, |due| self.clock.now().saturating_sub(due));
        self.tracer.late = u32::try_from(late).unwrap_or(u32::MAX);
        self.tracer.ends_callback = is_on();
    }

    /// Called by a host with each step, before its callback. Batches report their callbacks themselves.
    #[inline(always)]
    pub fn trace_step(&mut self, step: &Step) {
        if let Step::Call(completion) = step
            && is_on()
        {
            self.trace_callback(CallbackKind::of(completion), completion.token());
        }
    }

    /// Records the begin of a callback of a batch, if tracing [is on](is_on).
    #[inline(always)]
    pub(crate) fn trace_call(&mut self, kind: CallbackKind, token: Token) {
        if is_on() {
            self.trace_callback(Some(kind), token);
        }
    }

    /// As [`trace_step`](Self::trace_step), for a host that checks whether tracing [is on](is_on). `kind`
    /// is [`CallbackKind::of`] the completion, which would otherwise have to be stored.
    #[cold]
    #[inline(never)]
    pub fn trace_callback(&mut self, kind: Option<CallbackKind>, token: Token) {
        let Some(kind) = kind else { return };
        let state = ROOT.trace.load(Ordering::Relaxed);
        let names = self.tracer.names.as_ref();
        let name = names.map_or(CallbackName::Unknown, |name_of| name_of(kind, token));
        self.tracer.ends_callback = true;
        self.note_scheduled_call(kind, name);
        let recording = is_recording();
        if recording && self.tracer.session != session() {
            self.describe_loop(None);
        }
        let time = self.trace_time();
        if recording || state & WATCHING != 0 {
            self.probe.begin_callback(time, kind, token, name);
        }
        if !recording {
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
        let late = self.tracer.late;
        record_at(time, number, Event::CallbackBegin { kind, token, late, name });
        self.tracer.in_callback = true;
    }

    fn emit(&self, event: Event) {
        record_at(self.trace_time(), self.tracer.number, event);
    }

    /// The driver's clock, unless that may show another time than the system's. See [`now`].
    fn trace_time(&self) -> u64 {
        if self.schedule.is_some() { now() } else { self.driver.now() }
    }

    /// Describes the loop and its handles to a recorder that has just started. They existed before
    /// the trace, except for `new`.
    #[cold]
    fn describe_loop(&mut self, new: Option<HandleId>) {
        self.tracer.session = session();
        self.tracer.in_callback = false;
        self.tracer.phase = None;
        let uv_loop = self.probe.uv_loop.load(Ordering::Relaxed);
        self.emit(Event::LoopOpen { uv_loop });
        for (id, token) in self.handles(false) {
            self.emit(Event::HandleOpen { id, token, earlier: Some(id) != new });
            if let Some((fd, _)) = self.table.source(id).filter(|(fd, _)| *fd != CLOSED) {
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
    #[inline(never)]
    fn record_open(&mut self, id: HandleId, token: Token) {
        if !is_recording() {
            return;
        }
        if self.tracer.session == session() {
            self.emit(Event::HandleOpen { id, token, earlier: false });
        } else {
            self.describe_loop(Some(id));
        }
    }

    /// Called when a handle begins to close.
    #[inline(always)]
    pub(crate) fn trace_closing(&mut self, token: Token) {
        if is_on() {
            self.record_closing(token);
        }
    }

    #[cold]
    #[inline(never)]
    fn record_closing(&self, token: Token) {
        record(self.tracer.number, Event::HandleClosing(token));
    }

    /// Called before the poll phase waits.
    pub(crate) fn trace_wait_begin(&mut self, timeout: Option<u32>) {
        if is_recording() {
            let counters = self.metrics.counters();
            self.tracer.phase = Some(Phase::Poll);
            self.emit(Event::WaitBegin { counters, timeout });
        }
    }

    /// Called after the poll phase has waited.
    pub(crate) fn trace_wait_end(&mut self, events: usize) {
        if is_recording() {
            if self.tracer.session != session() {
                self.describe_loop(None);
            }
            self.emit(Event::WaitEnd { events });
        }
    }

    /// Called before changed interests are registered.
    pub(crate) fn trace_descriptors(&mut self) {
        for at in 0..self.registrations.changed().len() {
            let id = self.registrations.changed()[at];
            let source = self.table.source(id).map(|(fd, _)| fd);
            let token = self.table.head(id).map(|head| head.token);
            if let Some((fd, token)) = source.zip(token) {
                record(self.tracer.number, Event::HandleFd { token, fd });
            }
        }
    }

    /// Called when a request is submitted to the pool, or performed inline.
    #[cold]
    #[inline(never)]
    pub(crate) fn trace_submit(&self, id: RequestId) {
        if let Some(schedule) = &self.schedule {
            schedule.note_submission(id);
        }
        record(self.tracer.number, Event::Submit(id));
    }

    /// Called before the callback of a request.
    #[cold]
    #[inline(never)]
    pub(crate) fn trace_completed(&self, id: RequestId) {
        record(self.tracer.number, Event::Completed(id));
    }

    /// Called when the loop is closed.
    pub(crate) fn trace_loop_close(&mut self) {
        if is_on() && is_recording() && self.tracer.session == session() {
            self.emit(Event::LoopClose);
        }
    }
}
