//! Timers: order, repeating, and several timers that are due in one phase.

use mauve_core::{Mode, Token};
use mauve_sys::Errno;

use crate::harness::Harness;

#[test]
fn timers_fire_by_due_time_and_then_in_the_order_of_their_start() {
    let mut harness = Harness::new();
    for (token, timeout) in [(1, 9), (2, 3), (3, 9), (4, 3), (5, 70)] {
        harness.timer(token, timeout, 0);
    }
    assert_eq!(harness.run(Mode::Default), [2, 4, 1, 3, 5]);
}

#[test]
fn a_timer_restarted_without_a_timeout_waits_for_the_next_iteration() {
    let mut harness = Harness::new();
    let id = harness.timer(1, 0, 0);
    let restart = |harness: &mut Harness, _| harness.engine.timer(id).unwrap().start(0, 0).unwrap();
    assert_eq!(harness.run_with(Mode::NoWait, restart), [1]);
    assert_eq!(harness.run(Mode::NoWait), [1]);
}

#[test]
fn a_late_repeating_timer_fires_once_and_then_a_full_period_later() {
    let mut harness = Harness::new();
    let id = harness.timer(1, 5, 5);
    harness.system.advance(100);
    assert_eq!(harness.run(Mode::NoWait), [1]);
    assert_eq!(harness.engine.timer(id).unwrap().due_in(), 5);
}

#[test]
fn a_repeating_timer_is_armed_before_its_callback_and_a_single_one_is_inactive_in_it() {
    let mut harness = Harness::new();
    let (single, repeating) = (harness.timer(1, 5, 0), harness.timer(2, 5, 7));
    harness.run_with(Mode::Once, |harness, token| {
        let id = if token == 1 { single } else { repeating };
        assert_eq!(harness.engine.status(id).unwrap().active, token == 2);
        assert_eq!(harness.engine.timer(id).unwrap().due_in(), if token == 1 { 0 } else { 7 });
    });
}

#[test]
fn timers_due_in_one_phase_are_inactive_at_once_and_can_still_be_stopped() {
    let mut harness = Harness::new();
    harness.timer(1, 5, 0);
    let others = [2, 3, 4].map(|token| harness.timer(token, 5, 0));
    let calls = harness.run_with(Mode::Once, |harness, token| {
        if token == 1 {
            assert!(others.iter().all(|id| !harness.engine.status(*id).unwrap().active));
            assert!(!harness.engine.alive());
            harness.engine.timer(others[0]).unwrap().stop();
            harness.engine.close_handle(others[1]);
        }
    });
    assert_eq!(calls, [1, 4]);
}

#[test]
fn a_timer_due_at_u64_max_never_fires_and_the_wait_has_the_longest_timeout() {
    let mut harness = Harness::new();
    let id = harness.timer(1, u64::MAX, u64::MAX);
    harness.system.advance(1 << 40);
    assert_eq!(harness.run(Mode::NoWait), []);
    assert!(harness.engine.status(id).unwrap().active);
    assert_eq!(harness.engine.backend_timeout(), Some(u64::MAX - harness.engine.now()));
}

#[test]
fn again_fails_before_a_start_and_does_nothing_without_a_repeat_value() {
    let mut harness = Harness::new();
    let id = harness.engine.open_timer(Token(1));
    harness.engine.timer(id).unwrap().set_repeat(4);
    assert_eq!(harness.engine.timer(id).unwrap().again(), Err(Errno::EINVAL));
    harness.engine.timer(id).unwrap().start(9, 0).unwrap();
    harness.engine.timer(id).unwrap().again().unwrap();
    assert_eq!(harness.engine.timer(id).unwrap().due_in(), 9);
    harness.engine.timer(id).unwrap().stop();
    harness.engine.timer(id).unwrap().set_repeat(4);
    harness.engine.timer(id).unwrap().again().unwrap();
    assert_eq!(harness.engine.timer(id).unwrap().due_in(), 4);
}

#[test]
fn a_closing_timer_that_is_stopped_stays_closing() {
    let mut harness = Harness::new();
    let id = harness.timer(1, 5, 0);
    assert!(harness.engine.close_handle(id));
    harness.engine.timer(id).unwrap().stop();
    assert!(harness.engine.status(id).unwrap().closing);
    assert!(!harness.engine.close_handle(id));
    assert_eq!(harness.engine.timer(id).unwrap().start(1, 0), Err(Errno::EINVAL));
    assert_eq!(harness.run(Mode::Default), [1]);
}

#[test]
fn a_timer_with_a_deadline_in_nanoseconds_never_fires_before_it() {
    let mut harness = Harness::new();
    let deadline = |harness: &Harness, micros| (harness.system.clock() * 1000 + micros) * 1000;
    let start = |harness: &mut Harness, token, micros| {
        let deadline = deadline(harness, micros);
        let id = harness.engine.open_timer(Token(token));
        harness.engine.timer(id).unwrap().start_at(deadline).unwrap();
        id
    };
    let (_, _, stopped) =
        (start(&mut harness, 1, 2500), start(&mut harness, 2, 2200), start(&mut harness, 3, 2300));
    harness.timer(4, 2, 0);
    let restarted = start(&mut harness, 5, 2400);
    let begin = harness.system.clock();
    let reported = harness.run_with(Mode::Default, |harness, token| {
        let elapsed = harness.system.clock() - begin;
        if token == 4 {
            // The others wait for their nanosecond.
            assert_eq!(elapsed, 2);
            harness.engine.timer(stopped).unwrap().stop();
            let later = deadline(harness, 5100);
            harness.engine.timer(restarted).unwrap().start_at(later).unwrap();
        } else {
            assert!(elapsed >= 3, "{elapsed}");
        }
    });
    assert_eq!(reported, [4, 2, 1, 5]);
    assert_eq!(harness.system.clock() - begin, 8);
    assert!(!harness.engine.alive());
}

#[test]
fn a_discarded_timer_is_gone_at_once_and_another_may_take_its_index() {
    let mut harness = Harness::new();
    harness.timer(1, 5, 0);
    let due = [2, 3, 4].map(|token| harness.timer(token, 5, 0));
    let waiting = harness.timer(5, 50, 0);
    let calls = harness.run_with(Mode::Default, |harness, token| {
        if token == 1 {
            for id in [due[0], waiting, due[1]] {
                harness.engine.discard_timer(id);
                assert!(harness.engine.status(id).is_none());
                harness.engine.discard_timer(id);
            }
            harness.timer(6, 0, 0);
        }
    });
    assert_eq!(calls, [1, 4, 6]);
    assert!(!harness.engine.alive());
}

#[test]
fn a_discarded_timer_with_a_deadline_does_not_fire() {
    let mut harness = Harness::new();
    let now = harness.engine.now() * 1_000_000;
    let ids = [1, 2, 3].map(|token| {
        let id = harness.engine.open_timer(Token(token));
        harness.engine.timer(id).unwrap().start_at(now + 500_000 + token).unwrap();
        id
    });
    // All of them wait for the nanosecond of their deadline.
    assert_eq!(harness.run(Mode::NoWait), []);
    harness.engine.discard_timer(ids[0]);
    let calls = harness.run_with(Mode::Default, |harness, token| {
        if token == 2 {
            harness.engine.discard_timer(ids[2]);
        }
    });
    assert_eq!(calls, [2]);
    assert!(!harness.engine.alive());
}
