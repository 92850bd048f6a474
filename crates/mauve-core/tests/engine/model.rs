//! A reference model of the loop: the rules of libuv, written for simplicity. It calls callbacks
//! recursively.

use std::collections::BTreeMap;

use mauve_core::{HandleKind, Mode, Phase};
use mauve_sys::driver::{Interest, Readiness};

use crate::fake::{FOREVER, reported_readiness};
use crate::script::{DESCRIPTORS, Op, Run, Trace};

#[derive(Default)]
pub struct Model {
    handles: Vec<Handle>,
    clock: u64,
    now: u64,
    stopping: bool,
    /// The number of starts so far, which orders all starts.
    starts: u64,
    closing: Vec<usize>,
    closing_now: Vec<usize>,
    ready: BTreeMap<usize, Readiness>,
    scheduled: BTreeMap<u64, Vec<ScheduledEvent>>,
    /// All async handles.
    asyncs: Vec<usize>,
    /// The waker was notified, and the loop has not polled since.
    woken: bool,
    /// Handles that were notified since the last batch, closed ones included. Only the first send
    /// notifies the loop.
    notified: Vec<usize>,
    /// The loop checks the wake-up queue before it waits, so senders do not notify it.
    awake: bool,
    /// The last batch has left a handle for the next one.
    late: bool,
    /// A handle was notified during the last batch and called in it: the next wait ends at once.
    missed: bool,
    polled: bool,
    /// The hooks that the current phase has still to call, and when they were started.
    unvisited: Vec<(u64, usize)>,
}

struct Handle {
    kind: HandleKind,
    state: State,
    referenced: bool,
    /// When it was started, in the count of all starts.
    started: u64,
    timer: Timer,
    /// It was notified, and its callback has not run.
    sent: bool,
    fd: usize,
    interest: Interest,
    /// The handle was started since the last poll phase.
    changed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Inactive,
    Active,
    Closing,
    Gone,
}

#[derive(Default)]
struct Timer {
    due: u64,
    repeat: u64,
    ever_started: bool,
    /// Found due by the current timers phase, and not reported yet.
    collected: bool,
}

enum ScheduledEvent {
    Send(usize),
    Ready(usize, Readiness),
}

/// The run waits without a timeout.
struct WaitsForever;

const HOOKS: &[HandleKind] = &[HandleKind::Idle, HandleKind::Prepare, HandleKind::Check];

impl Model {
    pub fn new() -> Self {
        Self { clock: 1000, now: 1000, ..Self::default() }
    }

    pub fn play(&mut self, run: &Run, trace: &mut Trace) {
        for op in &run.before {
            self.perform(op, trace);
        }
        trace.begin(run);
        let ended = self.run(run.mode, trace);
        self.woken |= self.has_unnotified_wakeup();
        self.awake = false;
        match ended {
            Ok(alive) => trace.note(format!("done, alive: {alive}")),
            Err(WaitsForever) => trace.note("waits for ever".to_owned()),
        }
    }

    /// The order of the phases. Returns whether the loop was alive after the last iteration.
    fn run(&mut self, mode: Mode, trace: &mut Trace) -> Result<bool, WaitsForever> {
        let mut alive = self.alive();
        if !alive {
            self.now = self.clock;
        }
        if mode == Mode::Default && alive && !self.stopping {
            self.timers(trace);
        }
        while alive && !self.stopping {
            let may_sleep = !self.any_idle();
            self.hooks(HandleKind::Idle, Phase::Idle, trace);
            self.hooks(HandleKind::Prepare, Phase::Prepare, trace);
            let sleeps = mode == Mode::Default || mode == Mode::Once && may_sleep;
            self.poll(sleeps, trace)?;
            self.hooks(HandleKind::Check, Phase::Check, trace);
            self.closed(trace);
            self.timers(trace);
            alive = self.alive();
            if mode != Mode::Default {
                break;
            }
        }
        self.stopping = false;
        Ok(alive)
    }

