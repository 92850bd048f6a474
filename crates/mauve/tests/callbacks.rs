//! Handles with callbacks.

use std::net::UdpSocket;
use std::rc::Rc;
use std::time::Duration;

use mauve::signal::SignalKind;
use mauve::{
    Async, Check, Errno, FsPoll, HandleKind, Idle, Interest, Loop, Phase, Poll, Prepare,
    RecursiveMode, RunMode, Signal, Timer, Watcher,
};

const MS: Duration = Duration::from_millis(1);

#[test]
fn callbacks_share_the_state_of_the_loop() {
    let lp = Loop::<Vec<&str>>::new().unwrap();
    // Long enough not to be due in the first iteration.
    Timer::new(&lp)
        .once(50 * MS, |log, timer| {
            log.push("timer");
            timer.close_with(|log| log.push("closed")).unwrap();
        })
        .unwrap();
    Prepare::new(&lp)
        .start(|log, prepare| {
            log.push("prepare");
            prepare.close();
        })
        .unwrap();
    Check::new(&lp)
        .start(|log, check| {
            log.push("check");
            check.close();
        })
        .unwrap();
    let mut log = Vec::new();
    assert_eq!(lp.run_with(&mut log, RunMode::Default), Ok(false));
    assert_eq!(log, ["prepare", "check", "timer", "closed"]);
    lp.close().unwrap();
}

#[test]
fn a_callback_may_replace_itself() {
    let lp = Loop::<Vec<u32>>::new().unwrap();
    Timer::new(&lp)
        .once(MS, |log, timer| {
            log.push(1);
            timer
                .once(MS, |log, timer| {
                    log.push(2);
                    timer.close();
                })
                .unwrap();
        })
        .unwrap();
    let mut log = Vec::new();
    lp.run_with(&mut log, RunMode::Default).unwrap();
    assert_eq!(log, [1, 2]);
}

#[test]
fn closing_a_handle_drops_its_callback() {
    let lp: Loop = Loop::new().unwrap();
    let captured = Rc::new(());
    let timer = Timer::new(&lp);
    let held = captured.clone();
    timer
        .every(MS, move |_, timer| {
            let _ = &held;
            timer.close();
        })
        .unwrap();
    lp.run(RunMode::Default).unwrap();
    assert_eq!(Rc::strong_count(&captured), 1);
}

#[test]
fn operations_on_a_closed_handle_return_einval() {
    let lp: Loop = Loop::new().unwrap();
    let timer = Timer::new(&lp);
    let idle = Idle::new(&lp);
    timer.close();
    timer.close();
    idle.close();
    for _ in 0..2 {
        assert!(timer.is_closing() && !timer.is_active());
        assert_eq!(timer.once(MS, |_, _| {}), Err(Errno::EINVAL));
        assert_eq!(timer.close_with(|_| {}), Err(Errno::EINVAL));
        assert_eq!(idle.start(|_, _| {}), Err(Errno::EINVAL));
        timer.stop();
        lp.run(RunMode::Default).unwrap();
    }
    // A new timer reuses the slot of the closed one. The stale handle does not reach it.
    let other = Timer::new(&lp);
    assert_eq!(timer.again(), Err(Errno::EINVAL));
    assert_eq!(timer.once(MS, |_, _| {}), Err(Errno::EINVAL));
    assert!(!other.is_closing());
}

#[test]
fn a_sender_may_outlive_its_handle_and_its_loop() {
    let lp = Loop::<u32>::new().unwrap();
    let wakeup = Async::new(&lp, |count, _| *count += 1);
    let sender = wakeup.sender();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..1000 {
                    sender.send().unwrap();
                }
            });
        }
    });
    let mut count = 0;
    lp.run_with(&mut count, RunMode::NoWait).unwrap();
    assert_eq!(count, 1);
    wakeup.close();
    assert!(sender.send().is_err());
    lp.run_with(&mut count, RunMode::Default).unwrap();
    let next = Async::new(&lp, |_, _| {});
    assert!(sender.send().is_err());
    assert!(next.sender().send().is_ok());
    drop((lp, wakeup, next));
    assert!(sender.send().is_err());
}

