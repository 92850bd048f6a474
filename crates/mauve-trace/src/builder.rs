//! Builds the model from records.
//!
//! Records of all threads are merged by time and handled one by one. The beginning of a trace may
//! be missing, because it was overwritten. So every record is handled without relying on earlier
//! ones: loops and handles that were not described are created when they are first mentioned.

use std::collections::HashMap;

use mauve_core::schedule::{DecisionKind, Key};
use mauve_core::{HandleId, HandleKind, Phase};

use crate::model::*;
use crate::record::{Record, RecordKind};
use crate::stacks::Stacks;

/// The records of one thread.
pub(crate) struct RawThread<'a> {
    pub process: usize,
    pub tid: u32,
    pub name: String,
    pub dropped: u64,
    pub records: &'a [Record],
}

/// A name that a process has defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DefinedName {
    pub name: Name,
    /// Whether it is a function of JavaScript.
    pub is_script: bool,
}

/// Builds a trace that lasts until `end`, or longer if there are later records. `names` has the names of each
/// process by their numbers, and `exits` when it has exited.
pub(crate) fn build(
    threads: &[RawThread<'_>],
    names: &[HashMap<u64, DefinedName>],
    exits: &[Option<u64>],
    end: u64,
) -> Trace {
    // A thread that joins a trace takes the time of an event before it has a ring, so its first record
    // is not the earliest.
    let records = threads.iter().flat_map(|thread| thread.records);
    let origin = records.map(|record| record.time).min().unwrap_or(end);
    let mut builder = Builder::new(origin, threads.len(), names);
    builder.trace.end = end.saturating_sub(origin);
    let mut merged: Vec<(ThreadIndex, &Record)> = Vec::new();
    for raw in threads {
        let thread = builder.thread(raw);
        merged.extend(raw.records.iter().map(|record| (thread, record)));
    }
    merged.sort_by_key(|(_, record)| record.time);
    for (thread, record) in merged {
        builder.add(thread, record);
    }
    builder.finish(exits)
}

struct Builder<'a> {
    trace: Trace,
    names: &'a [HashMap<u64, DefinedName>],
    name_indices: HashMap<(usize, u64), NameIndex>,
    stacks: Stacks,
    /// By process and number.
    loops: HashMap<(usize, u16), LoopIndex>,
    /// One for each loop of the trace.
    states: Vec<LoopState>,
    /// The running callbacks of each thread, the innermost last.
    running: Vec<Vec<usize>>,
    /// By loop and token.
    handles: HashMap<(LoopIndex, u64), HandleIndex>,
    /// By loop and handle id.
    handle_ids: HashMap<(LoopIndex, u64), HandleIndex>,
    /// By loop and id.
    requests: HashMap<(LoopIndex, u64), RequestIndex>,
    /// Wake-ups that have not led to a callback, by handle. `None` is the pool.
    sent: HashMap<(LoopIndex, Option<HandleIndex>), Vec<usize>>,
}

#[derive(Default)]
struct LoopState {
    /// Position in the list of phases.
    phase: Option<usize>,
    /// Position in the list of iterations.
    iteration: Option<usize>,
    /// Whether the current iteration has polled.
    polled: bool,
    /// Position in the list of waits.
    wait: Option<usize>,
    /// The end of the last wait.
    woke: Option<u64>,
    /// The request that the next callback completes.
    completed: Option<RequestIndex>,
    /// The decisions since the last callback.
    decisions: Vec<usize>,
    /// The time of the last record.
    last: u64,
    iterations: u64,
    /// The events that the loop had handled when it last counted them, and those that were ready.
    counted: Option<[u32; 2]>,
    /// The iteration whose events are counted next.
    counts: Option<usize>,
}

impl<'a> Builder<'a> {
    fn new(origin: u64, threads: usize, names: &'a [HashMap<u64, DefinedName>]) -> Self {
        Self {
            trace: Trace { origin, ..Trace::default() },
            names,
            name_indices: HashMap::new(),
            stacks: Stacks::new(threads),
            loops: HashMap::new(),
            states: Vec::new(),
            running: vec![Vec::new(); threads],
            handles: HashMap::new(),
            handle_ids: HashMap::new(),
            requests: HashMap::new(),
            sent: HashMap::new(),
        }
    }

