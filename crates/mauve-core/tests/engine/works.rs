//! Requests: work that was done without the pool, and when it may be.

use std::fs::File;
use std::os::fd::AsRawFd;
use std::sync::LazyLock;

use mauve_core::pool::{Lane, Task};
use mauve_core::{Batch, Completion, Mode, Phase, RequestId, Step, Token};
use mauve_sys::Errno;
use mauve_sys::fs::nowait::Attempt;
use mauve_sys::fs::together::Read;

use crate::stage::{Stage, next_completion};

#[test]
fn work_done_without_the_pool_keeps_the_loop_alive_and_is_told_in_the_poll_phase() {
    let mut stage = Stage::new();
    let first = stage.engine.finish_work(Token(1));
    stage.engine.finish_work(Token(2));
    assert!(stage.engine.alive() && stage.engine.has_requests());
    assert_eq!(stage.engine.cancel_work(first), Err(Errno::EBUSY));
    assert_eq!(stage.engine.close(), Err(Errno::EBUSY));
    let calls = stage.phases(Mode::Once, |_, _| ());
    assert_eq!(calls, [(Phase::Poll, 1), (Phase::Poll, 2)]);
    assert!(!stage.engine.alive());
    assert_eq!(stage.engine.cancel_work(first), Err(Errno::EBUSY));
}

#[test]
fn work_done_in_a_callback_is_told_in_the_next_iteration_which_does_not_wait() {
    let mut stage = Stage::new();
    stage.engine.finish_work(Token(1));
    let begin = stage.engine.now();
    let mut iterations = Vec::new();
    let calls = stage.run_with(Mode::Default, |stage, token| {
        iterations.push(stage.engine.counters().iterations);
        if token < 3 {
            stage.engine.finish_work(Token(token + 1));
            assert_eq!(stage.engine.backend_timeout(), Some(0));
        }
    });
    assert_eq!(calls, [1, 2, 3]);
    assert_eq!(iterations, [1, 2, 3]);
    assert_eq!(stage.engine.now(), begin);
}

#[test]
fn work_left_over_from_an_abandoned_run_is_told_by_the_next_which_does_not_wait() {
    let mut stage = Stage::new();
    stage.engine.finish_work(Token(1));
    stage.engine.finish_work(Token(2));
    let completion = next_completion(&mut stage.engine, Mode::Default);
    assert!(matches!(completion, Some(Completion::Work { token: Token(1), .. })), "{completion:?}");
    stage.engine.abandon_run();
    assert_eq!(stage.engine.backend_timeout(), Some(0));
    assert_eq!(stage.run(Mode::Default), [2]);
    assert!(!stage.engine.alive());
}

#[test]
fn each_request_that_has_ended_counts_as_an_event() {
    let mut stage = Stage::new();
    for token in 1..=3 {
        stage.engine.finish_work(Token(token));
    }
    stage.run(Mode::Default);
    assert_eq!(stage.engine.counters().events, 3);
}

#[test]
fn work_is_not_done_ahead_of_work_that_waits_for_a_thread() {
    let mut stage = Stage::new();
    assert!(stage.engine.may_work_at_once());
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let task = Task::Run(Box::new(move || wait.recv().expect("the test goes on")));
    stage.engine.submit_work(Token(1), Lane::Normal, task).unwrap();
    let waiting = stage.engine.submit_work(Token(2), Lane::Normal, Task::Call(|_| (), 0)).unwrap();
    assert!(!stage.engine.may_work_at_once());
    stage.engine.cancel_work(waiting).unwrap();
    // The only thread is busy still.
    assert!(!stage.engine.may_work_at_once());
    go.send(()).unwrap();
}

/// Has something read that always can be.
fn queue_read(stage: &mut Stage, token: u64) -> RequestId {
    static ZEROS: LazyLock<File> = LazyLock::new(|| File::open("/dev/zero").unwrap());
    let read = Read::owned(ZEROS.as_raw_fd(), 0, 10, vec![token as u8]);
    stage.engine.queue_read(Token(token), read)
}

#[test]
fn queued_reads_are_told_in_order_among_what_was_done_early() {
    let mut stage = Stage::new();
    assert!(!stage.engine.may_queue_reads(), "the loop does not run");
    stage.timer(1, 0, 0);
    let begin = stage.engine.now();
    let calls = stage.phases(Mode::Default, |stage, token| {
        if token == 1 {
            assert!(stage.engine.may_queue_reads());
            queue_read(stage, 2);
            stage.engine.finish_work(Token(3));
            queue_read(stage, 4);
            assert!(stage.engine.alive() && stage.engine.has_requests());
            assert_eq!(stage.engine.why_alive().len(), 3);
            assert_eq!(stage.engine.close(), Err(Errno::EBUSY));
            assert_eq!(stage.engine.backend_timeout(), Some(0));
        }
    });
    assert_eq!(calls[1..], [(Phase::Poll, 2), (Phase::Poll, 3), (Phase::Poll, 4)]);
    assert_eq!(stage.engine.now(), begin);
    assert!(!stage.engine.alive());
}

