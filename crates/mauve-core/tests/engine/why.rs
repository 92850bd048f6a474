//! The listing of handles and requests that keep a loop alive, and the probe for other threads.

use std::sync::atomic::Ordering;
use std::time::Duration;

use mauve_core::pool::{Lane, Task};
use mauve_core::why::LoopItemKind;
use mauve_core::{HandleKind, Mode, Token};

use crate::harness::Harness;

#[test]
fn why_alive_lists_only_handles_that_keep_the_loop_alive() {
    let mut harness = Harness::new();
    harness.timer(1, 50, 10);
    let unreferenced = harness.timer(2, 50, 0);
    harness.engine.set_referenced(unreferenced, false);
    harness.engine.open_idle(Token(3));
    let closed = harness.engine.open_check(Token(4));
    harness.engine.close_handle(closed);

    let reasons = harness.engine.why_alive();
    let tokens: Vec<_> = reasons.iter().map(|reason| reason.token).collect();
    assert_eq!(tokens, [1, 4]);
    assert_eq!(reasons[0].details, ["due in 50 ms", "repeats every 10 ms"]);
    assert!(reasons[1].closing);
    // The engine's own handles are not listed.
    assert_eq!(harness.engine.inventory().len(), 4);
}

#[test]
fn the_age_of_a_handle_is_the_time_since_it_was_opened() {
    let mut harness = Harness::new();
    harness.timer(1, 1000, 0);
    harness.system.advance(300);
    harness.engine.update_time();
    harness.timer(2, 1000, 0);
    harness.system.advance(40);
    harness.engine.update_time();
    let ages: Vec<_> = harness.engine.inventory().iter().map(|item| item.age).collect();
    assert_eq!(ages, [340, 40].map(|ms| Some(Duration::from_millis(ms))));
}

#[test]
fn handles_are_listed_in_order_of_creation_even_in_one_millisecond() {
    let mut harness = Harness::new();
    for token in 0..100 {
        harness.engine.open_idle(Token(token));
        if token % 7 == 0 {
            harness.system.advance(1);
            harness.engine.update_time();
        }
    }
    let tokens: Vec<_> = harness.engine.handles(false).iter().map(|(_, token)| token.0).collect();
    assert_eq!(tokens, (0..100).collect::<Vec<_>>());
}

#[test]
fn requests_are_listed_with_the_description_of_the_host() {
    let mut harness = Harness::new();
    harness.engine.set_describe(|token| format!("job {}", token.0));
    harness.engine.submit_work(Token(9), Lane::Normal, Task::Call(|_| (), 0)).unwrap();
    let reasons = harness.engine.why_alive();
    assert_eq!(reasons.len(), 1);
    assert_eq!(reasons[0].kind, LoopItemKind::Request("job 9".to_owned()));
}

#[test]
fn an_item_is_displayed_on_one_line() {
    let mut harness = Harness::new();
    let timer = harness.timer(0x10, 5, 0);
    harness.engine.set_referenced(timer, false);
    let item = &harness.engine.inventory()[0];
    assert_eq!(item.kind, LoopItemKind::Handle(HandleKind::Timer));
    assert_eq!(item.to_string(), "timer 0x10, due in 5 ms, unreferenced, 0 ms old");
}

#[test]
fn the_probe_has_the_running_thread_only_during_a_run() {
    let mut harness = Harness::new();
    let probe = harness.engine.probe();
    harness.timer(1, 5, 0);
    assert_eq!(probe.thread.load(Ordering::Relaxed), 0);
    let me = u64::from(mauve_sys::thread::current_tid());
    harness.run_with(Mode::Default, |harness, _| {
        assert_eq!(harness.engine.probe().thread.load(Ordering::Relaxed), me);
        assert!(!harness.engine.probe().is_asleep());
        // The caller is the runner; on another thread it would not be.
        assert_eq!(harness.engine.probe().other_runner(), None);
        let elsewhere = std::thread::spawn(move || probe.other_runner());
        assert_eq!(elsewhere.join().unwrap(), Some(me));
    });
    assert_eq!(probe.thread.load(Ordering::Relaxed), 0);
    drop(harness);
    assert_eq!(probe.in_use.load(Ordering::Relaxed), 0);
}