    /// The thread of a ring. A thread may have several rings.
    fn thread(&mut self, raw: &RawThread<'_>) -> ThreadIndex {
        let Trace { threads, dropped, .. } = &mut self.trace;
        *dropped += raw.dropped;
        let is_same = |of: &Thread| of.process == raw.process && of.tid == raw.tid;
        let at = threads.iter().position(is_same).unwrap_or_else(|| {
            let (process, tid, name) = (raw.process, raw.tid, String::new());
            threads.push(Thread { process, tid, name, dropped: 0 });
            threads.len() - 1
        });
        let thread = &mut threads[at];
        thread.dropped += raw.dropped;
        if thread.name.is_empty() {
            thread.name.clone_from(&raw.name);
        }
        at
    }

    fn add(&mut self, thread: ThreadIndex, record: &Record) {
        let Some(kind) = RecordKind::from_number(record.kind) else { return };
        let time = record.time - self.trace.origin;
        self.trace.end = self.trace.end.max(time);
        let key = (self.trace.threads[thread].process, record.lp);
        let is_sampled = matches!(kind, RecordKind::Sample | RecordKind::Frame);
        if is_sampled && !self.loops.contains_key(&key) {
            // It is in a callback since before the trace, and the record is not of its thread.
            return;
        }
        let lp = self.find_loop(thread, record, kind, time);
        match kind {
            RecordKind::LoopOpen => self.trace.loops[lp].uv_loop = record.value,
            RecordKind::LoopClose => self.end_loop(lp, thread, time),
            RecordKind::RunBegin => {}
            RecordKind::RunEnd => {
                self.count_events(lp, [record.number, record.value as u32]);
                self.end_iteration(lp, time);
            }
            RecordKind::Phase => {
                if let Some(phase) = phase_of(record.small) {
                    self.begin_phase(lp, phase, None, time);
                }
            }
            RecordKind::WaitBegin => self.begin_wait(lp, record, time),
            RecordKind::WaitEnd => self.end_wait(lp, record.number, time),
            RecordKind::CallbackBegin => self.begin_callback(lp, thread, record, time),
            RecordKind::CallbackEnd => {
                if let Some(callback) = self.running[thread].pop() {
                    self.trace.callbacks[callback].end = time;
                }
            }
            RecordKind::HandleOpen => self.open_handle(lp, record, time),
            RecordKind::HandleFd => {
                if let Some(handle) = self.handles.get(&(lp, record.id)) {
                    self.trace.handles[*handle].fd = Some(record.number.cast_signed());
                }
            }
            RecordKind::HandleClosing => {
                if let Some(handle) = self.handles.get(&(lp, record.id)) {
                    self.trace.handles[*handle].closed = Some(time);
                }
            }
            RecordKind::Submit => self.submit(lp, thread, record.id, time),
            RecordKind::JobBegin => {
                if let Some(request) = self.request(lp, record.id) {
                    request.job = Some(Job { thread, begin: time, end: u64::MAX });
                }
            }
            RecordKind::JobEnd => {
                if let Some(job) = self.request(lp, record.id).and_then(|r| r.job.as_mut()) {
                    job.end = time;
                }
            }
            RecordKind::JobName => {
                let name = self.name(thread, record.value);
                if let Some(request) = self.request(lp, record.id) {
                    request.name = name;
                }
            }
            RecordKind::Completed => {
                self.states[lp].completed = self.requests.get(&(lp, record.id)).copied();
            }
            RecordKind::Wakeup => self.wake(lp, thread, record.id, time),
            RecordKind::Sample => self.begin_sample(lp, thread, record.id, time),
            RecordKind::Frame => self.add_frame(thread, record.value),
            RecordKind::Decision => self.add_decision(lp, record, time),
        }
        if kind.is_of_loop_thread() {
            self.states[lp].last = time;
        }
    }

    /// The loop of a record. Creates it if it was not described.
    fn find_loop(
        &mut self,
        thread: ThreadIndex,
        record: &Record,
        kind: RecordKind,
        time: u64,
    ) -> LoopIndex {
        let process = self.trace.threads[thread].process;
        let key = (process, record.lp);
        let known = self.loops.get(&key).copied();
        let lp = match known {
            // A number is used again after its loop was closed.
            Some(lp) if self.trace.loops[lp].end == u64::MAX => lp,
            _ => {
                let lp = self.trace.loops.len();
                let number = u32::from(record.lp);
                let (uv_loop, events, end) = (0, 0, u64::MAX);
                let of = Loop { process, thread, number, uv_loop, events, begin: time, end };
                self.trace.loops.push(of);
                self.states.push(LoopState::default());
                self.loops.insert(key, lp);
                lp
            }
        };
        if matches!(kind, RecordKind::WaitBegin | RecordKind::WaitEnd | RecordKind::CallbackBegin) {
            self.trace.loops[lp].thread = thread;
        }
        lp
    }

