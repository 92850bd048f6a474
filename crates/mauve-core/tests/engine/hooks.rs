//! Idle, prepare and check handles.

use mauve_core::{Mode, Token};
use mauve_sys::Errno;

use crate::harness::Harness;

#[test]
fn hooks_are_called_the_latest_started_first() {
    let mut harness = Harness::new();
    let ids = [1, 2, 3].map(|token| harness.idle(token));
    assert_eq!(harness.run(Mode::NoWait), [3, 2, 1]);
    harness.engine.hook(ids[1]).unwrap().stop();
    assert_eq!(harness.engine.hook(ids[1]).unwrap().start(), Ok(true));
    assert_eq!(harness.engine.hook(ids[0]).unwrap().start(), Ok(false));
    assert_eq!(harness.run(Mode::NoWait), [2, 3, 1]);
}

#[test]
fn a_hook_may_stop_close_restart_and_start_other_hooks() {
    let mut harness = Harness::new();
    let ids = [1, 2, 3, 4, 5].map(|token| harness.idle(token));
    let late = harness.engine.open_idle(Token(6));
    let calls = harness.run_with(Mode::NoWait, |harness, token| {
        if token == 5 {
            harness.engine.hook(ids[3]).unwrap().stop();
            harness.engine.hook(ids[2]).unwrap().stop();
            assert_eq!(harness.engine.hook(ids[2]).unwrap().start(), Ok(true));
            assert!(harness.engine.close_handle(ids[1]));
            assert_eq!(harness.engine.hook(late).unwrap().start(), Ok(true));
        }
    });
    // Token 2 is a close completion. Hooks that a callback starts are called in the next iteration.
    assert_eq!(calls, [5, 1, 2]);
    assert_eq!(harness.run(Mode::NoWait), [6, 3, 5, 1]);
}

#[test]
fn a_hook_that_restarts_itself_is_not_called_twice_in_an_iteration() {
    let mut harness = Harness::new();
    let id = harness.idle(1);
    harness.idle(2);
    let calls = harness.run_with(Mode::NoWait, |harness, _| {
        harness.engine.hook(id).unwrap().stop();
        assert_eq!(harness.engine.hook(id).unwrap().start(), Ok(true));
    });
    assert_eq!(calls, [2]);
    assert_eq!(harness.run(Mode::NoWait), [1, 2]);
}

#[test]
fn a_closing_hook_cannot_be_started() {
    let mut harness = Harness::new();
    let id = harness.idle(1);
    assert!(harness.engine.close_handle(id));
    assert_eq!(harness.engine.hook(id).unwrap().start(), Err(Errno::EINVAL));
    assert_eq!(harness.run(Mode::Default), [1]);
}
