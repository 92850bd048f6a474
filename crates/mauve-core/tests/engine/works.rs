//! Requests: work that was done without the pool, and when it may be.

use mauve_core::pool::{Lane, Task};
use mauve_core::{Completion, Mode, Phase, Step, Token};
use mauve_sys::Errno;

use crate::stage::Stage;

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
    let step = stage.engine.next(Mode::Default).unwrap();
    assert!(matches!(step, Step::Call(Completion::Work { token: Token(1), .. })), "{step:?}");
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
