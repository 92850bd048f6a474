//! Work requests: inline operations, reads, and their order relative to the pool's queue.

use std::fs::File;
use std::io::Write;
use std::sync::mpsc::channel;
use std::sync::{Arc, LazyLock};

use mauve_core::pool::{Lane, Task};
use mauve_core::{
    Engine, HookBatch, Mode, Phase, RequestId, Step, Token, WorkBatch, WorkCompletion,
};
use mauve_sys::Errno;
use mauve_sys::fs::read_batch::FileRead;
use mauve_sys::fs::read_write::Position;

use crate::fake::FakeDriver;
use crate::harness::{Harness, Report, next_report};

#[test]
fn inline_work_keeps_the_loop_alive_and_is_reported_in_the_poll_phase() {
    let mut harness = Harness::new();
    let first = finish(&mut harness.engine, 1);
    finish(&mut harness.engine, 2);
    assert!(harness.engine.alive() && harness.engine.has_requests());
    assert_eq!(harness.engine.cancel_work(first), Err(Errno::EBUSY));
    assert_eq!(harness.engine.close(), Err(Errno::EBUSY));
    let calls = harness.phases(Mode::Once, |_, _| ());
    assert_eq!(calls, [(Phase::Poll, 1), (Phase::Poll, 2)]);
    assert!(!harness.engine.alive());
    assert_eq!(harness.engine.cancel_work(first), Err(Errno::EBUSY));
}

#[test]
fn inline_work_of_a_callback_is_reported_in_the_next_iteration_which_does_not_wait() {
    let mut harness = Harness::new();
    finish(&mut harness.engine, 1);
    let begin = harness.engine.now();
    let mut iterations = Vec::new();
    let calls = harness.run_with(Mode::Default, |harness, token| {
        iterations.push(harness.engine.metrics().iterations);
        if token < 3 {
            finish(&mut harness.engine, token + 1);
            assert_eq!(harness.engine.backend_timeout(), Some(0));
        }
    });
    assert_eq!(calls, [1, 2, 3]);
    assert_eq!(iterations, [1, 2, 3]);
    assert_eq!(harness.engine.now(), begin);
}

#[test]
fn work_of_an_abandoned_run_is_reported_by_the_next_run_which_does_not_wait() {
    let mut harness = Harness::new();
    finish(&mut harness.engine, 1);
    finish(&mut harness.engine, 2);
    let report = next_report(&mut harness.engine, Mode::Default);
    let done = WorkCompletion::Work { token: Token(1), result: Ok(()) };
    assert_eq!(report, Some(Report::Work(done)));
    harness.engine.abandon_run();
    assert_eq!(harness.engine.backend_timeout(), Some(0));
    assert_eq!(harness.run(Mode::Default), [2]);
    assert!(!harness.engine.alive());
}

#[test]
fn each_request_that_has_ended_counts_as_an_event() {
    let mut harness = Harness::new();
    for token in 1..=3 {
        finish(&mut harness.engine, token);
    }
    harness.run(Mode::Default);
    assert_eq!(harness.engine.metrics().events, 3);
}

#[test]
fn work_is_not_performed_inline_before_queued_work() {
    let mut harness = Harness::new();
    let (go, wait) = channel::<()>();
    let task = Task::Run(Box::new(move || wait.recv().expect("the test continues")));
    harness.engine.submit_work(Token(1), Lane::Normal, task).unwrap();
    let waiting =
        harness.engine.submit_work(Token(2), Lane::Normal, Task::Call(|_| (), 0)).unwrap();
    let attempt = |harness: &mut Harness| harness.engine.attempt_work(Token(3), || unreachable!());
    assert_eq!(attempt(&mut harness), None);
    harness.engine.cancel_work(waiting).unwrap();
    // The only thread is still busy.
    assert_eq!(attempt(&mut harness), None);
    go.send(()).unwrap();
}

#[test]
fn inline_work_that_would_block_is_started_by_the_next_free_thread() {
    let mut harness = Harness::new();
    let (sender, received) = channel();
    let sends = |name: &'static str| {
        let sender = sender.clone();
        Task::Run(Box::new(move || sender.send(name).unwrap()))
    };
    let mut attempted = false;
    let attempt = || {
        attempted = true;
        false
    };
    let first = harness.engine.attempt_or_submit_work(Token(1), attempt, sends("first")).unwrap();
    assert!(attempted);
    assert_eq!(harness.engine.cancel_work(first), Err(Errno::EBUSY));
    harness.engine.submit_work(Token(2), Lane::Normal, sends("second")).unwrap();
    assert_eq!([received.recv(), received.recv()], [Ok("first"), Ok("second")]);
}