    fn call(&mut self, phase: Phase, what: String, trace: &mut Trace) {
        for op in trace.call(format!("{phase:?}: {what} at {}", self.now)) {
            self.perform(&op, trace);
        }
    }

    fn timers(&mut self, trace: &mut Trace) {
        self.now = self.clock;
        let mut due: Vec<_> = (0..self.handles.len())
            .filter(|n| {
                self.is_active(*n, HandleKind::Timer) && self.handles[*n].timer.due <= self.now
            })
            .collect();
        due.sort_by_key(|n| (self.handles[*n].timer.due, self.handles[*n].started));
        for n in &due {
            self.handles[*n].timer.collected = true;
            self.handles[*n].state = State::Inactive;
        }
        for n in due {
            if !std::mem::take(&mut self.handles[n].timer.collected) {
                continue;
            }
            match self.handles[n].timer.repeat {
                0 => {}
                repeat => self.arm(n, repeat),
            }
            self.call(Phase::Timers, format!("{n}"), trace);
        }
        // No timer stays collected: stopping and starting clear the flag.
        assert!(self.handles.iter().all(|handle| !handle.timer.collected));
    }

    fn hooks(&mut self, kind: HandleKind, phase: Phase, trace: &mut Trace) {
        let mut hooks: Vec<_> = (0..self.handles.len())
            .filter(|n| self.is_active(*n, kind))
            .map(|n| (self.handles[n].started, n))
            .collect();
        hooks.sort_unstable();
        while let Some((started, n)) = hooks.pop() {
            self.unvisited.clone_from(&hooks);
            // A hook that was stopped or restarted is skipped.
            if self.is_active(n, kind) && self.handles[n].started == started {
                self.call(phase, format!("{n}"), trace);
            }
        }
        self.unvisited.clear();
    }

    fn closed(&mut self, trace: &mut Trace) {
        self.closing_now.append(&mut self.closing);
        while let Some(n) = self.closing_now.pop() {
            self.handles[n].state = State::Gone;
            self.call(Phase::Close, format!("{n}"), trace);
        }
    }

    fn poll(&mut self, sleeps: bool, trace: &mut Trace) -> Result<(), WaitsForever> {
        self.polled = true;
        self.awake = self.has_unnotified_wakeup();
        self.woken |= self.awake | std::mem::take(&mut self.missed);
        for handle in &mut self.handles {
            handle.changed = false;
        }
        let (woken, ready) = loop {
            let woken = std::mem::take(&mut self.woken);
            let ready = self.ready_polls();
            let timeout = if sleeps { self.timeout() } else { Some(0) };
            if woken || !ready.is_empty() || timeout == Some(0) {
                self.now = self.clock;
                break (woken, ready);
            }
            let happens = self.scheduled.first_key_value().map(|(time, _)| *time);
            let timeout = timeout.filter(|ms| *ms < FOREVER);
            let until = [timeout.map(|ms| self.clock + ms), happens];
            let until = until.into_iter().flatten().min();
            self.advance(until.unwrap_or_default().saturating_sub(self.clock));
            self.now = self.clock;
            until.ok_or(WaitsForever)?;
        };
        let batch = self.starts;
        if woken {
            self.call_notified(trace);
        }
        for (n, ready) in ready {
            // Dropped if the handle was stopped, or started after the poll.
            if !self.is_active(n, HandleKind::Poll) || self.handles[n].started > batch {
                continue;
            }
            let wanted = Readiness::from_bits_truncate(self.handles[n].interest.bits());
            let reported =
                if ready.contains(Readiness::ERROR) && !ready.contains(Readiness::PRIORITIZED) {
                    self.stop(n);
                    "Err(EBADF)".to_owned()
                } else if ready.contains(Readiness::HANGUP) {
                    format!("{:?}", Ok::<_, ()>(wanted))
                } else if (ready & wanted).is_empty() {
                    continue;
                } else {
                    format!("{:?}", Ok::<_, ()>(ready & wanted))
                };
            self.call(Phase::Poll, format!("poll {n} {reported}"), trace);
        }
        Ok(())
    }

