//! Why a loop is alive, and what others may see of it.

use std::sync::atomic::Ordering;
use std::time::Duration;

use mauve_core::pool::{Lane, Task};
use mauve_core::why::ItemKind;
use mauve_core::{Kind, Mode, Token};

use crate::stage::Stage;

#[test]
fn only_what_keeps_the_loop_alive_is_a_reason() {
    let mut stage = Stage::new();
    stage.timer(1, 50, 10);
    let unreferenced = stage.timer(2, 50, 0);
    stage.engine.set_referenced(unreferenced, false);
    stage.engine.open_idle(Token(3));
    let closed = stage.engine.open_check(Token(4));
    stage.engine.close_handle(closed);

    let reasons = stage.engine.why_alive();
    let tokens: Vec<_> = reasons.iter().map(|reason| reason.token.0).collect();
    assert_eq!(tokens, [1, 4]);
    assert_eq!(reasons[0].details, ["due in 50 ms", "repeats every 10 ms"]);
    assert!(reasons[1].closing);
    // The engine's own handles are not among them.
    assert_eq!(stage.engine.inventory().len(), 4);
}

#[test]
fn a_handle_is_as_old_as_the_time_since_it_was_made() {
    let mut stage = Stage::new();
    stage.timer(1, 1000, 0);
    stage.world.pass(300);
    stage.engine.update_time();
    stage.timer(2, 1000, 0);
    stage.world.pass(40);
    stage.engine.update_time();
    let ages: Vec<_> = stage.engine.inventory().iter().map(|item| item.age).collect();
    assert_eq!(ages, [340, 40].map(|ms| Some(Duration::from_millis(ms))));
}

#[test]
fn handles_are_listed_in_the_order_of_their_creation_whatever_the_time() {
    let mut stage = Stage::new();
    for token in 0..100 {
        stage.engine.open_idle(Token(token));
        if token % 7 == 0 {
            stage.world.pass(1);
            stage.engine.update_time();
        }
    }
    let tokens: Vec<_> = stage.engine.handles(false).iter().map(|(_, token)| token.0).collect();
    assert_eq!(tokens, (0..100).collect::<Vec<_>>());
}

#[test]
fn requests_are_reasons_too_and_described_by_whoever_made_them() {
    let mut stage = Stage::new();
    stage.engine.set_describe(|token| format!("job {}", token.0));
    stage.engine.submit_work(Token(9), Lane::Normal, Task::Call(|_| (), 0)).unwrap();
    let reasons = stage.engine.why_alive();
    assert_eq!(reasons.len(), 1);
    assert_eq!(reasons[0].kind, ItemKind::Request("job 9".to_owned()));
}

#[test]
fn a_reason_is_one_line_that_names_it() {
    let mut stage = Stage::new();
    let timer = stage.timer(0x10, 5, 0);
    stage.engine.set_referenced(timer, false);
    let item = &stage.engine.inventory()[0];
    assert_eq!(item.kind, ItemKind::Handle(Kind::Timer));
    assert_eq!(item.to_string(), "timer 0x10, due in 5 ms, unreferenced, 0 ms old");
}

#[test]
fn others_see_who_runs_the_loop_only_while_it_runs() {
    let mut stage = Stage::new();
    let probe = stage.engine.probe();
    stage.timer(1, 5, 0);
    assert_eq!(probe.thread.load(Ordering::Relaxed), 0);
    let me = u64::from(mauve_sys::thread::task_id());
    stage.run_with(Mode::Default, |stage, _| {
        assert_eq!(stage.engine.probe().thread.load(Ordering::Relaxed), me);
        assert!(!stage.engine.probe().is_asleep());
        // The caller is the runner; on another thread it would not be.
        assert_eq!(stage.engine.probe().other_runner(), None);
        let elsewhere = std::thread::spawn(move || probe.other_runner());
        assert_eq!(elsewhere.join().unwrap(), Some(me));
    });
    assert_eq!(probe.thread.load(Ordering::Relaxed), 0);
    drop(stage);
    assert_eq!(probe.in_use.load(Ordering::Relaxed), 0);
}