/// Completes a work request inline.
fn finish(engine: &mut Engine<FakeDriver>, token: u64) -> RequestId {
    engine.attempt_work(Token(token), || true).expect("the pool is free")
}

/// Zeros: `/dev/zero`, which never blocks, or a file where there is none.
fn zeros() -> Arc<File> {
    let file = File::open("/dev/zero").or_else(|_| {
        let path = std::env::temp_dir().join(format!("mauve-zeros-{}", std::process::id()));
        std::fs::write(&path, [0; 10])?;
        let file = File::open(&path);
        std::fs::remove_file(&path)?;
        file
    });
    Arc::new(file.unwrap())
}

/// Reads ten zeros.
fn read_zeros(harness: &mut Harness, token: u64) -> RequestId {
    static ZEROS: LazyLock<Arc<File>> = LazyLock::new(zeros);
    let read = FileRead::owned(ZEROS.clone(), Position::At(0), 10, vec![token as u8]);
    harness.engine.submit_read(Token(token), read).unwrap()
}

#[test]
fn reads_are_reported_in_order_among_other_operations() {
    let mut harness = Harness::new();
    harness.timer(1, 0, 0);
    let begin = harness.engine.now();
    let calls = harness.phases(Mode::Default, |harness, token| {
        if token == 1 {
            read_zeros(harness, 2);
            finish(&mut harness.engine, 3);
            read_zeros(harness, 4);
            assert!(harness.engine.alive() && harness.engine.has_requests());
            assert_eq!(harness.engine.why_alive().len(), 3);
            assert_eq!(harness.engine.close(), Err(Errno::EBUSY));
            assert_eq!(harness.engine.backend_timeout(), Some(0));
        }
    });
    assert_eq!(calls[1..], [(Phase::Poll, 2), (Phase::Poll, 3), (Phase::Poll, 4)]);
    assert_eq!(harness.engine.now(), begin);
    assert!(!harness.engine.alive());
}

/// The next report until the loop is not alive, also of reads that the pool performs.
fn next_of_any(harness: &mut Harness) -> Option<Report> {
    while harness.engine.alive() {
        let report = next_report(&mut harness.engine, Mode::NoWait);
        if report.is_some() {
            return report;
        }
        std::thread::yield_now();
    }
    None
}

#[test]
fn a_read_is_cancelled_before_it_starts_and_not_after() {
    let mut harness = Harness::new();
    harness.timer(1, 0, 0);
    let mut requests = Vec::new();
    let mut ended = Vec::new();
    while let Some(report) = next_of_any(&mut harness) {
        match report {
            Report::Hook(..) => {
                requests = (2..5).map(|token| read_zeros(&mut harness, token)).collect();
                assert_eq!(harness.engine.cancel_work(requests[1]), Ok(()));
                assert_eq!(harness.engine.cancel_work(requests[1]), Ok(()));
            }
            Report::Work(WorkCompletion::Read { token, result }) => {
                let request = requests[token.0 as usize - 2];
                let bytes = harness.engine.take_read(request);
                if result == Err(Errno::ECANCELED) {
                    assert_eq!(bytes, None, "its buffer was dropped");
                } else {
                    assert_eq!(result, Ok(10));
                    assert_eq!(harness.engine.cancel_work(requests[0]), Err(Errno::EBUSY));
                    assert_eq!(bytes, Some([&[token.0 as u8][..], &[0; 10]].concat()));
                }
                assert_eq!(harness.engine.take_read(request), None);
                ended.push((token.0, result.is_ok()));
            }
            other => unreachable!("{other:?}"),
        }
    }
    // A cancelled request has ended before those that start later.
    assert_eq!(ended, [(3, false), (2, true), (4, true)]);
}

#[test]
fn a_read_starts_before_work_that_is_submitted_after_it() {
    let mut harness = Harness::new();
    harness.timer(1, 0, 0);
    let calls = harness.run_with(Mode::NoWait, |harness, _| {
        let read = read_zeros(harness, 2);
        harness.engine.submit_work(Token(3), Lane::Normal, Task::Call(|_| (), 0)).unwrap();
        assert_eq!(harness.engine.cancel_work(read), Err(Errno::EBUSY));
    });
    assert_eq!(calls, [1]);
    assert_eq!(harness.run_until_idle(), [2, 3]);
}

