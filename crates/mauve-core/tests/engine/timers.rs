//! Timers: order, repeating, and those that are due together.

use mauve_core::{Mode, Token};
use mauve_sys::Errno;

use crate::stage::Stage;

#[test]
fn timers_fire_by_due_time_and_then_in_the_order_of_their_start() {
    let mut stage = Stage::new();
    for (token, timeout) in [(1, 9), (2, 3), (3, 9), (4, 3), (5, 70)] {
        stage.timer(token, timeout, 0);
    }
    assert_eq!(stage.run(Mode::Default), [2, 4, 1, 3, 5]);
}

#[test]
fn a_timer_restarted_without_a_timeout_waits_for_the_next_iteration() {
    let mut stage = Stage::new();
    let id = stage.timer(1, 0, 0);
    let restart = |stage: &mut Stage, _| stage.engine.timer(id).unwrap().start(0, 0).unwrap();
    assert_eq!(stage.run_with(Mode::NoWait, restart), [1]);
    assert_eq!(stage.run(Mode::NoWait), [1]);
}

#[test]
fn a_late_repeating_timer_fires_once_and_then_a_full_period_later() {
    let mut stage = Stage::new();
    let id = stage.timer(1, 5, 5);
    stage.world.pass(100);
    assert_eq!(stage.run(Mode::NoWait), [1]);
    assert_eq!(stage.engine.timer(id).unwrap().due_in(), 5);
}

#[test]
fn a_repeating_timer_is_armed_before_its_callback_and_a_single_one_is_inactive_in_it() {
    let mut stage = Stage::new();
    let (single, repeating) = (stage.timer(1, 5, 0), stage.timer(2, 5, 7));
    stage.run_with(Mode::Once, |stage, token| {
        let id = if token == 1 { single } else { repeating };
        assert_eq!(stage.engine.status(id).unwrap().active, token == 2);
        assert_eq!(stage.engine.timer(id).unwrap().due_in(), if token == 1 { 0 } else { 7 });
    });
}

#[test]
fn timers_due_together_are_inactive_at_once_and_can_still_be_stopped() {
    let mut stage = Stage::new();
    stage.timer(1, 5, 0);
    let others = [2, 3, 4].map(|token| stage.timer(token, 5, 0));
    let calls = stage.run_with(Mode::Once, |stage, token| {
        if token == 1 {
            assert!(others.iter().all(|id| !stage.engine.status(*id).unwrap().active));
            assert!(!stage.engine.alive());
            stage.engine.timer(others[0]).unwrap().stop();
            stage.engine.close_handle(others[1]);
        }
    });
    assert_eq!(calls, [1, 4]);
}

#[test]
fn a_timer_at_the_end_of_time_never_fires_and_is_waited_for_as_long_as_can_be() {
    let mut stage = Stage::new();
    let id = stage.timer(1, u64::MAX, u64::MAX);
    stage.world.pass(1 << 40);
    assert_eq!(stage.run(Mode::NoWait), []);
    assert!(stage.engine.status(id).unwrap().active);
    assert_eq!(stage.engine.backend_timeout(), Some(u64::MAX - stage.engine.now()));
}

#[test]
fn again_needs_a_start_before_and_a_repeat_value_to_do_anything() {
    let mut stage = Stage::new();
    let id = stage.engine.open_timer(Token(1));
    stage.engine.timer(id).unwrap().set_repeat(4);
    assert_eq!(stage.engine.timer(id).unwrap().again(), Err(Errno::EINVAL));
    stage.engine.timer(id).unwrap().start(9, 0).unwrap();
    stage.engine.timer(id).unwrap().again().unwrap();
    assert_eq!(stage.engine.timer(id).unwrap().due_in(), 9);
    stage.engine.timer(id).unwrap().stop();
    stage.engine.timer(id).unwrap().set_repeat(4);
    stage.engine.timer(id).unwrap().again().unwrap();
    assert_eq!(stage.engine.timer(id).unwrap().due_in(), 4);
}

#[test]
fn stopping_a_closing_timer_does_not_bring_it_back() {
    let mut stage = Stage::new();
    let id = stage.timer(1, 5, 0);
    assert!(stage.engine.close_handle(id));
    stage.engine.timer(id).unwrap().stop();
    assert!(stage.engine.status(id).unwrap().closing);
    assert!(!stage.engine.close_handle(id));
    assert_eq!(stage.engine.timer(id).unwrap().start(1, 0), Err(Errno::EINVAL));
    assert_eq!(stage.run(Mode::Default), [1]);
}
