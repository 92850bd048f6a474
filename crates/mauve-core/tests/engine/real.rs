//! Runs scripts on the engine.

use mauve_core::pool::Pool;
use mauve_core::{Completion, Engine, HandleId, HandleKind, Step, Token};
use mauve_sys::descriptor::RawDescriptor;

use crate::fake::{FakeDriver, FakeSystem, NEVER_ENDS, ScheduledEvent};
use crate::script::{DESCRIPTORS, Op, Run, Trace};

pub struct Real {
    pub engine: Engine<FakeDriver>,
    pub system: FakeSystem,
    handles: Vec<HandleId>,
    /// How many batches were run.
    batches: usize,
}

impl Real {
    pub fn new() -> Self {
        let system = FakeSystem::new();
        let engine = Engine::new(system.driver(), Pool::new(1)).expect("an engine");
        Self { engine, system, handles: Vec::new(), batches: 0 }
    }

    /// How many handles were opened.
    pub fn count(&self) -> usize {
        self.handles.len()
    }

    pub fn play(&mut self, run: &Run, trace: &mut Trace) {
        for op in &run.before {
            self.perform(op, trace);
        }
        trace.begin(run);
        loop {
            match self.engine.next(run.mode) {
                Ok(Step::Call(completion)) => self.call(name(completion), trace),
                Ok(Step::Hooks(batch)) => self.batch(trace, |engine| batch.next(engine)),
                Ok(Step::Work(batch)) => self
                    .batch(trace, |engine| batch.next(engine).map(|completion| completion.token())),
                Ok(Step::Done { alive }) => break trace.note(format!("done, alive: {alive}")),
                Err(error) => {
                    assert_eq!(error, NEVER_ENDS);
                    break trace.note("waits for ever".to_owned());
                }
            }
        }
    }

    /// Leaves every third batch before its end, because `Engine::next` must return the rest.
    fn batch(
        &mut self,
        trace: &mut Trace,
        mut next: impl FnMut(&mut Engine<FakeDriver>) -> Option<Token>,
    ) {
        self.batches += 1;
        let most = if self.batches.is_multiple_of(3) { 2 } else { usize::MAX };
        for _ in 0..most {
            let Some(token) = next(&mut self.engine) else { break };
            self.call(token.0.to_string(), trace);
        }
    }

    fn call(&mut self, name: String, trace: &mut Trace) {
        let phase = self.engine.phase().expect("a run");
        let now = self.engine.now();
        let what = format!("{phase:?}: {name} at {now}");
        for op in trace.call(what) {
            self.perform(&op, trace);
        }
    }

    pub fn perform(&mut self, op: &Op, trace: &mut Trace) {
        let result = self.result(op);
        trace.note(format!("{op:?}: {result}"));
    }