    /// Whether an awake loop has notified handles whose senders did not notify the loop.
    fn has_unnotified_wakeup(&self) -> bool {
        self.awake && (!self.notified.is_empty() || self.late)
    }

    /// Calls all notified handles, in the order of the list. Handles that are notified during the batch
    /// are called in it if they come after the current one and were created before the batch.
    fn call_notified(&mut self, trace: &mut Trace) {
        let mut rest = std::mem::take(&mut self.asyncs);
        let mut has_called = false;
        self.late = false;
        self.awake = true;
        loop {
            for n in self.notified.drain(..) {
                let in_time = rest.contains(&n);
                self.late |= !in_time;
                self.missed |= in_time && has_called;
            }
            let Some(at) = rest.iter().position(|n| self.handles[*n].sent) else { break };
            let n = rest[at];
            // Handles that the callback makes come behind these.
            self.asyncs.extend(rest.drain(..=at));
            self.handles[n].sent = false;
            has_called = true;
            self.call(Phase::Poll, format!("{n}"), trace);
        }
        self.asyncs.append(&mut rest);
    }

    fn ready_polls(&self) -> Vec<(usize, Readiness)> {
        let polls = (0..self.handles.len()).filter(|n| self.is_active(*n, HandleKind::Poll));
        let reported = polls.map(|n| {
            let handle = &self.handles[n];
            (
                n,
                reported_readiness(
                    self.ready.get(&handle.fd).copied().unwrap_or_default(),
                    handle.interest,
                ),
            )
        });
        let mut reported: Vec<_> = reported.filter(|(_, ready)| !ready.is_empty()).collect();
        reported.sort_by_key(|(n, _)| self.handles[*n].fd);
        reported
    }

    /// Whether a started poll handle has an interest that no poll phase has registered.
    fn is_pending(&self) -> bool {
        let mut polls = (0..self.handles.len()).filter(|n| self.is_active(*n, HandleKind::Poll));
        polls.any(|n| self.handles[n].changed)
    }

    fn alive(&self) -> bool {
        self.counted() || !self.closing.is_empty()
    }

    fn counted(&self) -> bool {
        self.handles.iter().any(|handle| handle.state == State::Active && handle.referenced)
    }

    fn any_idle(&self) -> bool {
        let unvisited = |n: usize| self.unvisited.contains(&(self.handles[n].started, n));
        (0..self.handles.len()).any(|n| self.is_active(n, HandleKind::Idle) && !unvisited(n))
    }

    fn timeout(&self) -> Option<u64> {
        let waits = !self.stopping && self.counted() && !self.any_idle() && self.closing.is_empty();
        if !waits {
            return Some(0);
        }
        let timers = (0..self.handles.len()).filter(|n| self.is_active(*n, HandleKind::Timer));
        timers.map(|n| self.handles[n].timer.due.saturating_sub(self.now)).min()
    }

    fn is_active(&self, n: usize, kind: HandleKind) -> bool {
        self.handles[n].kind == kind && self.handles[n].state == State::Active
    }

    fn advance(&mut self, ms: u64) {
        let end = self.clock + ms;
        while let Some(entry) = self.scheduled.first_entry().filter(|entry| *entry.key() <= end) {
            for event in entry.remove() {
                match event {
                    ScheduledEvent::Send(n) => drop(self.send(n)),
                    ScheduledEvent::Ready(fd, readiness) => drop(self.ready.insert(fd, readiness)),
                }
            }
        }
        self.clock = end;
    }