    fn end_loop(&mut self, lp: LoopIndex, thread: ThreadIndex, time: u64) {
        self.end_iteration(lp, time);
        self.trace.loops[lp].end = time;
        // A callback that closes its loop is not ended by the loop.
        while let Some(index) = self.running[thread].pop_if(|at| self.trace.callbacks[*at].lp == lp)
        {
            self.trace.callbacks[index].end = time;
        }
    }

    fn end_phase(&mut self, lp: LoopIndex, time: u64) {
        if let Some(phase) = self.states[lp].phase.take() {
            self.trace.phases[phase].end = time;
        }
    }

    fn end_iteration(&mut self, lp: LoopIndex, time: u64) {
        self.end_phase(lp, time);
        let state = &mut self.states[lp];
        state.polled = false;
        if let Some(iteration) = state.iteration.take() {
            self.trace.iterations[iteration].end = time;
        }
    }

    /// Begins a phase. `number` is the number of the iteration, where it is known.
    fn begin_phase(&mut self, lp: LoopIndex, phase: Phase, number: Option<u64>, time: u64) {
        let state = &self.states[lp];
        let before = state.phase.map(|at| self.trace.phases[at].phase);
        let iteration = state.iteration.map(|at| self.trace.iterations[at].number);
        let is_next = match phase {
            Phase::Poll => number.is_some_and(|number| Some(number) != iteration),
            Phase::Idle | Phase::Prepare => true,
            Phase::Pending => !matches!(before, Some(Phase::Poll | Phase::Pending)),
            Phase::Check | Phase::Close | Phase::Timers => false,
        };
        if state.polled && is_next {
            let last = state.last;
            self.end_iteration(lp, last);
        }
        if self.states[lp].iteration.is_none() {
            // The time between two iterations is part of the second.
            let begin = if before.is_some() { self.states[lp].last } else { time };
            let number = self.states[lp].iterations + 1;
            self.states[lp].iteration = Some(self.trace.iterations.len());
            let (end, waited, events, events_waiting) = (u64::MAX, 0, 0, 0);
            let iteration = Iteration { lp, number, begin, end, waited, events, events_waiting };
            self.trace.iterations.push(iteration);
            self.states[lp].iterations = number;
        }
        if let Some(number) = number {
            let state = &mut self.states[lp];
            state.iterations = number;
            state.polled = true;
            if let Some(iteration) = state.iteration {
                self.trace.iterations[iteration].number = number;
            }
        }
        if phase == Phase::Poll && self.current_phase(lp) == Some(Phase::Poll) {
            return;
        }
        let last = self.states[lp].last;
        self.end_phase(lp, last);
        self.states[lp].phase = Some(self.trace.phases.len());
        self.trace.phases.push(PhaseSpan { lp, phase, begin: time, end: u64::MAX, callbacks: 0 });
    }

    fn current_phase(&self, lp: LoopIndex) -> Option<Phase> {
        self.states[lp].phase.map(|at| self.trace.phases[at].phase)
    }

    /// Adds the events since the last count to the iteration that has handled them.
    fn count_events(&mut self, lp: LoopIndex, counted: [u32; 2]) {
        self.trace.loops[lp].events = counted[0];
        let state = &mut self.states[lp];
        let before = state.counted.replace(counted);
        if let Some(((before, now), at)) = before.zip(Some(counted)).zip(state.counts) {
            let iteration = &mut self.trace.iterations[at];
            iteration.events += now[0].wrapping_sub(before[0]);
            iteration.events_waiting += now[1].wrapping_sub(before[1]);
        }
    }

    fn begin_wait(&mut self, lp: LoopIndex, record: &Record, time: u64) {
        self.count_events(lp, [record.number, (record.value >> 32) as u32]);
        self.begin_phase(lp, Phase::Poll, Some(record.id), time);
        self.states[lp].counts = self.states[lp].iteration;
        let milliseconds = record.value as u32;
        let timeout = (milliseconds != u32::MAX).then_some(u64::from(milliseconds) * 1_000_000);
        self.states[lp].wait = Some(self.trace.waits.len());
        self.trace.waits.push(Wait { lp, begin: time, end: u64::MAX, timeout, events: 0 });
    }

