//! What an engine reports to a recorder. In a process of its own, because there is one recorder.

use std::sync::{Mutex, PoisonError};

use mauve_core::pool::{Lane, Pool, Task};
use mauve_core::trace::{self, CallbackKind, CallbackName, Event, Recorder};
use mauve_core::{Engine, Mode, Phase, Step, Token};
use mauve_sys::driver::Platform;

/// Stores events in the order in which they are reported, by thread.
struct Log(Mutex<Vec<(std::thread::ThreadId, u64, u16, Event)>>);

static LOG: Log = Log(Mutex::new(Vec::new()));

impl Recorder for Log {
    fn start(&self, directory: &str) -> bool {
        directory == "a directory"
    }

    fn record(&self, time: u64, lp: u16, event: Event) {
        let entry = (std::thread::current().id(), time, lp, event);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
    }
}

fn take() -> Vec<(std::thread::ThreadId, u64, u16, Event)> {
    std::mem::take(&mut LOG.0.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Runs the engine, and calls `callback` for each completion.
fn run(engine: &mut Engine<Platform>, callback: &mut dyn FnMut(&mut Engine<Platform>, Token)) {
    loop {
        match engine.next(Mode::Default).unwrap() {
            Step::Call(completion) => callback(engine, completion.token()),
            Step::Batch(batch) => {
                while let Some(completion) = batch.next(engine) {
                    callback(engine, completion.token());
                }
            }
            Step::Done { .. } => return,
        }
    }
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
    engine.set_callback_names(Box::new(|completion| CallbackName::Function(completion.token().0)));
    engine.timer(timer).unwrap().start(1, 0).unwrap();
    let notified = engine.open_async(Token(8));
    engine.sender(notified).send().unwrap();
    engine.submit_work(Token(9), Lane::Normal, Task::Call(|_| {}, 0)).unwrap();
    let mut nested = false;
    let mut calls = 0;
    run(&mut engine, &mut |engine, token| {
        calls += 1;
        if token == Token(8) {
            engine.close_handle(notified);
        }
        // A run inside of a callback.
        if token == Token(7) && !std::mem::replace(&mut nested, true) {
            engine.suspend_run();
            let inner = engine.open_timer(Token(10));
            engine.timer(inner).unwrap().start(0, 0).unwrap();
            loop {
                match engine.next(Mode::NoWait).unwrap() {
                    Step::Batch(batch) => while batch.next(engine).is_some() {},
                    Step::Done { .. } => break,
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
    assert!(calls >= 3);

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
    assert!(count(&|event| matches!(event, Event::Wakeup(id) if *id == notified)) == 1);
    // The job runs on the thread of the pool.
    let other: Vec<_> = log.iter().filter(|entry| entry.0 != own).map(|entry| entry.3).collect();
    assert!(matches!(other[..], [Event::JobBegin(_), Event::JobEnd(_), ..]), "{other:?}");
    // The nested callback is between the begin and the end of the outer one.
    let timers: Vec<u64> = mine
        .iter()
        .filter_map(|entry| match entry.3 {
            Event::CallbackBegin { kind: CallbackKind::Timer, token, .. } => Some(token.0),
            Event::CallbackEnd => Some(0),
            _ => None,
        })
        .collect();
    assert!(timers.windows(4).any(|window| window == [7, 10, 0, 0]), "{timers:?}");
}
