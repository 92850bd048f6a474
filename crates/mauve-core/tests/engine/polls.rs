//! Poll handles.

use mauve_core::{Completion, Mode, Token};
use mauve_sys::Errno;
use mauve_sys::descriptor::RawDescriptor;
use mauve_sys::driver::{Interest, Readiness};

use crate::harness::{Harness, Report, next_report};

fn watch(
    harness: &mut Harness,
    token: u64,
    fd: RawDescriptor,
    interest: Interest,
) -> mauve_core::HandleId {
    let id = harness.engine.open_poll(Token(token), fd).unwrap();
    harness.engine.poll(id).unwrap().start(interest).unwrap();
    id
}

/// The first completion of a run that does not wait.
fn first(harness: &mut Harness) -> Option<Completion> {
    next_report(&mut harness.engine, Mode::NoWait).map(Report::event)
}

#[test]
fn readiness_is_level_triggered_and_limited_to_the_requested_events() {
    let mut harness = Harness::new();
    watch(&mut harness, 1, 0, Interest::READABLE);
    harness.system.set_ready(0, Readiness::READABLE | Readiness::WRITABLE);
    for _ in 0..2 {
        let expected = Completion::Poll { token: Token(1), result: Ok(Readiness::READABLE) };
        assert_eq!(first(&mut harness), Some(expected));
        assert_eq!(first(&mut harness), None);
    }
}

#[test]
fn a_hang_up_alone_is_reported_as_all_requested_events() {
    let mut harness = Harness::new();
    watch(&mut harness, 1, 0, Interest::READABLE | Interest::DISCONNECT);
    harness.system.set_ready(0, Readiness::HANGUP);
    let result = Ok(Readiness::READABLE | Readiness::DISCONNECT);
    assert_eq!(first(&mut harness), Some(Completion::Poll { token: Token(1), result }));
}

#[test]
fn an_error_ends_polling() {
    let mut harness = Harness::new();
    let id = watch(&mut harness, 1, 0, Interest::WRITABLE);
    harness.system.set_ready(0, Readiness::ERROR | Readiness::WRITABLE | Readiness::HANGUP);
    let result = Err(Errno::EBADF);
    assert_eq!(first(&mut harness), Some(Completion::Poll { token: Token(1), result }));
    assert!(!harness.engine.status(id).unwrap().active);
    assert!(harness.system.watched(0).is_empty());
    assert_eq!(first(&mut harness), None);
}

#[test]
fn a_descriptor_that_the_driver_refuses_ends_polling_with_its_error() {
    let mut harness = Harness::new();
    let id = watch(&mut harness, 1, 0, Interest::READABLE);
    harness.system.refuse(Some(Errno::EPERM));
    let result = Err(Errno::EPERM);
    assert_eq!(first(&mut harness), Some(Completion::Poll { token: Token(1), result }));
    assert!(!harness.engine.status(id).unwrap().active);
    assert_eq!(first(&mut harness), None);
}

#[test]
fn stop_deregisters_at_once_and_start_registers_in_the_next_poll_phase() {
    let mut harness = Harness::new();
    let id = watch(&mut harness, 1, 0, Interest::READABLE);
    assert!(harness.system.watched(0).is_empty());
    harness.run(Mode::NoWait);
    assert_eq!(harness.system.watched(0), Interest::READABLE);
    harness.engine.poll(id).unwrap().stop();
    assert!(harness.system.watched(0).is_empty());
}

#[test]
fn two_active_handles_cannot_watch_one_descriptor() {
    let mut harness = Harness::new();
    let id = watch(&mut harness, 1, 0, Interest::READABLE);
    assert_eq!(harness.engine.open_poll(Token(2), 0), Err(Errno::EEXIST));
    harness.engine.poll(id).unwrap().stop();
    let other = harness.engine.open_poll(Token(2), 0).unwrap();
    harness.engine.poll(other).unwrap().start(Interest::READABLE).unwrap();
    let start = harness.engine.poll(id).unwrap().start(Interest::READABLE);
    assert_eq!(start, Err(Errno::EEXIST));
}

#[test]
fn events_collected_before_a_stop_a_close_or_a_restart_are_dropped() {
    for case in 0..3 {
        let mut harness = Harness::new();
        watch(&mut harness, 1, 0, Interest::READABLE);
        let other = watch(&mut harness, 2, 1, Interest::READABLE);
        harness.system.set_ready(0, Readiness::READABLE);
        harness.system.set_ready(1, Readiness::READABLE);
        let calls = harness.run_with(Mode::NoWait, |harness, token| match case {
            _ if token != 1 => {}
            0 => harness.engine.poll(other).unwrap().stop(),
            1 => assert!(harness.engine.close_handle(other)),
            _ => harness.engine.poll(other).unwrap().start(Interest::READABLE).unwrap(),
        });
        // The close completion is reported.
        assert_eq!(calls, if case == 1 { vec![1, 2] } else { vec![1] }, "case {case}");
        if case == 2 {
            assert_eq!(harness.run(Mode::NoWait), [1, 2]);
        }
    }
}

#[test]
fn a_stale_event_does_not_end_a_wait() {
    let mut harness = Harness::new();
    let id = watch(&mut harness, 1, 0, Interest::READABLE | Interest::WRITABLE);
    assert_eq!(first(&mut harness), None);
    harness.engine.poll(id).unwrap().start(Interest::WRITABLE).unwrap();
    harness.system.set_ready(0, Readiness::READABLE);
    harness.timer(2, 20, 0);
    assert_eq!(harness.run(Mode::Once), [2]);
    assert_eq!(harness.system.waits(), [Some(0), Some(20)]);
}

#[test]
fn an_iteration_that_need_not_wait_does_not_wait_after_stale_events() {
    let mut harness = Harness::new();
    let stopped = watch(&mut harness, 1, 0, Interest::READABLE);
    watch(&mut harness, 2, 1, Interest::READABLE);
    harness.system.set_ready(0, Readiness::READABLE);
    let prepare = harness.engine.open_prepare(Token(3));
    harness.engine.hook(prepare).unwrap().start().unwrap();
    let called = harness.run_with(Mode::Once, |harness, token| match token {
        3 => {
            harness.engine.attempt_work(Token(4), || true).expect("the pool is free");
        }
        // The event of this handle is in the same poll phase as the work.
        _ => harness.engine.poll(stopped).unwrap().stop(),
    });
    assert_eq!(called, [3, 4]);
}
