//! Poll handles.

use mauve_core::{Completion, Mode, Token};
use mauve_sys::Errno;
use mauve_sys::driver::{Interest, Readiness};

use crate::stage::{Stage, next_completion};

fn watch(stage: &mut Stage, token: u64, fd: i32, interest: Interest) -> mauve_core::HandleId {
    let id = stage.engine.open_poll(Token(token), fd).unwrap();
    stage.engine.poll(id).unwrap().start(interest).unwrap();
    id
}

/// The first completion of a run that does not wait.
fn first(stage: &mut Stage) -> Option<Completion> {
    next_completion(&mut stage.engine, Mode::NoWait)
}

#[test]
fn readiness_is_told_while_it_lasts_and_only_as_asked_for() {
    let mut stage = Stage::new();
    watch(&mut stage, 1, 0, Interest::READABLE);
    stage.world.set_ready(0, Readiness::READABLE | Readiness::WRITABLE);
    for _ in 0..2 {
        let expected = Completion::Poll { token: Token(1), result: Ok(Readiness::READABLE) };
        assert_eq!(first(&mut stage), Some(expected));
        assert_eq!(first(&mut stage), None);
    }
}

#[test]
fn a_lone_hang_up_is_told_as_all_that_was_asked_for() {
    let mut stage = Stage::new();
    watch(&mut stage, 1, 0, Interest::READABLE | Interest::DISCONNECT);
    stage.world.set_ready(0, Readiness::HANGUP);
    let result = Ok(Readiness::READABLE | Readiness::DISCONNECT);
    assert_eq!(first(&mut stage), Some(Completion::Poll { token: Token(1), result }));
}

#[test]
fn an_error_ends_polling() {
    let mut stage = Stage::new();
    let id = watch(&mut stage, 1, 0, Interest::WRITABLE);
    stage.world.set_ready(0, Readiness::ERROR | Readiness::WRITABLE | Readiness::HANGUP);
    let result = Err(Errno::EBADF);
    assert_eq!(first(&mut stage), Some(Completion::Poll { token: Token(1), result }));
    assert!(!stage.engine.status(id).unwrap().active);
    assert!(stage.world.watched(0).is_empty());
    assert_eq!(first(&mut stage), None);
}

#[test]
fn a_descriptor_that_the_driver_refuses_ends_polling_with_its_error() {
    let mut stage = Stage::new();
    let id = watch(&mut stage, 1, 0, Interest::READABLE);
    stage.world.refuse(Some(Errno::EPERM));
    let result = Err(Errno::EPERM);
    assert_eq!(first(&mut stage), Some(Completion::Poll { token: Token(1), result }));
    assert!(!stage.engine.status(id).unwrap().active);
    assert_eq!(first(&mut stage), None);
}

#[test]
fn stopping_withdraws_the_interest_at_once_and_starting_declares_it_when_polling() {
    let mut stage = Stage::new();
    let id = watch(&mut stage, 1, 0, Interest::READABLE);
    assert!(stage.world.watched(0).is_empty());
    stage.run(Mode::NoWait);
    assert_eq!(stage.world.watched(0), Interest::READABLE);
    stage.engine.poll(id).unwrap().stop();
    assert!(stage.world.watched(0).is_empty());
}

#[test]
fn an_active_handle_has_its_descriptor_to_itself() {
    let mut stage = Stage::new();
    let id = watch(&mut stage, 1, 0, Interest::READABLE);
    assert_eq!(stage.engine.open_poll(Token(2), 0), Err(Errno::EEXIST));
    stage.engine.poll(id).unwrap().stop();
    let other = stage.engine.open_poll(Token(2), 0).unwrap();
    stage.engine.poll(other).unwrap().start(Interest::READABLE).unwrap();
    let start = stage.engine.poll(id).unwrap().start(Interest::READABLE);
    assert_eq!(start, Err(Errno::EEXIST));
}

#[test]
fn events_collected_before_a_stop_a_close_or_a_restart_are_dropped() {
    for what in 0..3 {
        let mut stage = Stage::new();
        watch(&mut stage, 1, 0, Interest::READABLE);
        let other = watch(&mut stage, 2, 1, Interest::READABLE);
        stage.world.set_ready(0, Readiness::READABLE);
        stage.world.set_ready(1, Readiness::READABLE);
        let calls = stage.run_with(Mode::NoWait, |stage, token| match what {
            _ if token != 1 => {}
            0 => stage.engine.poll(other).unwrap().stop(),
            1 => assert!(stage.engine.close_handle(other)),
            _ => stage.engine.poll(other).unwrap().start(Interest::READABLE).unwrap(),
        });
        // The close itself is told, of course.
        assert_eq!(calls, if what == 1 { vec![1, 2] } else { vec![1] }, "case {what}");
        if what == 2 {
            assert_eq!(stage.run(Mode::NoWait), [1, 2]);
        }
    }
}

#[test]
fn what_is_no_longer_asked_for_ends_no_wait() {
    let mut stage = Stage::new();
    let id = watch(&mut stage, 1, 0, Interest::READABLE | Interest::WRITABLE);
    assert_eq!(first(&mut stage), None);
    stage.engine.poll(id).unwrap().start(Interest::WRITABLE).unwrap();
    stage.world.set_ready(0, Readiness::READABLE);
    stage.timer(2, 20, 0);
    assert_eq!(stage.run(Mode::Once), [2]);
    assert_eq!(stage.world.waits(), [Some(0), Some(20)]);
}

#[test]
fn an_iteration_that_need_not_wait_does_not_wait_after_stale_events() {
    let mut stage = Stage::new();
    let stopped = watch(&mut stage, 1, 0, Interest::READABLE);
    watch(&mut stage, 2, 1, Interest::READABLE);
    stage.world.set_ready(0, Readiness::READABLE);
    let prepare = stage.engine.open_prepare(Token(3));
    stage.engine.hook(prepare).unwrap().start().unwrap();
    let called = stage.run_with(Mode::Once, |stage, token| match token {
        3 => {
            stage.engine.attempt_work(Token(4), || true).expect("the pool is free");
        }
        // The event of this handle was found together with the work.
        _ => stage.engine.poll(stopped).unwrap().stop(),
    });
    assert_eq!(called, [3, 4]);
}