#[test]
fn an_unreferenced_handle_does_not_keep_the_loop_alive() {
    let lp: Loop = Loop::new().unwrap();
    let timer = Timer::new(&lp);
    timer.every(MS, |_, _| panic!("the loop is not alive")).unwrap();
    timer.unref();
    assert!(timer.is_active() && !timer.has_ref() && !lp.is_alive());
    assert_eq!(lp.run(RunMode::Default), Ok(false));
    timer.ref_();
    assert!(lp.is_alive());
}

#[test]
fn stop_makes_the_run_return_after_the_iteration() {
    let lp = Loop::<u32>::new().unwrap();
    let idle = Idle::new(&lp);
    idle.start(|count, idle| {
        *count += 1;
        idle.event_loop().stop();
    })
    .unwrap();
    let mut count = 0;
    assert_eq!(lp.run_with(&mut count, RunMode::Default), Ok(true));
    assert_eq!(count, 1);
    lp.stop();
    assert_eq!(lp.run_with(&mut count, RunMode::Default), Ok(true));
    assert_eq!(count, 1);
}

#[test]
fn walk_visits_all_handles_in_creation_order() {
    let lp: Loop = Loop::new().unwrap();
    let timer = Timer::new(&lp);
    let _idle = Idle::new(&lp);
    let _async = Async::new(&lp, |_, _| {});
    timer.close();
    let kinds: Vec<_> = lp.handles().iter().map(|handle| handle.kind()).collect();
    assert_eq!(kinds, [HandleKind::Timer, HandleKind::Idle, HandleKind::Async]);
    lp.walk(|handle| handle.close());
    lp.run(RunMode::Default).unwrap();
    assert!(lp.handles().is_empty());
}

#[test]
fn poll_reports_readiness_and_owns_the_descriptor_until_closed() {
    let lp = Loop::<u32>::new().unwrap();
    let ours = Rc::new(UdpSocket::bind("127.0.0.1:0").unwrap());
    let poll = Poll::new(&lp, ours.clone()).unwrap();
    poll.start(Interest::WRITABLE, |count, poll, result| {
        assert_eq!(result.unwrap().bits(), Interest::WRITABLE.bits());
        *count += 1;
        if *count == 3 {
            poll.close();
        }
    })
    .unwrap();
    assert_eq!(Poll::new(&lp, ours.clone()).err(), Some(Errno::EEXIST));
    let mut count = 0;
    lp.run_with(&mut count, RunMode::Default).unwrap();
    assert_eq!(count, 3);
    assert_eq!(Rc::strong_count(&ours), 1);
}

#[test]
fn queued_work_can_be_cancelled() {
    let lp = Loop::<Vec<Option<u32>>>::new().unwrap();
    let (release, blocked) = std::sync::mpsc::channel::<()>();
    let blocked = std::sync::Arc::new(std::sync::Mutex::new(blocked));
    let size = mauve::thread_pool_size();
    for _ in 0..size {
        let blocked = blocked.clone();
        let wait = move || blocked.lock().unwrap().recv().unwrap();
        lp.queue_work(wait, |_, result| result.unwrap()).unwrap();
    }
    let work = lp.queue_work(|| 7, |log, result| log.push(result.ok())).unwrap();
    assert_eq!(work.cancel(), Ok(()));
    assert_eq!(work.cancel(), Ok(()));
    let mut log = Vec::new();
    lp.run_with(&mut log, RunMode::Once).unwrap();
    assert_eq!(log, [None]);
    assert_eq!(work.cancel(), Err(Errno::EBUSY));
    assert_eq!(lp.close(), Err(Errno::EBUSY));
    (0..size).for_each(|_| release.send(()).unwrap());
    lp.run_with(&mut log, RunMode::Default).unwrap();
}