#[test]
fn a_queued_read_is_taken_back_before_the_poll_phase_and_not_after() {
    let mut stage = Stage::new();
    stage.timer(1, 0, 0);
    let mut requests = Vec::new();
    let mut told = Vec::new();
    while let Some(completion) = next_completion(&mut stage.engine, Mode::Default) {
        match completion {
            Completion::Timer(_) => {
                requests = (2..5).map(|token| queue_read(&mut stage, token)).collect();
                assert_eq!(stage.engine.cancel_work(requests[1]), Ok(()));
                assert_eq!(stage.engine.cancel_work(requests[1]), Ok(()));
            }
            Completion::Read { token, outcome } => {
                assert_eq!(Attempt::from(outcome), Attempt::Done(Ok(10)));
                assert_eq!(stage.engine.cancel_work(requests[2]), Err(Errno::EBUSY));
                let request = requests[token.0 as usize - 2];
                let bytes = stage.engine.take_read(request);
                assert_eq!(bytes, Some([&[token.0 as u8][..], &[0; 10]].concat()));
                assert_eq!(stage.engine.take_read(request), None);
                told.push((token.0, true));
            }
            Completion::Work { token, result } => {
                assert_eq!(result, Err(Errno::ECANCELED));
                assert_eq!(stage.engine.take_read(requests[1]), None, "its buffer was let go");
                told.push((token.0, false));
            }
            other => unreachable!("{other:?}"),
        }
    }
    assert_eq!(told, [(2, true), (3, false), (4, true)]);
}

#[test]
fn a_buffer_that_was_read_into_waits_for_the_one_who_asked() {
    let mut stage = Stage::new();
    stage.timer(1, 0, 0);
    let mut requests = Vec::new();
    while let Some(completion) = next_completion(&mut stage.engine, Mode::Default) {
        if let Completion::Timer(_) = completion {
            requests = (2..5).map(|token| queue_read(&mut stage, token)).collect();
            assert_eq!(stage.engine.take_read(requests[0]), None, "not yet attempted");
        }
    }
    let [first, second, third] = requests[..] else { unreachable!() };
    for (request, mark) in [(second, 3), (third, 4), (first, 2)] {
        assert_eq!(stage.engine.take_read(request).unwrap()[0], mark);
        assert_eq!(stage.engine.take_read(request), None);
    }
}

#[test]
fn finished_work_is_one_batch_and_what_its_callbacks_finish_is_the_next() {
    let mut stage = Stage::new();
    stage.timer(1, 0, 0);
    let engine = &mut stage.engine;
    assert_eq!(Batch::Timers.next(engine), None, "outside of a run");
    let done = |token| Some(Completion::Work { token: Token(token), result: Ok(()) });
    assert_eq!(engine.next(Mode::Default), Ok(Step::Batch(Batch::Timers)));
    assert_eq!(Batch::Timers.next(engine), Some(Completion::Timer(Token(1))));
    for token in 2..5 {
        engine.finish_work(Token(token));
    }
    assert_eq!(Batch::Work.next(engine), None, "not before the poll phase");
    assert_eq!(engine.next(Mode::Default), Ok(Step::Batch(Batch::Work)));
    assert_eq!(Batch::Work.next(engine), done(2));
    assert_eq!(Batch::Work.next(engine), done(3));
    engine.finish_work(Token(5));
    // A host may leave a batch and come back to it.
    assert_eq!(engine.next(Mode::Default), Ok(Step::Batch(Batch::Work)));
    assert_eq!(Batch::Work.next(engine), done(4));
    assert_eq!(Batch::Work.next(engine), None, "the last one waits for the next iteration");
    assert_eq!(engine.next(Mode::Default), Ok(Step::Batch(Batch::Work)));
    assert_eq!(Batch::Work.next(engine), done(5));
    assert_eq!(engine.next(Mode::Default), Ok(Step::Done { alive: false }));
}

#[test]
fn reads_are_not_queued_ahead_of_work_that_waits_for_a_thread() {
    let mut stage = Stage::new();
    stage.timer(1, 0, 0);
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let mut wait = Some(wait);
    stage.run_with(Mode::Once, |stage, _| {
        assert!(stage.engine.may_queue_reads());
        let wait = wait.take().expect("one call");
        let task = Task::Run(Box::new(move || wait.recv().expect("the test goes on")));
        stage.engine.submit_work(Token(2), Lane::Normal, task).unwrap();
        stage.engine.submit_work(Token(3), Lane::Normal, Task::Call(|_| (), 0)).unwrap();
        assert!(!stage.engine.may_queue_reads());
        go.send(()).unwrap();
    });
}