#[test]
fn reads_wait_for_work_that_was_submitted_before() {
    let mut harness = Harness::new();
    harness.timer(1, 0, 0);
    let (go, wait) = channel::<()>();
    let mut wait = Some(wait);
    let mut reads = Vec::new();
    let calls = harness.run_with(Mode::NoWait, |harness, token| {
        assert_eq!(token, 1);
        let wait = wait.take().expect("one call");
        let task = Task::Run(Box::new(move || wait.recv().expect("the test continues")));
        harness.engine.submit_work(Token(2), Lane::Normal, task).unwrap();
        reads = (3..6).map(|token| read_zeros(harness, token)).collect();
    });
    assert_eq!(calls, [1]);
    // The run has ended without them. They wait for the only thread.
    assert_eq!(harness.engine.cancel_work(reads[1]), Ok(()));
    go.send(()).unwrap();
    let calls = harness.run_until_idle();
    assert_eq!(calls, [4, 2, 3, 5]);
    assert_eq!(harness.engine.take_read(reads[0]), Some([&[3][..], &[0; 10]].concat()));
    assert_eq!(harness.engine.take_read(reads[1]), None);
    assert_eq!(harness.engine.take_read(reads[2]), Some([&[5][..], &[0; 10]].concat()));
}

#[test]
fn the_buffer_of_a_discarded_read_is_dropped_when_the_read_ends() {
    let (first, mut writer) = std::io::pipe().unwrap();
    let mut harness = Harness::new();
    let read = FileRead::owned(Arc::new(first), Position::Current, 10, Vec::new());
    // It blocks on a thread.
    let started = harness.engine.submit_read(Token(1), read).unwrap();
    let queued = read_zeros(&mut harness, 2);
    assert_eq!(harness.engine.cancel_work(started), Err(Errno::EBUSY));
    harness.engine.discard_read(started);
    harness.engine.discard_read(queued);
    writer.write_all(b"text").unwrap();
    assert_eq!(harness.run_until_idle(), [2, 1]);
    assert_eq!([started, queued].map(|id| harness.engine.take_read(id)), [None, None]);
}

#[test]
fn the_buffer_of_a_finished_read_is_kept_until_it_is_taken() {
    let mut harness = Harness::new();
    harness.timer(1, 0, 0);
    let mut requests = Vec::new();
    while let Some(report) = next_of_any(&mut harness) {
        if let Report::Hook(..) = report {
            requests = (2..5).map(|token| read_zeros(&mut harness, token)).collect();
            assert_eq!(harness.engine.take_read(requests[0]), None, "not yet started");
        }
    }
    let [first, second, third] = requests[..] else { unreachable!() };
    for (request, mark) in [(second, 3), (third, 4), (first, 2)] {
        assert_eq!(harness.engine.take_read(request).unwrap()[0], mark);
        assert_eq!(harness.engine.take_read(request), None);
    }
}

#[test]
fn work_finished_in_callbacks_of_a_batch_is_in_the_next_batch() {
    let mut harness = Harness::new();
    harness.timer(1, 0, 0);
    let engine = &mut harness.engine;
    assert_eq!(HookBatch::Timers.next(engine), None, "outside of a run");
    let done = |token| Some(WorkCompletion::Work { token: Token(token), result: Ok(()) });
    assert_eq!(engine.next(Mode::Default), Ok(Step::Hooks(HookBatch::Timers)));
    assert_eq!(HookBatch::Timers.next(engine), Some(Token(1)));
    for token in 2..5 {
        finish(engine, token);
    }
    assert_eq!(WorkBatch.next(engine), None, "not before the poll phase");
    assert_eq!(engine.next(Mode::Default), Ok(Step::Work(WorkBatch)));
    assert_eq!(WorkBatch.next(engine), done(2));
    assert_eq!(WorkBatch.next(engine), done(3));
    finish(engine, 5);
    // A host may leave a batch; the next step returns the rest.
    assert_eq!(engine.next(Mode::Default), Ok(Step::Work(WorkBatch)));
    assert_eq!(WorkBatch.next(engine), done(4));
    assert_eq!(WorkBatch.next(engine), None, "the last one waits for the next iteration");
    assert_eq!(engine.next(Mode::Default), Ok(Step::Work(WorkBatch)));
    assert_eq!(WorkBatch.next(engine), done(5));
    assert_eq!(engine.next(Mode::Default), Ok(Step::Done { alive: false }));
}