#[test]
fn a_panic_in_work_is_reported_and_does_not_affect_other_work() {
    let lp = Loop::<Vec<bool>>::new().unwrap();
    lp.queue_work(|| panic!("on purpose"), |log, result: Result<(), _>| log.push(result.is_ok()))
        .unwrap();
    lp.queue_work(|| (), |log, result| log.push(result.is_ok())).unwrap();
    let mut log = Vec::new();
    lp.run_with(&mut log, RunMode::Default).unwrap();
    log.sort_unstable();
    assert_eq!(log, [false, true]);
}

#[test]
fn the_current_phase_is_known_in_callbacks() {
    let lp = Loop::<Vec<Phase>>::new().unwrap();
    // Long enough not to be due in the first iteration.
    Timer::new(&lp).once(50 * MS, |log, t| log.push(t.event_loop().phase().unwrap())).unwrap();
    Idle::new(&lp)
        .start(|log, idle| {
            log.push(idle.event_loop().phase().unwrap());
            idle.close();
        })
        .unwrap();
    Async::new(&lp, |log, wakeup| {
        log.push(wakeup.event_loop().phase().unwrap());
        wakeup.close();
    })
    .sender()
    .send()
    .unwrap();
    let mut log = Vec::new();
    lp.run_with(&mut log, RunMode::Default).unwrap();
    assert_eq!(log, [Phase::Idle, Phase::Poll, Phase::Timers]);
    assert_eq!(lp.phase(), None);
}

#[test]
fn a_stopped_handle_is_open_and_does_not_keep_the_loop_alive() {
    let lp: Loop = Loop::new().unwrap();
    let timer = Timer::new(&lp);
    timer.once(Duration::from_secs(60), |_, _| unreachable!()).unwrap();
    timer.stop();
    let fs_poll = FsPoll::new(&lp);
    fs_poll.start(".", Duration::from_secs(1), |_, _, _| unreachable!()).unwrap();
    fs_poll.stop();
    let watcher = Watcher::new(&lp);
    watcher.start(".", RecursiveMode::NonRecursive, |_, _, _| unreachable!()).unwrap();
    watcher.stop();
    let signal = Signal::new(&lp).unwrap();
    signal.start(SignalKind::user_defined2(), |_, _, _| unreachable!()).unwrap();
    signal.stop();
    let poll = Poll::new(&lp, UdpSocket::bind("127.0.0.1:0").unwrap()).unwrap();
    poll.start(Interest::WRITABLE, |_, poll, _| poll.stop()).unwrap();
    assert_eq!(lp.run(RunMode::Default), Ok(false));
    assert!(lp.handles().iter().all(|handle| !handle.is_active() && !handle.is_closing()));
    assert_eq!(lp.handles().len(), 5);
}

#[test]
fn the_repeat_value_of_a_timer_can_be_changed() {
    let lp = Loop::<u32>::new().unwrap();
    let timer = Timer::new(&lp);
    assert_eq!(timer.again(), Err(Errno::EINVAL), "it was never started");
    timer.once(Duration::from_secs(60), |_, _| unreachable!()).unwrap();
    assert_eq!((timer.due_in(), timer.repeat()), (Duration::from_secs(60), Duration::ZERO));
    timer
        .every(MS, |calls, timer| {
            *calls += 1;
            // Without a repeat value, this was the last but one call.
            timer.set_repeat(Duration::ZERO).unwrap();
        })
        .unwrap();
    timer.again().unwrap();
    assert_eq!(timer.repeat(), MS);
    let mut calls = 0;
    lp.run_with(&mut calls, RunMode::Default).unwrap();
    assert_eq!((calls, timer.repeat()), (2, Duration::ZERO));
}

#[test]
fn the_time_of_a_loop_is_cached() {
    let lp: Loop = Loop::new().unwrap();
    let before = lp.now();
    std::thread::sleep(5 * MS);
    assert_eq!(lp.now(), before);
    lp.update_time();
    assert!(lp.now() > before);
    Timer::new(&lp).once(500 * MS, |_, _| {}).unwrap();
    assert!(lp.backend_timeout().is_some_and(|timeout| timeout <= 500 * MS));
}
