//! Async handles: order, coalescing, closing.

use mauve_core::wakeups::SendError;
use mauve_core::{Mode, Token};

use crate::fake::ScheduledEvent;
use crate::harness::Harness;

#[test]
fn notified_handles_complete_once_each_in_order_of_creation() {
    let mut harness = Harness::new();
    let ids = [1, 2, 3].map(|token| harness.engine.open_async(Token(token)));
    for n in [2, 0, 1, 2, 0] {
        harness.engine.sender(ids[n]).send().unwrap();
    }
    assert_eq!(harness.run(Mode::NoWait), [1, 2, 3]);
    assert_eq!(harness.run(Mode::NoWait), []);
}

#[test]
fn a_send_in_a_callback_is_reported_in_the_same_batch_only_for_handles_created_later() {
    let mut harness = Harness::new();
    let ids = [1, 2, 3].map(|token| harness.engine.open_async(Token(token)));
    harness.engine.sender(ids[1]).send().unwrap();
    let mut first = true;
    let calls = harness.run_with(Mode::NoWait, |harness, _| {
        if std::mem::take(&mut first) {
            for id in ids {
                harness.engine.sender(id).send().unwrap();
            }
        }
    });
    assert_eq!(calls, [2, 3]);
    // The next batch calls the others, without another send.
    assert_eq!(harness.run(Mode::Once), [1, 2]);
}

#[test]
fn a_send_after_the_last_batch_of_a_run_is_reported_by_the_next_run() {
    let mut harness = Harness::new();
    let id = harness.engine.open_async(Token(1));
    harness.engine.sender(id).send().unwrap();
    let sends = |harness: &mut Harness, _| harness.engine.sender(id).send().unwrap();
    // A sender does not notify a loop that is awake; otherwise it would poll twice in one iteration.
    for _ in 0..3 {
        assert_eq!(harness.run_with(Mode::NoWait, sends), [1]);
    }
    let mut calls = 0;
    let all = harness.run_with(Mode::Default, |harness, token| {
        sends(harness, token);
        calls += 1;
        if calls == 2 {
            harness.engine.stop();
        }
    });
    assert_eq!(all, [1, 1]);
}

#[test]
fn a_send_wakes_a_loop_that_waits() {
    let mut harness = Harness::new();
    let id = harness.engine.open_async(Token(1));
    let sender = harness.engine.sender(id);
    harness.system.schedule(25, ScheduledEvent::Send(sender));
    let begin = harness.engine.now();
    assert_eq!(harness.run(Mode::Once), [1]);
    assert_eq!(harness.engine.now(), begin + 25);
}

#[test]
fn a_handle_closed_after_a_send_reports_only_its_close() {
    let mut harness = Harness::new();
    let id = harness.engine.open_async(Token(1));
    let sender = harness.engine.sender(id);
    sender.send().unwrap();
    assert!(harness.engine.close_handle(id));
    assert_eq!(sender.send(), Err(SendError));
    assert_eq!(harness.run(Mode::Default), [1]);
}

#[test]
fn a_sender_that_outlives_its_handle_does_not_reach_the_next_one() {
    let mut harness = Harness::new();
    // Closed with and without a pending send.
    for sends in [true, false] {
        let old = harness.engine.open_async(Token(1));
        let sender = harness.engine.sender(old);
        if sends {
            sender.send().unwrap();
        }
        assert!(harness.engine.close_handle(old));
        assert_eq!(harness.run(Mode::Default), [1]);
        let new = harness.engine.open_async(Token(2));
        assert_eq!(sender.send(), Err(SendError));
        assert_eq!(harness.run(Mode::NoWait), []);
        harness.engine.sender(new).send().unwrap();
        assert_eq!(harness.run(Mode::NoWait), [2]);
        assert!(harness.engine.close_handle(new));
        harness.run(Mode::Default);
    }
}

#[test]
fn a_forked_child_reports_sends_made_before_the_fork() {
    let mut harness = Harness::new();
    let ids = [1, 2].map(|token| harness.engine.open_async(Token(token)));
    harness.engine.sender(ids[1]).send().unwrap();
    harness.engine.reopen_after_fork().unwrap();
    assert_eq!(harness.run(Mode::NoWait), [2]);
    harness.engine.sender(ids[0]).send().unwrap();
    assert_eq!(harness.run(Mode::NoWait), [1]);
}