    fn result(&mut self, op: &Op) -> String {
        let engine = &mut self.engine;
        let of = |kinds: &[HandleKind], n: usize| {
            let fitting = self.handles.iter().filter(|id| kinds.contains(&id.kind()));
            let fitting: Vec<_> = fitting.copied().collect();
            (!fitting.is_empty()).then(|| fitting[n % fitting.len()])
        };
        const HOOKS: &[HandleKind] = &[HandleKind::Idle, HandleKind::Prepare, HandleKind::Check];
        let text = match *op {
            Op::Open(kind) => {
                let token = Token(self.handles.len() as u64);
                let opened = match kind {
                    HandleKind::Timer => Ok(engine.open_timer(token)),
                    HandleKind::Idle => Ok(engine.open_idle(token)),
                    HandleKind::Prepare => Ok(engine.open_prepare(token)),
                    HandleKind::Check => Ok(engine.open_check(token)),
                    HandleKind::Async => Ok(engine.open_async(token)),
                    HandleKind::Poll => {
                        engine.open_poll(token, (token.0 as usize % DESCRIPTORS) as RawDescriptor)
                    }
                    other => unreachable!("no script opens a {other:?}"),
                };
                match opened {
                    Ok(id) => {
                        self.handles.push(id);
                        Some(format!("{}", token.0))
                    }
                    Err(error) => Some(format!("{error:?}")),
                }
            }
            Op::StartTimer(n, timeout, repeat) => {
                let timer = of(&[HandleKind::Timer], n).and_then(|id| engine.timer(id));
                timer.map(|mut timer| format!("{:?}", timer.start(timeout, repeat)))
            }
            Op::StopTimer(n) => {
                let timer = of(&[HandleKind::Timer], n).and_then(|id| engine.timer(id));
                timer.map(|mut timer| format!("{:?}", timer.stop()))
            }
            Op::Again(n) => {
                let timer = of(&[HandleKind::Timer], n).and_then(|id| engine.timer(id));
                timer.map(|mut timer| format!("{:?}", timer.again()))
            }
            Op::SetRepeat(n, repeat) => {
                let timer = of(&[HandleKind::Timer], n).and_then(|id| engine.timer(id));
                timer.map(|mut timer| format!("{:?}", timer.set_repeat(repeat)))
            }
            Op::StartHook(n) => {
                let hook = of(HOOKS, n).and_then(|id| engine.hook(id));
                hook.map(|mut hook| format!("{:?}", hook.start()))
            }
            Op::StopHook(n) => {
                let hook = of(HOOKS, n).and_then(|id| engine.hook(id));
                hook.map(|mut hook| format!("{:?}", hook.stop()))
            }
            Op::StartPoll(n, interest) => {
                let poll = of(&[HandleKind::Poll], n).and_then(|id| engine.poll(id));
                poll.map(|mut poll| format!("{:?}", poll.start(interest)))
            }
            Op::StopPoll(n) => {
                let poll = of(&[HandleKind::Poll], n).and_then(|id| engine.poll(id));
                poll.map(|mut poll| format!("{:?}", poll.stop()))
            }
            Op::Send(n) => {
                of(&[HandleKind::Async], n).map(|id| format!("{:?}", engine.sender(id).send()))
            }
            Op::SendLater(n, ms) => of(&[HandleKind::Async], n).map(|id| {
                self.system.schedule(ms, ScheduledEvent::Send(engine.sender(id)));
                String::new()
            }),
            Op::Close(n) => self.nth(n).map(|id| format!("{}", self.engine.close_handle(id))),
            Op::Reference(n, set) => self.nth(n).map(|id| {
                self.engine.set_referenced(id, set);
                String::new()
            }),
            Op::QueryStatus(n) => self.nth(n).map(|id| self.query_status(id)),
            Op::LookAtLoop => Some(format!(
                "alive {}, now {}, timeout {:?}",
                engine.alive(),
                engine.now(),
                engine.backend_timeout()
            )),
            Op::Pass(ms) => {
                self.system.advance(ms);
                None
            }
            Op::UpdateTime => {
                engine.update_time();
                None
            }
            Op::Stop => {
                engine.stop();
                None
            }
            Op::Ready(n, readiness) => {
                self.system.set_ready((n % DESCRIPTORS) as RawDescriptor, readiness);
                None
            }
            Op::ReadyLater(n, readiness, ms) => {
                let fd = (n % DESCRIPTORS) as RawDescriptor;
                self.system.schedule(ms, ScheduledEvent::Ready(fd, readiness));
                None
            }
        };
        text.unwrap_or_default()
    }

    fn nth(&self, n: usize) -> Option<HandleId> {
        (!self.handles.is_empty()).then(|| self.handles[n % self.handles.len()])
    }

    fn query_status(&mut self, id: HandleId) -> String {
        let Some(status) = self.engine.status(id) else { return "gone".to_owned() };
        let due = self.engine.timer(id).map(|timer| (timer.due_in(), timer.repeat()));
        format!(
            "active {}, referenced {}, closing {}, due {due:?}",
            status.active, status.referenced, status.closing
        )
    }
}

fn name(completion: Completion) -> String {
    match completion {
        Completion::Poll { token, result } => format!("poll {} {result:?}", token.0),
        other => format!("{}", other.token().0),
    }
}
