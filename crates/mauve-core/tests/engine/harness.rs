//! An engine on a fake driver, and helpers to run it.

use mauve_core::handle::stream::StreamMut;
use mauve_core::pool::Pool;
use mauve_core::{
    Completion, Engine, HandleId, HookBatch, Mode, Phase, Step, Token, WorkCompletion,
};
use mauve_sys::driver::Driver;

use crate::fake::{FakeDriver, FakeSystem};

pub struct Harness {
    pub engine: Engine<FakeDriver>,
    pub system: FakeSystem,
}

impl Harness {
    pub fn new() -> Self {
        let system = FakeSystem::new();
        let engine = Engine::new(system.driver(), Pool::new(1)).expect("an engine");
        Self { engine, system }
    }

    /// A started timer.
    pub fn timer(&mut self, token: u64, timeout: u64, repeat: u64) -> HandleId {
        let id = self.engine.open_timer(Token(token));
        self.engine.timer(id).unwrap().start(timeout, repeat).unwrap();
        id
    }

    /// A started idle handle.
    pub fn idle(&mut self, token: u64) -> HandleId {
        let id = self.engine.open_idle(Token(token));
        assert_eq!(self.engine.hook(id).unwrap().start(), Ok(true));
        id
    }

    /// The stream, for one operation.
    pub fn stream(&mut self, id: HandleId) -> StreamMut<'_, FakeDriver> {
        self.engine.stream(id).expect("an open stream")
    }

    /// Runs with empty callbacks. Returns the tokens of the completions.
    pub fn run(&mut self, mode: Mode) -> Vec<u64> {
        self.run_with(mode, |_, _| ())
    }

    /// Runs with `act` as the callbacks. Returns the tokens of the completions.
    pub fn run_with(&mut self, mode: Mode, act: impl FnMut(&mut Self, u64)) -> Vec<u64> {
        self.phases(mode, act).into_iter().map(|(_, token)| token).collect()
    }

    /// Runs until the loop is not alive, while the pool threads run.
    pub fn run_until_idle(&mut self) -> Vec<u64> {
        let mut calls = Vec::new();
        while self.engine.alive() {
            calls.extend(self.run(Mode::NoWait));
            std::thread::yield_now();
        }
        calls
    }

    /// As [`run_with`](Self::run_with), with the phases.
    pub fn phases(&mut self, mode: Mode, mut act: impl FnMut(&mut Self, u64)) -> Vec<(Phase, u64)> {
        let mut calls = Vec::new();
        while let Some(report) = next_report(&mut self.engine, mode) {
            let token = report.token().0;
            calls.push((self.engine.phase().expect("a run"), token));
            assert!(calls.len() < 1000, "a run without end");
            act(self, token);
        }
        calls
    }
}

/// What a run reports, whether it comes alone or in a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    Hook(HookBatch, Token),
    Event(Completion),
    Work(WorkCompletion),
}

impl Report {
    pub fn token(self) -> Token {
        match self {
            Self::Hook(_, token) => token,
            Self::Event(completion) => completion.token(),
            Self::Work(completion) => completion.token(),
        }
    }

    /// The completion of an engine without hooks and requests of the pool.
    pub fn event(self) -> Completion {
        match self {
            Self::Event(completion) => completion,
            other => panic!("{other:?}"),
        }
    }
}

/// The next report of a run; `None` ends the run.
///
/// A batch is left after each element, and [`Engine::next`] returns the rest of it again.
pub fn next_report<D: Driver>(engine: &mut Engine<D>, mode: Mode) -> Option<Report> {
    loop {
        let report = match engine.next(mode).expect("the driver waits") {
            Step::Call(completion) => Some(Report::Event(completion)),
            Step::Hooks(batch) => batch.next(engine).map(|token| Report::Hook(batch, token)),
            Step::Work(batch) => batch.next(engine).map(Report::Work),
            Step::Done { .. } => return None,
        };
        if report.is_some() {
            return report;
        }
    }
}
