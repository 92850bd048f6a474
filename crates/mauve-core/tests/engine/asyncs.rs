//! Async handles: order, coalescing, closing.

use mauve_core::wakeups::Closed;
use mauve_core::{Mode, Token};

use crate::fake::Happening;
use crate::stage::Stage;

#[test]
fn signalled_handles_are_called_in_the_order_of_their_creation_once_each() {
    let mut stage = Stage::new();
    let ids = [1, 2, 3].map(|token| stage.engine.open_async(Token(token)));
    for n in [2, 0, 1, 2, 0] {
        stage.engine.sender(ids[n]).send().unwrap();
    }
    assert_eq!(stage.run(Mode::NoWait), [1, 2, 3]);
    assert_eq!(stage.run(Mode::NoWait), []);
}

#[test]
fn a_send_in_a_callback_is_answered_in_the_same_round_only_by_younger_handles() {
    let mut stage = Stage::new();
    let ids = [1, 2, 3].map(|token| stage.engine.open_async(Token(token)));
    stage.engine.sender(ids[1]).send().unwrap();
    let mut first = true;
    let calls = stage.run_with(Mode::NoWait, |stage, _| {
        if std::mem::take(&mut first) {
            for id in ids {
                stage.engine.sender(id).send().unwrap();
            }
        }
    });
    assert_eq!(calls, [2, 3]);
    // The others are not lost, and do not need anybody to ring again.
    assert_eq!(stage.run(Mode::Once), [1, 2]);
}

#[test]
fn what_one_run_leaves_to_the_next_is_a_round_as_any_other() {
    let mut stage = Stage::new();
    let id = stage.engine.open_async(Token(1));
    stage.engine.sender(id).send().unwrap();
    let sends = |stage: &mut Stage, _| stage.engine.sender(id).send().unwrap();
    // Nobody rings for a loop that is awake: else it would be told twice in one iteration.
    for _ in 0..3 {
        assert_eq!(stage.run_with(Mode::NoWait, sends), [1]);
    }
    let mut calls = 0;
    let all = stage.run_with(Mode::Default, |stage, token| {
        sends(stage, token);
        calls += 1;
        if calls == 2 {
            stage.engine.stop();
        }
    });
    assert_eq!(all, [1, 1]);
}

#[test]
fn a_send_wakes_a_loop_that_waits() {
    let mut stage = Stage::new();
    let id = stage.engine.open_async(Token(1));
    let sender = stage.engine.sender(id);
    stage.world.announce(25, Happening::Send(sender));
    let begin = stage.engine.now();
    assert_eq!(stage.run(Mode::Once), [1]);
    assert_eq!(stage.engine.now(), begin + 25);
}

#[test]
fn a_handle_closed_after_a_send_is_told_of_its_close_only() {
    let mut stage = Stage::new();
    let id = stage.engine.open_async(Token(1));
    let sender = stage.engine.sender(id);
    sender.send().unwrap();
    assert!(stage.engine.close_handle(id));
    assert_eq!(sender.send(), Err(Closed));
    assert_eq!(stage.run(Mode::Default), [1]);
}

#[test]
fn a_sender_that_outlives_its_handle_does_not_reach_the_next_one() {
    let mut stage = Stage::new();
    // Closed with a signal on its way, and without.
    for sends in [true, false] {
        let old = stage.engine.open_async(Token(1));
        let sender = stage.engine.sender(old);
        if sends {
            sender.send().unwrap();
        }
        assert!(stage.engine.close_handle(old));
        assert_eq!(stage.run(Mode::Default), [1]);
        let new = stage.engine.open_async(Token(2));
        assert_eq!(sender.send(), Err(Closed));
        assert_eq!(stage.run(Mode::NoWait), []);
        stage.engine.sender(new).send().unwrap();
        assert_eq!(stage.run(Mode::NoWait), [2]);
        assert!(stage.engine.close_handle(new));
        stage.run(Mode::Default);
    }
}

#[test]
fn a_forked_child_finds_the_signals_that_were_on_their_way() {
    let mut stage = Stage::new();
    let ids = [1, 2].map(|token| stage.engine.open_async(Token(token)));
    stage.engine.sender(ids[1]).send().unwrap();
    stage.engine.reopen_after_fork().unwrap();
    assert_eq!(stage.run(Mode::NoWait), [2]);
    stage.engine.sender(ids[0]).send().unwrap();
    assert_eq!(stage.run(Mode::NoWait), [1]);
}