    fn end_wait(&mut self, lp: LoopIndex, events: u32, time: u64) {
        let state = &mut self.states[lp];
        state.woke = Some(time);
        if let Some(wait) = state.wait.take() {
            let wait = &mut self.trace.waits[wait];
            wait.end = time.max(wait.begin);
            wait.events = events;
            let waited = wait.end - wait.begin;
            if let Some(iteration) = state.iteration {
                self.trace.iterations[iteration].waited += waited;
            }
        }
    }

    fn begin_callback(&mut self, lp: LoopIndex, thread: ThreadIndex, record: &Record, time: u64) {
        let Some(kind) = CallbackKind::from_number(record.small) else { return };
        let index = self.trace.callbacks.len();
        let handle = self.handles.get(&(lp, record.id)).copied().filter(|_| !kind.is_inner());
        let request =
            if kind == CallbackKind::Work { self.states[lp].completed.take() } else { None };
        if let Some(request) = request {
            self.trace.requests[request].callback = Some(index);
        }
        let ready = self.ready(lp, kind, handle, request, record.number, time);
        let sender = match kind {
            CallbackKind::Async => Some(handle),
            CallbackKind::Work => Some(None),
            _ => None,
        };
        let sent = sender.and_then(|handle| self.sent.remove(&(lp, handle))).unwrap_or_default();
        for wakeup in sent {
            self.trace.wakeups[wakeup].callback = Some(index);
        }
        let phase = self.states[lp].phase;
        if let Some(phase) = phase.filter(|_| !kind.is_inner()) {
            self.trace.phases[phase].callbacks += 1;
        }
        for decision in self.states[lp].decisions.drain(..) {
            self.trace.decisions[decision].callback = Some(index);
        }
        let name = self.name(thread, record.value);
        self.trace.callbacks.push(Callback {
            lp,
            thread,
            kind,
            phase: phase.map(|at| self.trace.phases[at].phase),
            depth: u8::try_from(self.running[thread].len()).unwrap_or(u8::MAX),
            handle,
            request,
            fd: handle.and_then(|handle| self.trace.handles[handle].fd),
            ready: ready.map(|ready| ready.min(time)),
            begin: time,
            end: u64::MAX,
            running: false,
            name,
        });
        self.running[thread].push(index);
        if kind == CallbackKind::Close {
            self.handles.remove(&(lp, record.id));
        }
    }

    /// When a callback was ready to be called.
    fn ready(
        &self,
        lp: LoopIndex,
        kind: CallbackKind,
        handle: Option<HandleIndex>,
        request: Option<RequestIndex>,
        late: u32,
        time: u64,
    ) -> Option<u64> {
        let state = &self.states[lp];
        match kind {
            CallbackKind::Timer => {
                let begin = state.phase.map_or(time, |at| self.trace.phases[at].begin);
                Some(begin.saturating_sub(u64::from(late) * 1_000_000))
            }
            CallbackKind::Work => {
                let job = request.and_then(|request| self.trace.requests[request].job);
                job.map(|job| job.end).filter(|end| *end != u64::MAX)
            }
            CallbackKind::Async => {
                let sent = self.sent.get(&(lp, handle)).and_then(|sent| sent.first());
                sent.map(|wakeup| self.trace.wakeups[*wakeup].time)
            }
            CallbackKind::Close => handle.and_then(|handle| self.trace.handles[handle].closed),
            _ if self.current_phase(lp) == Some(Phase::Poll) && !kind.is_inner() => state.woke,
            _ => None,
        }
    }

    fn open_handle(&mut self, lp: LoopIndex, record: &Record, time: u64) {
        let Some(id) = HandleId::from_bits(record.value) else { return };
        let opened = (record.number == 0).then_some(time);
        let handle = self.trace.handles.len();
        let kind: HandleKind = id.kind();
        let token = record.id;
        self.trace.handles.push(Handle { lp, kind, token, fd: None, opened, closed: None });
        self.handles.insert((lp, token), handle);
        self.handle_ids.insert((lp, record.value), handle);
    }

