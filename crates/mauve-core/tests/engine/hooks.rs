//! Idle, prepare and check handles.

use mauve_core::{Mode, Token};
use mauve_sys::Errno;

use crate::stage::Stage;

#[test]
fn hooks_are_called_the_latest_started_first() {
    let mut stage = Stage::new();
    let ids = [1, 2, 3].map(|token| stage.idle(token));
    assert_eq!(stage.run(Mode::NoWait), [3, 2, 1]);
    stage.engine.hook(ids[1]).unwrap().stop();
    assert_eq!(stage.engine.hook(ids[1]).unwrap().start(), Ok(true));
    assert_eq!(stage.engine.hook(ids[0]).unwrap().start(), Ok(false));
    assert_eq!(stage.run(Mode::NoWait), [2, 3, 1]);
}

#[test]
fn a_hook_may_stop_close_restart_and_start_its_siblings() {
    let mut stage = Stage::new();
    let ids = [1, 2, 3, 4, 5].map(|token| stage.idle(token));
    let late = stage.engine.open_idle(Token(6));
    let calls = stage.run_with(Mode::NoWait, |stage, token| {
        if token == 5 {
            stage.engine.hook(ids[3]).unwrap().stop();
            stage.engine.hook(ids[2]).unwrap().stop();
            assert_eq!(stage.engine.hook(ids[2]).unwrap().start(), Ok(true));
            assert!(stage.engine.close_handle(ids[1]));
            assert_eq!(stage.engine.hook(late).unwrap().start(), Ok(true));
        }
    });
    // Two is told to be closed; what was started meanwhile waits for the next iteration.
    assert_eq!(calls, [5, 1, 2]);
    assert_eq!(stage.run(Mode::NoWait), [6, 3, 5, 1]);
}

#[test]
fn a_hook_that_restarts_itself_is_not_called_twice_in_an_iteration() {
    let mut stage = Stage::new();
    let id = stage.idle(1);
    stage.idle(2);
    let calls = stage.run_with(Mode::NoWait, |stage, _| {
        stage.engine.hook(id).unwrap().stop();
        assert_eq!(stage.engine.hook(id).unwrap().start(), Ok(true));
    });
    assert_eq!(calls, [2]);
    assert_eq!(stage.run(Mode::NoWait), [1, 2]);
}

#[test]
fn a_closing_hook_cannot_be_started() {
    let mut stage = Stage::new();
    let id = stage.idle(1);
    assert!(stage.engine.close_handle(id));
    assert_eq!(stage.engine.hook(id).unwrap().start(), Err(Errno::EINVAL));
    assert_eq!(stage.run(Mode::Default), [1]);
}
