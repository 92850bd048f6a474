//! What an engine reports to a recorder. In a process of its own, because there is one recorder.

use std::sync::{Mutex, PoisonError};

use mauve_core::pool::{Lane, Pool, Task};
use mauve_core::trace::{self, CallbackKind, CallbackName, Event, Recorder};
use mauve_core::{Engine, HandleId, Mode, Phase, Step, Token};
use mauve_sys::driver::Platform;

/// Stores events in the order in which they are reported, by thread.
struct Log(Mutex<Vec<(std::thread::ThreadId, u64, u16, Event)>>);

static LOG: Log = Log(Mutex::new(Vec::new()));

/// The handles that were notified.
static WAKEUPS: Mutex<Vec<HandleId>> = Mutex::new(Vec::new());

impl Recorder for Log {
    fn start(&self, directory: &str) -> bool {
        directory == "a directory"
    }

    fn record(&self, time: u64, lp: u16, event: Event) {
        let entry = (std::thread::current().id(), time, lp, event);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
    }

    fn record_wakeup(&self, _: u64, _: u16, handle: HandleId) {
        WAKEUPS.lock().unwrap_or_else(PoisonError::into_inner).push(handle);
    }
}

fn take() -> Vec<(std::thread::ThreadId, u64, u16, Event)> {
    std::mem::take(&mut LOG.0.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Runs the engine, and calls `callback` for each completion.
fn run(engine: &mut Engine<Platform>, callback: &mut dyn FnMut(&mut Engine<Platform>, Token)) {
    loop {
        match next(engine, Mode::Default) {
            Step::Call(completion) => callback(engine, completion.token()),
            Step::Hooks(batch) => {
                while let Some(token) = batch.next(engine) {
                    callback(engine, token);
                }
            }
            Step::Work(batch) => {
                while let Some(completion) = batch.next(engine) {
                    callback(engine, completion.token());
                }
            }
            Step::Done { .. } => return,
        }
    }
}

/// The next step, as a host requests it.
fn next(engine: &mut Engine<Platform>, mode: Mode) -> Step {
    let step = engine.next(mode).unwrap();
    engine.trace_step(&step);
    step
}

/// One test, because the recorder and the switch are global.
#[test]
fn an_engine_reports_phases_callbacks_requests_and_wakeups() {
    trace::set_recorder(&LOG);
    let mut engine = Engine::new(Platform::new().unwrap(), Pool::new(1)).unwrap();
    let timer = engine.open_timer(Token(7));
    engine.timer(timer).unwrap().start(1, 0).unwrap();
    run(&mut engine, &mut |_, _| {});
    assert!(take().is_empty(), "nothing is reported while tracing is off");

    assert!(!trace::request(&"x".repeat(1000)), "too long");
    assert!(trace::request("a directory"));
    engine.set_callback_names(Box::new(|_, token| CallbackName::Function(token.0)));
    engine.timer(timer).unwrap().start(1, 0).unwrap();
    let notified = engine.open_async(Token(8));
    engine.sender(notified).send().unwrap();
    engine.submit_work(Token(9), Lane::Normal, Task::Call(|_| {}, 0)).unwrap();
    let mut nested = false;
    run(&mut engine, &mut |engine, token| {
        if token == Token(8) {
            engine.close_handle(notified);
        }
        // A run inside of a callback.
        if token == Token(7) && !std::mem::replace(&mut nested, true) {
            engine.suspend_run();
            let inner = engine.open_timer(Token(10));
            engine.timer(inner).unwrap().start(0, 0).unwrap();
            loop {
                match next(engine, Mode::NoWait) {
                    Step::Hooks(batch) => while batch.next(engine).is_some() {},
                    Step::Work(batch) => while batch.next(engine).is_some() {},
                    Step::Done { .. } => break,
                    // The wake-up may be reported by this run.
                    Step::Call(completion) if completion.token() == Token(8) => {
                        engine.close_handle(notified);
                    }
                    Step::Call(_) => {}
                }
            }
            engine.resume_run();
        }
    });
    trace::stop();
    engine.timer(timer).unwrap().start(1, 0).unwrap();
    let log = take();
    run(&mut engine, &mut |_, _| {});
    assert!(take().is_empty(), "nothing is reported after the end");

    assert!(log.iter().all(|entry| entry.2 == engine.trace_number()), "{log:?}");
    let own = std::thread::current().id();
    let mine: Vec<_> = log.iter().filter(|entry| entry.0 == own).collect();
    assert!(mine.is_sorted_by_key(|entry| entry.1), "the time never goes back: {mine:?}");
    let count = |of: &dyn Fn(&Event) -> bool| mine.iter().filter(|entry| of(&entry.3)).count();
    let kinds = |wanted: CallbackKind| {
        count(&|event| matches!(event, Event::CallbackBegin { kind, .. } if *kind == wanted))
    };
    assert_eq!(kinds(CallbackKind::Async), 1);
    assert_eq!(kinds(CallbackKind::Work), 1);
    assert_eq!(kinds(CallbackKind::Close), 1);
    assert_eq!(kinds(CallbackKind::Timer), 2);
    let begins = count(&|event| matches!(event, Event::CallbackBegin { .. }));
    assert_eq!(begins, count(&|event| matches!(event, Event::CallbackEnd)), "{mine:?}");
    let waits = count(&|event| matches!(event, Event::WaitBegin { .. }));
    assert_eq!(waits, count(&|event| matches!(event, Event::WaitEnd { .. })));
    assert_eq!(count(&|event| matches!(event, Event::Phase(Phase::Close))), 1);
    assert_eq!(count(&|event| matches!(event, Event::Submit(_))), 1);
    assert_eq!(count(&|event| matches!(event, Event::Completed(_))), 1);
    let wakeups = WAKEUPS.lock().unwrap_or_else(PoisonError::into_inner);
    assert_eq!(wakeups.iter().filter(|id| **id == notified).count(), 1);
    // The job runs on the thread of the pool.
    let other: Vec<_> = log.iter().filter(|entry| entry.0 != own).map(|entry| entry.3).collect();
    assert!(matches!(other[..], [Event::JobBegin(_), Event::JobEnd(_), ..]), "{other:?}");
    // The callback of the inner run begins before that of the outer one ends. Other callbacks may be called
    // by the inner run before it.
    let mut running = Vec::new();
    let mut around_inner = None;
    for (.., event) in mine {
        match event {
            Event::CallbackBegin { token: Token(10), .. } => {
                around_inner = Some(running.clone());
                running.push(10);
            }
            Event::CallbackBegin { token, .. } => running.push(token.0),
            Event::CallbackEnd => drop(running.pop().expect("a callback ends once")),
            _ => {}
        }
    }
    assert_eq!(around_inner.as_deref(), Some(&[7][..]));
    assert!(running.is_empty(), "{running:?}");
}