    fn send(&mut self, n: usize) -> String {
        if self.handles[n].state != State::Active {
            return "Err(SendError)".to_owned();
        }
        if !self.handles[n].sent {
            self.handles[n].sent = true;
            self.woken |= self.notified.is_empty() && !self.awake;
            self.notified.push(n);
        }
        "Ok(())".to_owned()
    }

    fn begin(&mut self, n: usize) {
        self.starts += 1;
        self.handles[n].started = self.starts;
        self.handles[n].state = State::Active;
    }

    fn arm(&mut self, n: usize, timeout: u64) {
        self.handles[n].timer.collected = false;
        self.handles[n].timer.due = self.now.saturating_add(timeout);
        self.begin(n);
    }

    fn stop(&mut self, n: usize) {
        let handle = &mut self.handles[n];
        handle.timer.collected = false;
        if handle.state == State::Active {
            handle.state = State::Inactive;
            handle.interest = Interest::empty();
        }
    }

    pub fn perform(&mut self, op: &Op, trace: &mut Trace) {
        let result = self.result(op);
        trace.note(format!("{op:?}: {result}"));
    }

    /// The handle of an operation, unless its close completion was reported.
    fn pick(&self, kinds: &[HandleKind], n: usize) -> Option<usize> {
        let fitting = (0..self.handles.len()).filter(|n| kinds.contains(&self.handles[*n].kind));
        let fitting: Vec<_> = fitting.collect();
        let picked = (!fitting.is_empty()).then(|| fitting[n % fitting.len()])?;
        (self.handles[picked].state != State::Gone).then_some(picked)
    }

    fn result(&mut self, op: &Op) -> String {
        const EINVAL: &str = "Err(EINVAL)";
        let ok = "Ok(())".to_owned();
        let unit = "()".to_owned();
        let picked = match *op {
            Op::StartTimer(n, ..) | Op::StopTimer(n) | Op::Again(n) | Op::SetRepeat(n, _) => {
                self.pick(&[HandleKind::Timer], n)
            }
            Op::StartHook(n) | Op::StopHook(n) => self.pick(HOOKS, n),
            Op::StartPoll(n, _) | Op::StopPoll(n) => self.pick(&[HandleKind::Poll], n),
            Op::Send(n) | Op::SendLater(n, _) => {
                let asyncs =
                    (0..self.handles.len()).filter(|n| self.handles[*n].kind == HandleKind::Async);
                let asyncs: Vec<_> = asyncs.collect();
                (!asyncs.is_empty()).then(|| asyncs[n % asyncs.len()])
            }
            Op::Close(n) | Op::Reference(n, _) | Op::QueryStatus(n) => {
                (!self.handles.is_empty()).then(|| n % self.handles.len())
            }
            _ => None,
        };
        let closing = picked.is_some_and(|n| self.handles[n].state == State::Closing);
        match (op, picked) {
            (Op::Open(kind), _) => self.open(*kind),
            (Op::LookAtLoop, _) => {
                let timeout =
                    if self.polled && !self.is_pending() { self.timeout() } else { Some(0) };
                format!("alive {}, now {}, timeout {timeout:?}", self.alive(), self.now)
            }
            (Op::Pass(ms), _) => {
                self.advance(*ms);
                String::new()
            }
            (Op::UpdateTime, _) => {
                self.now = self.clock;
                String::new()
            }
            (Op::Stop, _) => {
                self.stopping = true;
                String::new()
            }
            (Op::Ready(fd, readiness), _) => {
                self.ready.insert(fd % DESCRIPTORS, *readiness);
                String::new()
            }
            (Op::ReadyLater(fd, readiness, ms), _) => {
                let event = ScheduledEvent::Ready(fd % DESCRIPTORS, *readiness);
                self.scheduled.entry(self.clock + ms).or_default().push(event);
                String::new()
            }
            (_, None) => String::new(),
            (Op::StartTimer(..), _) if closing => EINVAL.to_owned(),
            (Op::StartTimer(_, timeout, repeat), Some(n)) => {
                self.handles[n].timer.ever_started = true;
                self.handles[n].timer.repeat = *repeat;
                self.arm(n, *timeout);
                ok
            }
            (Op::StopTimer(_), Some(n)) => {
                self.stop(n);
                unit
            }
            (Op::Again(_), Some(n)) => match self.handles[n].timer.repeat {
                _ if !self.handles[n].timer.ever_started => EINVAL.to_owned(),
                0 => ok,
                _ if closing => EINVAL.to_owned(),
                repeat => {
                    self.arm(n, repeat);
                    ok
                }
            },
            (Op::SetRepeat(_, repeat), Some(n)) => {
                self.handles[n].timer.repeat = *repeat;
                unit
            }
            (Op::StartHook(_), _) if closing => EINVAL.to_owned(),
            (Op::StartHook(_), Some(n)) => {
                let started = self.handles[n].state == State::Inactive;
                if started {
                    self.begin(n);
                }
                format!("Ok({started})")
            }
            (Op::StopHook(_) | Op::StopPoll(_), Some(n)) => {
                self.stop(n);
                unit
            }
            (Op::StartPoll(_, interest), Some(n)) => self.start_poll(n, *interest),
            (Op::Send(_), Some(n)) => self.send(n),
            (Op::SendLater(_, ms), Some(n)) => {
                self.scheduled.entry(self.clock + ms).or_default().push(ScheduledEvent::Send(n));
                String::new()
            }
            (Op::Close(_), Some(n)) => format!("{}", self.close(n)),
            (Op::Reference(_, set), Some(n)) => {
                self.handles[n].referenced = *set;
                String::new()
            }
            (Op::QueryStatus(_), Some(n)) => self.query_status(n),
        }
    }

