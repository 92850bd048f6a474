//! Nested runs: a callback runs its own loop again.

use mauve_core::{Mode, Token};

use crate::harness::Harness;

/// Runs the loop inside the current callback. Returns the tokens of the nested run.
fn nested(harness: &mut Harness, mode: Mode) -> Vec<u64> {
    harness.engine.suspend_run();
    let called = harness.run(mode);
    harness.engine.resume_run();
    called
}

/// Runs a loop in which the callback of `token` runs the loop. Returns the tokens of the outer and of
/// the nested run.
fn nest_in(harness: &mut Harness, token: u64) -> (Vec<u64>, Vec<u64>) {
    let mut inner = None;
    let outer = harness.run_with(Mode::NoWait, |harness, called| {
        if called == token && inner.is_none() {
            inner = Some(nested(harness, Mode::NoWait));
        }
    });
    (outer, inner.expect("the callback ran"))
}

#[test]
fn a_nested_run_does_not_call_due_timers_of_the_outer_run() {
    let mut harness = Harness::new();
    for token in 1..=4 {
        harness.timer(token, 0, 0);
    }
    assert_eq!(nest_in(&mut harness, 2), (vec![1, 2, 3, 4], vec![]));
}

#[test]
fn a_nested_run_calls_only_hooks_that_the_outer_run_has_called_already() {
    let mut harness = Harness::new();
    for token in 1..=4 {
        harness.idle(token);
    }
    assert_eq!(nest_in(&mut harness, 2), (vec![4, 3, 2, 1], vec![4, 3, 2]));
}

#[test]
fn a_hook_that_a_nested_run_stops_is_not_called_by_the_outer_run() {
    let mut harness = Harness::new();
    let hooks: Vec<_> = (1..=4).map(|token| harness.idle(token)).collect();
    let called = harness.run_with(Mode::NoWait, |harness, called| {
        if called == 3 {
            harness.engine.suspend_run();
            harness.engine.hook(hooks[1]).unwrap().stop();
            assert_eq!(harness.run(Mode::NoWait), [4, 3]);
            harness.engine.resume_run();
        }
    });
    assert_eq!(called, [4, 3, 1]);
}

#[test]
fn a_nested_run_does_not_report_closed_handles_of_the_outer_run() {
    let mut harness = Harness::new();
    for token in 1..=4 {
        let id = harness.engine.open_timer(Token(token));
        harness.engine.close_handle(id);
    }
    assert_eq!(nest_in(&mut harness, 3), (vec![4, 3, 2, 1], vec![]));
}

#[test]
fn a_nested_run_does_not_call_notified_handles_of_the_outer_run() {
    let mut harness = Harness::new();
    for token in 1..=3 {
        let id = harness.engine.open_async(Token(token));
        harness.engine.sender(id).send().unwrap();
    }
    assert_eq!(nest_in(&mut harness, 2), (vec![1, 2, 3], vec![]));
}

#[test]
fn a_handle_that_is_notified_again_in_its_callback_is_called_by_a_nested_run() {
    let mut harness = Harness::new();
    let id = harness.engine.open_async(Token(1));
    let check = harness.engine.open_check(Token(2));
    harness.engine.hook(check).unwrap().start().unwrap();
    harness.engine.sender(id).send().unwrap();
    let mut inner = Vec::new();
    let outer = harness.run_with(Mode::NoWait, |harness, called| match called {
        1 => harness.engine.sender(id).send().unwrap(),
        _ if inner.is_empty() => inner = nested(harness, Mode::NoWait),
        _ => {}
    });
    assert_eq!((outer, inner), (vec![1, 2], vec![1, 2]));
}

#[test]
fn the_next_run_reports_the_rest_of_an_abandoned_run() {
    let mut harness = Harness::new();
    for token in 1..=3 {
        harness.timer(token, 0, 0);
        let id = harness.engine.open_timer(Token(10 + token));
        harness.engine.close_handle(id);
    }
    let mut left = false;
    let mut called = Vec::new();
    while !left {
        let report = crate::harness::next_report(&mut harness.engine, Mode::NoWait).unwrap();
        called.push(report.token().0);
        left = called.len() == 2;
    }
    harness.engine.abandon_run();
    called.extend(harness.run(Mode::NoWait));
    assert_eq!(called, [13, 12, 11, 1, 2, 3]);
}
