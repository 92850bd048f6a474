//! Runs: modes, phases, stopping, waiting, closing.

use mauve_core::{Mode, Phase, Step, Token};

use crate::fake::FOR_EVER;
use crate::stage::Stage;

const MODES: [Mode; 3] = [Mode::Default, Mode::Once, Mode::NoWait];

#[test]
fn an_iteration_goes_through_the_phases_in_order() {
    let mut stage = Stage::new();
    let engine = &mut stage.engine;
    let (check, prepare) = (engine.open_check(Token(5)), engine.open_prepare(Token(3)));
    let (signalled, closed) = (engine.open_async(Token(4)), engine.open_timer(Token(6)));
    assert_eq!(engine.hook(check).unwrap().start(), Ok(true));
    assert_eq!(engine.hook(prepare).unwrap().start(), Ok(true));
    assert_eq!(engine.sender(signalled).send(), Ok(()));
    assert!(engine.close_handle(closed));
    stage.idle(2);
    stage.timer(1, 0, 0);
    let calls = stage.phases(Mode::NoWait, |_, _| ());
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
fn only_a_default_run_looks_at_the_timers_before_its_first_iteration() {
    for (mode, expected) in MODES.into_iter().zip([[1, 2], [2, 1], [2, 1]]) {
        let mut stage = Stage::new();
        let idle = stage.idle(2);
        stage.timer(1, 0, 0);
        let calls = stage.run_with(mode, |stage, token| {
            if token == 2 {
                stage.engine.hook(idle).unwrap().stop();
            }
        });
        assert_eq!(calls, expected, "{mode:?}");
    }
}

#[test]
fn a_stop_before_a_run_ends_it_at_once_and_is_used_up() {
    for mode in MODES {
        let mut stage = Stage::new();
        stage.timer(1, 0, 0);
        stage.engine.stop();
        assert_eq!(stage.engine.next(mode), Ok(Step::Done { alive: true }));
        assert_eq!(stage.run(Mode::Default), [1]);
    }
}

#[test]
fn a_stop_in_the_timers_before_the_first_iteration_prevents_it() {
    let mut stage = Stage::new();
    stage.timer(1, 0, 0);
    stage.idle(2);
    let calls = stage.run_with(Mode::Default, |stage, _| stage.engine.stop());
    assert_eq!(calls, [1]);
}

#[test]
fn a_stop_in_an_iteration_lets_it_finish_without_waiting() {
    let mut stage = Stage::new();
    let check = stage.engine.open_check(Token(3));
    assert_eq!(stage.engine.hook(check).unwrap().start(), Ok(true));
    stage.timer(1, 500, 0);
    let prepare = stage.engine.open_prepare(Token(2));
    assert_eq!(stage.engine.hook(prepare).unwrap().start(), Ok(true));
    let calls = stage.run_with(Mode::Default, |stage, token| {
        if token == 2 {
            stage.engine.stop();
        }
    });
    assert_eq!(calls, [2, 3]);
    assert_eq!(stage.world.waits(), [Some(0)]);
}

#[test]
fn a_run_with_nothing_alive_ends_at_once_and_reads_the_clock() {
    for mode in MODES {
        let mut stage = Stage::new();
        stage.world.pass(7);
        let before = stage.engine.now();
        assert_eq!(stage.engine.next(mode), Ok(Step::Done { alive: false }));
        assert_eq!(stage.engine.now(), before + 7);
        assert_eq!(stage.world.waits(), []);
    }
}

#[test]
fn once_waits_for_the_nearest_timer_and_runs_it_in_the_same_call() {
    let mut stage = Stage::new();
    stage.timer(1, 30, 0);
    stage.timer(2, 20, 0);
    assert_eq!(stage.run(Mode::Once), [2]);
    assert_eq!(stage.world.waits()[0], Some(20));
}

#[test]
fn nowait_never_waits() {
    let mut stage = Stage::new();
    stage.timer(1, 30, 0);
    assert_eq!(stage.run(Mode::NoWait), []);
    assert_eq!(stage.world.waits(), [Some(0)]);
}

#[test]
fn idle_and_closing_handles_keep_the_loop_from_waiting() {
    let mut stage = Stage::new();
    stage.timer(1, 30, 0);
    let idle = stage.idle(2);
    assert_eq!(stage.run(Mode::Once), [2]);
    assert!(stage.engine.close_handle(idle));
    assert_eq!(stage.run(Mode::Once), [2]);
    assert_eq!(stage.world.waits(), [Some(0), Some(0)]);
}

#[test]
fn a_driver_that_cannot_wait_ends_the_run_with_its_error() {
    let mut stage = Stage::new();
    stage.engine.open_async(Token(1));
    assert_eq!(stage.engine.next(Mode::Default), Err(FOR_EVER));
    assert!(!stage.engine.is_running());
    assert_eq!(stage.run(Mode::NoWait), []);
}

#[test]
fn the_latest_close_is_told_first_and_one_closed_meanwhile_in_the_next_iteration() {
    let mut stage = Stage::new();
    let ids = [1, 2, 3, 4].map(|token| stage.engine.open_timer(Token(token)));
    for id in &ids[..3] {
        assert!(stage.engine.close_handle(*id));
    }
    let calls = stage.run_with(Mode::Once, |stage, token| {
        if token == 3 {
            assert!(stage.engine.close_handle(ids[3]));
        }
    });
    assert_eq!(calls, [3, 2, 1]);
    assert_eq!(stage.run(Mode::Once), [4]);
}

#[test]
fn an_id_is_stale_from_its_close_completion_on_even_if_its_place_is_taken() {
    let mut stage = Stage::new();
    let old = stage.timer(1, 5, 0);
    assert!(stage.engine.close_handle(old));
    assert!(stage.engine.status(old).unwrap().closing);
    assert!(!stage.engine.close_handle(old), "closing already");
    stage.run(Mode::Default);
    let new = stage.timer(2, 5, 0);
    assert_ne!(old, new);
    assert_eq!(stage.engine.status(old), None);
    assert!(stage.engine.timer(old).is_none());
    assert!(!stage.engine.close_handle(old));
    assert!(stage.engine.status(new).unwrap().active);
}

#[test]
fn a_timer_that_ends_a_wait_costs_one_wait() {
    let mut stage = Stage::new();
    stage.timer(1, 20, 0);
    assert_eq!(stage.run(Mode::Default), [1]);
    assert_eq!(stage.world.waits(), [Some(20)]);
}