    fn submit(&mut self, lp: LoopIndex, thread: ThreadIndex, id: u64, time: u64) {
        self.requests.insert((lp, id), self.trace.requests.len());
        self.trace.requests.push(Request {
            lp,
            submitter: thread,
            submitted: time,
            job: None,
            callback: None,
            name: None,
        });
    }

    fn request(&mut self, lp: LoopIndex, id: u64) -> Option<&mut Request> {
        self.requests.get(&(lp, id)).map(|request| &mut self.trace.requests[*request])
    }

    fn wake(&mut self, lp: LoopIndex, from: ThreadIndex, id: u64, time: u64) {
        let handle = self.handle_ids.get(&(lp, id)).copied();
        self.sent.entry((lp, handle)).or_default().push(self.trace.wakeups.len());
        self.trace.wakeups.push(Wakeup { from, lp, handle, time, callback: None });
    }

    fn add_decision(&mut self, lp: LoopIndex, record: &Record, time: u64) {
        let Some(kind) = DecisionKind::ALL.get(usize::from(record.small)).copied() else { return };
        self.states[lp].decisions.push(self.trace.decisions.len());
        let key = Key { lp: record.value as u16, kind, ordinal: record.number };
        let (choice, options) = (record.id as u32, (record.id >> 32) as u32);
        let words = format!("{}: {choice} of {}", kind.name(), options.saturating_sub(1));
        let callback = None;
        self.trace.decisions.push(Decision { lp, time, callback, key, choice, options, words });
    }

    fn name(&mut self, thread: ThreadIndex, number: u64) -> Option<NameIndex> {
        let process = self.trace.threads[thread].process;
        if let Some(index) = self.name_indices.get(&(process, number)) {
            return Some(*index);
        }
        let DefinedName { name, is_script } = self.names.get(process)?.get(&number)?;
        let index = self.trace.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.trace.names.push(name.clone());
            self.trace.names.len() - 1
        });
        self.name_indices.insert((process, number), index);
        if *is_script {
            self.stacks.scripts.insert(index);
        }
        Some(index)
    }

    /// Begins a sample of the callback that has begun at `begin` and still runs.
    fn begin_sample(&mut self, lp: LoopIndex, thread: ThreadIndex, begin: u64, time: u64) {
        self.stacks.end(thread);
        // A callback that began before the trace is shown from its beginning on.
        let begin = begin.saturating_sub(self.trace.origin);
        let mut running = self.running.iter().flatten().copied();
        let callback = running.find(|at| {
            let callback = &self.trace.callbacks[*at];
            (callback.lp, callback.begin) == (lp, begin)
        });
        self.stacks.open[thread] = callback.map(|callback| (callback, time, Vec::new()));
    }

    fn add_frame(&mut self, thread: ThreadIndex, number: u64) {
        let name = self.name(thread, number);
        if let Some((_, _, names)) = &mut self.stacks.open[thread] {
            names.extend(name);
        }
    }

    /// Ends what had not ended, when its process has exited, or with the trace.
    fn finish(mut self, exits: &[Option<u64>]) -> Trace {
        let exit = |process: usize| {
            let exit = exits.get(process).copied().flatten();
            exit.map_or(u64::MAX, |time| time.saturating_sub(self.trace.origin)).min(self.trace.end)
        };
        let ends: Vec<u64> = self.trace.loops.iter().map(|of| exit(of.process)).collect();
        // The iteration of a loop that still waits is not busy.
        (0..self.states.len()).for_each(|lp| self.end_wait(lp, 0, ends[lp]));
        let close = |time: &mut u64, lp: usize| {
            if *time == u64::MAX {
                *time = ends[lp];
            }
        };
        self.trace.loops.iter_mut().enumerate().for_each(|(lp, of)| close(&mut of.end, lp));
        self.trace.iterations.iter_mut().for_each(|of| close(&mut of.end, of.lp));
        self.trace.phases.iter_mut().for_each(|of| close(&mut of.end, of.lp));
        for callback in &mut self.trace.callbacks {
            callback.running = callback.end == u64::MAX;
            close(&mut callback.end, callback.lp);
        }
        for request in &mut self.trace.requests {
            if let Some(job) = &mut request.job {
                close(&mut job.end, request.lp);
            }
        }
        self.stacks.finish(&mut self.trace);
        self.trace
    }
}

fn phase_of(number: u8) -> Option<Phase> {
    Phase::ALL.get(usize::from(number)).copied()
}

#[cfg(test)]
mod tests;