    fn open(&mut self, kind: HandleKind) -> String {
        let n = self.handles.len();
        let fd = n % DESCRIPTORS;
        if kind == HandleKind::Poll && self.owner(fd).is_some() {
            return "EEXIST".to_owned();
        }
        self.handles.push(Handle {
            kind,
            state: State::Inactive,
            referenced: true,
            started: 0,
            timer: Timer::default(),
            sent: false,
            fd,
            interest: Interest::empty(),
            changed: false,
        });
        if kind == HandleKind::Async {
            self.asyncs.push(n);
            self.begin(n);
        }
        format!("{n}")
    }

    fn owner(&self, fd: usize) -> Option<usize> {
        (0..self.handles.len())
            .find(|n| self.is_active(*n, HandleKind::Poll) && self.handles[*n].fd == fd)
    }

    fn start_poll(&mut self, n: usize, interest: Interest) -> String {
        if interest.is_empty() {
            self.stop(n);
            return "Ok(())".to_owned();
        }
        if self.handles[n].state == State::Closing {
            return "Err(EINVAL)".to_owned();
        }
        if self.owner(self.handles[n].fd).is_some_and(|owner| owner != n) {
            return "Err(EEXIST)".to_owned();
        }
        self.handles[n].interest = interest;
        self.handles[n].changed = true;
        self.begin(n);
        "Ok(())".to_owned()
    }

    fn close(&mut self, n: usize) -> bool {
        if matches!(self.handles[n].state, State::Closing | State::Gone) {
            return false;
        }
        self.stop(n);
        self.handles[n].sent = false;
        self.handles[n].state = State::Closing;
        self.closing.push(n);
        true
    }

    fn query_status(&self, n: usize) -> String {
        let handle = &self.handles[n];
        if handle.state == State::Gone {
            return "gone".to_owned();
        }
        let due = (handle.kind == HandleKind::Timer)
            .then(|| (handle.timer.due.saturating_sub(self.now), handle.timer.repeat));
        format!(
            "active {}, referenced {}, closing {}, due {due:?}",
            handle.state == State::Active,
            handle.referenced,
            handle.state == State::Closing
        )
    }
}
