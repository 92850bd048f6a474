//! Runs inside callbacks of other runs of the same loop.

use mauve_core::{Mode, Token};

use crate::stage::Stage;

/// What a run calls inside the callback that is running.
fn nested(stage: &mut Stage, mode: Mode) -> Vec<u64> {
    stage.engine.suspend_run();
    let called = stage.run(mode);
    stage.engine.resume_run();
    called
}

/// Runs a loop in which the callback of `token` runs the loop. Returns what both runs call.
fn nest_in(stage: &mut Stage, token: u64) -> (Vec<u64>, Vec<u64>) {
    let mut inner = None;
    let outer = stage.run_with(Mode::NoWait, |stage, called| {
        if called == token && inner.is_none() {
            inner = Some(nested(stage, Mode::NoWait));
        }
    });
    (outer, inner.expect("the callback ran"))
}

#[test]
fn due_timers_stay_with_the_run_that_found_them() {
    let mut stage = Stage::new();
    for token in 1..=4 {
        stage.timer(token, 0, 0);
    }
    assert_eq!(nest_in(&mut stage, 2), (vec![1, 2, 3, 4], vec![]));
}

#[test]
fn a_nested_run_calls_the_hooks_that_the_outer_run_has_called() {
    let mut stage = Stage::new();
    for token in 1..=4 {
        stage.idle(token);
    }
    assert_eq!(nest_in(&mut stage, 2), (vec![4, 3, 2, 1], vec![4, 3, 2]));
}

#[test]
fn a_hook_that_a_nested_run_stops_is_not_called_by_the_outer_run() {
    let mut stage = Stage::new();
    let hooks: Vec<_> = (1..=4).map(|token| stage.idle(token)).collect();
    let called = stage.run_with(Mode::NoWait, |stage, called| {
        if called == 3 {
            stage.engine.suspend_run();
            stage.engine.hook(hooks[1]).unwrap().stop();
            assert_eq!(stage.run(Mode::NoWait), [4, 3]);
            stage.engine.resume_run();
        }
    });
    assert_eq!(called, [4, 3, 1]);
}

#[test]
fn closed_handles_stay_with_the_run_that_reports_them() {
    let mut stage = Stage::new();
    for token in 1..=4 {
        let id = stage.engine.open_timer(Token(token));
        stage.engine.close_handle(id);
    }
    assert_eq!(nest_in(&mut stage, 3), (vec![4, 3, 2, 1], vec![]));
}

#[test]
fn notified_handles_stay_with_the_round_that_found_them() {
    let mut stage = Stage::new();
    for token in 1..=3 {
        let id = stage.engine.open_async(Token(token));
        stage.engine.sender(id).send().unwrap();
    }
    assert_eq!(nest_in(&mut stage, 2), (vec![1, 2, 3], vec![]));
}

#[test]
fn a_handle_that_is_notified_after_its_turn_is_called_by_a_nested_run() {
    let mut stage = Stage::new();
    let id = stage.engine.open_async(Token(1));
    let check = stage.engine.open_check(Token(2));
    stage.engine.hook(check).unwrap().start().unwrap();
    stage.engine.sender(id).send().unwrap();
    let mut inner = Vec::new();
    let outer = stage.run_with(Mode::NoWait, |stage, called| match called {
        1 => stage.engine.sender(id).send().unwrap(),
        _ if inner.is_empty() => inner = nested(stage, Mode::NoWait),
        _ => {}
    });
    assert_eq!((outer, inner), (vec![1, 2], vec![1, 2]));
}

#[test]
fn an_abandoned_run_leaves_what_it_has_not_reported_to_the_next() {
    let mut stage = Stage::new();
    for token in 1..=3 {
        stage.timer(token, 0, 0);
        let id = stage.engine.open_timer(Token(10 + token));
        stage.engine.close_handle(id);
    }
    let mut left = false;
    let mut called = Vec::new();
    while !left {
        let completion = crate::stage::next_completion(&mut stage.engine, Mode::NoWait).unwrap();
        called.push(completion.token().0);
        left = called.len() == 2;
    }
    stage.engine.abandon_run();
    called.extend(stage.run(Mode::NoWait));
    assert_eq!(called, [13, 12, 11, 1, 2, 3]);
}
