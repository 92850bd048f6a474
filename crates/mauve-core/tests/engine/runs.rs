//! Runs: modes, phases, stopping, waiting, closing.

use mauve_core::{Mode, Phase, Step, Token};

use crate::fake::NEVER_ENDS;
use crate::harness::Harness;

const MODES: [Mode; 3] = [Mode::Default, Mode::Once, Mode::NoWait];

#[test]
fn an_iteration_runs_the_phases_in_order() {
    let mut harness = Harness::new();
    let engine = &mut harness.engine;
    let (check, prepare) = (engine.open_check(Token(5)), engine.open_prepare(Token(3)));
    let (notified, closed) = (engine.open_async(Token(4)), engine.open_timer(Token(6)));
    assert_eq!(engine.hook(check).unwrap().start(), Ok(true));
    assert_eq!(engine.hook(prepare).unwrap().start(), Ok(true));
    assert_eq!(engine.sender(notified).send(), Ok(()));
    assert!(engine.close_handle(closed));
    harness.idle(2);
    harness.timer(1, 0, 0);
    let calls = harness.phases(Mode::NoWait, |_, _| ());
    assert_eq!(
        calls,
        [
            (Phase::Idle, 2),
            (Phase::Prepare, 3),
            (Phase::Poll, 4),
            (Phase::Check, 5),
            (Phase::Close, 6),
            (Phase::Timers, 1),
        ]
    );
}

#[test]
fn only_a_default_run_has_a_timers_phase_before_its_first_iteration() {
    for (mode, expected) in MODES.into_iter().zip([[1, 2], [2, 1], [2, 1]]) {
        let mut harness = Harness::new();
        let idle = harness.idle(2);
        harness.timer(1, 0, 0);
        let calls = harness.run_with(mode, |harness, token| {
            if token == 2 {
                harness.engine.hook(idle).unwrap().stop();
            }
        });
        assert_eq!(calls, expected, "{mode:?}");
    }
}

#[test]
fn a_stop_before_a_run_ends_that_run_at_once_and_no_later_one() {
    for mode in MODES {
        let mut harness = Harness::new();
        harness.timer(1, 0, 0);
        harness.engine.stop();
        assert_eq!(harness.engine.next(mode), Ok(Step::Done { alive: true }));
        assert_eq!(harness.run(Mode::Default), [1]);
    }
}

#[test]
fn a_stop_in_a_timer_before_the_first_iteration_prevents_that_iteration() {
    let mut harness = Harness::new();
    harness.timer(1, 0, 0);
    harness.idle(2);
    let calls = harness.run_with(Mode::Default, |harness, _| harness.engine.stop());
    assert_eq!(calls, [1]);
}

#[test]
fn a_stop_in_an_iteration_lets_it_finish_without_waiting() {
    let mut harness = Harness::new();
    let check = harness.engine.open_check(Token(3));
    assert_eq!(harness.engine.hook(check).unwrap().start(), Ok(true));
    harness.timer(1, 500, 0);
    let prepare = harness.engine.open_prepare(Token(2));
    assert_eq!(harness.engine.hook(prepare).unwrap().start(), Ok(true));
    let calls = harness.run_with(Mode::Default, |harness, token| {
        if token == 2 {
            harness.engine.stop();
        }
    });
    assert_eq!(calls, [2, 3]);
    assert_eq!(harness.system.waits(), [Some(0)]);
}

#[test]
fn a_run_with_nothing_alive_ends_at_once_and_reads_the_clock() {
    for mode in MODES {
        let mut harness = Harness::new();
        harness.system.advance(7);
        let before = harness.engine.now();
        assert_eq!(harness.engine.next(mode), Ok(Step::Done { alive: false }));
        assert_eq!(harness.engine.now(), before + 7);
        assert_eq!(harness.system.waits(), []);
    }
}

#[test]
fn once_waits_for_the_nearest_timer_and_runs_it_in_the_same_call() {
    let mut harness = Harness::new();
    harness.timer(1, 30, 0);
    harness.timer(2, 20, 0);
    assert_eq!(harness.run(Mode::Once), [2]);
    assert_eq!(harness.system.waits()[0], Some(20));
}

#[test]
fn nowait_never_waits() {
    let mut harness = Harness::new();
    harness.timer(1, 30, 0);
    assert_eq!(harness.run(Mode::NoWait), []);
    assert_eq!(harness.system.waits(), [Some(0)]);
}

#[test]
fn idle_and_closing_handles_keep_the_loop_from_waiting() {
    let mut harness = Harness::new();
    harness.timer(1, 30, 0);
    let idle = harness.idle(2);
    assert_eq!(harness.run(Mode::Once), [2]);
    assert!(harness.engine.close_handle(idle));
    assert_eq!(harness.run(Mode::Once), [2]);
    assert_eq!(harness.system.waits(), [Some(0), Some(0)]);
}

#[test]
fn a_driver_that_cannot_wait_ends_the_run_with_its_error() {
    let mut harness = Harness::new();
    harness.engine.open_async(Token(1));
    assert_eq!(harness.engine.next(Mode::Default), Err(NEVER_ENDS));
    assert!(!harness.engine.is_running());
    assert_eq!(harness.run(Mode::NoWait), []);
}

#[test]
fn the_latest_close_is_reported_first_and_closes_of_close_callbacks_in_the_next_iteration() {
    let mut harness = Harness::new();
    let ids = [1, 2, 3, 4].map(|token| harness.engine.open_timer(Token(token)));
    for id in &ids[..3] {
        assert!(harness.engine.close_handle(*id));
    }
    let calls = harness.run_with(Mode::Once, |harness, token| {
        if token == 3 {
            assert!(harness.engine.close_handle(ids[3]));
        }
    });
    assert_eq!(calls, [3, 2, 1]);
    assert_eq!(harness.run(Mode::Once), [4]);
}

#[test]
fn an_id_is_stale_after_its_close_completion_even_if_the_index_is_reused() {
    let mut harness = Harness::new();
    let old = harness.timer(1, 5, 0);
    assert!(harness.engine.close_handle(old));
    assert!(harness.engine.status(old).unwrap().closing);
    assert!(!harness.engine.close_handle(old), "closing already");
    harness.run(Mode::Default);
    let new = harness.timer(2, 5, 0);
    assert_ne!(old, new);
    assert_eq!(harness.engine.status(old), None);
    assert!(harness.engine.timer(old).is_none());
    assert!(!harness.engine.close_handle(old));
    assert!(harness.engine.status(new).unwrap().active);
}

#[test]
fn waiting_for_a_timer_takes_one_wait_of_the_driver() {
    let mut harness = Harness::new();
    harness.timer(1, 20, 0);
    assert_eq!(harness.run(Mode::Default), [1]);
    assert_eq!(harness.system.waits(), [Some(20)]);
}
