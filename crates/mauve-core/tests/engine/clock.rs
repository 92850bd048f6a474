//! A virtual clock: time jumps when all loops that share it wait.

use std::sync::mpsc::channel;
use std::sync::{Arc, Barrier, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use mauve_core::clock::VirtualClock;
use mauve_core::pool::{Lane, Pool, Task};
use mauve_core::{Engine, Mode, Token};
use mauve_sys::driver::{Driver, Platform};

use crate::fake::ScheduledEvent;
use crate::harness::{Harness, next_report};

const HOUR: u64 = 3_600_000;
const NANOS_PER_MILLI: u64 = 1_000_000;

fn paused() -> Harness {
    let mut harness = Harness::new();
    harness.system.say_empty();
    let now = harness.engine.now() * NANOS_PER_MILLI;
    harness.engine.set_clock(Arc::new(VirtualClock::paused_at(now)));
    harness
}

#[test]
fn a_timer_of_an_hour_needs_no_wait() {
    let mut harness = paused();
    let begin = harness.engine.now();
    harness.timer(1, HOUR, 0);
    harness.timer(2, 2 * HOUR, 0);
    harness.timer(3, 5, 0);
    let mut times = Vec::new();
    let order = harness.run_with(Mode::Default, |harness, _| {
        times.push(harness.engine.now() - begin);
    });
    assert_eq!(order, [3, 1, 2]);
    assert_eq!(times, [5, HOUR, 2 * HOUR]);
    let waits = harness.system.waits();
    assert!(waits.iter().all(|wait| *wait == Some(0)), "{waits:?}");
}

#[test]
fn an_event_that_is_ready_comes_before_a_timer() {
    let mut harness = paused();
    let begin = harness.engine.now();
    let id = harness.engine.open_async(Token(1));
    harness.timer(2, HOUR, 0);
    let sender = harness.engine.sender(id);
    // Ready at once, as the system's clock has it.
    harness.system.schedule(0, ScheduledEvent::Send(sender));
    harness.system.advance(0);
    let order = harness.run_with(Mode::Default, |harness, token| {
        let passed = if token == 1 { 0 } else { HOUR };
        assert_eq!(harness.engine.now() - begin, passed);
        if token == 1 {
            harness.engine.close_handle(id);
        }
    });
    assert_eq!(order, [1, 1, 2], "notified, closed, and the timer");
}

#[test]
fn a_running_clock_waits_and_a_stopped_one_continues_where_it_was() {
    let clock = VirtualClock::paused();
    let begin = clock.now();
    assert_eq!(begin % NANOS_PER_MILLI, 0);
    clock.advance_to(begin + HOUR * NANOS_PER_MILLI);
    clock.advance_to(begin);
    assert_eq!(clock.now(), begin + HOUR * NANOS_PER_MILLI, "it does not go back");
    let instant = clock.instant();
    clock.resume();
    assert!(!clock.is_paused());
    thread::sleep(Duration::from_millis(2));
    assert!(clock.now() >= begin + (HOUR + 2) * NANOS_PER_MILLI);
    clock.advance_to(begin + 9 * HOUR * NANOS_PER_MILLI);
    assert!(clock.now() < begin + 8 * HOUR * NANOS_PER_MILLI, "a running clock is not set");
    clock.pause();
    let now = clock.now();
    assert!(clock.is_paused() && now.is_multiple_of(NANOS_PER_MILLI));
    assert!(clock.instant() >= instant + Duration::from_millis(2));
    thread::sleep(Duration::from_millis(2));
    assert_eq!(clock.now(), now);
}

/// An engine on the driver of this system.
fn engine(clock: &Arc<VirtualClock>) -> Engine<Platform> {
    let mut engine = Engine::new(Platform::new().unwrap(), Pool::new(1)).unwrap();
    engine.set_clock(clock.clone());
    engine
}

fn run<D: Driver>(engine: &mut Engine<D>, mut callback: impl FnMut(&mut Engine<D>, u64)) {
    while let Some(report) = next_report(engine, Mode::Default) {
        callback(engine, report.token().0);
    }
}

#[test]
fn the_clock_does_not_advance_while_a_job_runs() {
    let clock = Arc::new(VirtualClock::paused());
    let mut engine = engine(&clock);
    let begin = engine.now();
    let (job, end) = channel::<()>();
    let task = Task::Run(Box::new(move || assert!(end.recv().is_err())));
    engine.submit_work(Token(1), Lane::Blocking, task).unwrap();
    let timer = engine.open_timer(Token(2));
    engine.timer(timer).unwrap().start(HOUR, 0).unwrap();
    let ender = thread::spawn(move || {
        thread::sleep(Duration::from_millis(20));
        drop(job);
    });
    let mut calls = Vec::new();
    run(&mut engine, |engine, token| calls.push((token, engine.now() - begin)));
    ender.join().unwrap();
    assert_eq!(calls, [(1, 0), (2, HOUR)]);
}

#[test]
fn the_timers_of_all_loops_fire_in_the_order_of_time() {
    const LOOPS: u64 = 3;
    const TICKS: u64 = 200;
    let clock = Arc::new(VirtualClock::paused());
    let begin = clock.now() / NANOS_PER_MILLI;
    let (log, start) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Barrier::new(LOOPS as usize)));
    let real = Instant::now();
    let threads = (0..LOOPS).map(|number| {
        let (clock, log, start) = (clock.clone(), log.clone(), start.clone());
        thread::spawn(move || {
            let mut engine = engine(&clock);
            let id = engine.open_timer(Token(number));
            engine.timer(id).unwrap().start((number + 1) * 1000, LOOPS * 1000).unwrap();
            let ready = engine.open_async(Token(LOOPS));
            let sender = engine.sender(ready);
            sender.send().unwrap();
            let mut ticks = 0;
            run(&mut engine, |engine, token| {
                if token == LOOPS {
                    // From here on, all loops run.
                    if engine.close_handle(ready) {
                        start.wait();
                    }
                    return;
                }
                log.lock().unwrap().push((engine.now() - begin, number));
                ticks += 1;
                if ticks == TICKS {
                    engine.timer(id).unwrap().stop();
                }
            });
        })
    });
    let threads: Vec<_> = threads.collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    let expected: Vec<_> =
        (0..LOOPS * TICKS).map(|tick| ((tick + 1) * 1000, tick % LOOPS)).collect();
    assert_eq!(*log.lock().unwrap(), expected);
    assert!(real.elapsed() < Duration::from_secs(LOOPS * TICKS), "time was virtual");
}

#[test]
fn a_message_between_loops_arrives_before_time_passes() {
    const MESSAGES: u64 = 200;
    let clock = Arc::new(VirtualClock::paused());
    let begin = clock.now() / NANOS_PER_MILLI;
    let mut receiver = engine(&clock);
    let id = receiver.open_async(Token(0));
    let deadline = receiver.open_timer(Token(1));
    // Fires if time passes while a message is on its way.
    receiver.timer(deadline).unwrap().start(1001, 0).unwrap();
    let (sender, start) = (receiver.sender(id), Arc::new(Barrier::new(2)));
    let other = thread::spawn({
        let (clock, start) = (clock.clone(), start.clone());
        move || {
            let mut engine = engine(&clock);
            let timer = engine.open_timer(Token(0));
            engine.timer(timer).unwrap().start(1000, 1000).unwrap();
            let both = engine.open_idle(Token(1));
            engine.hook(both).unwrap().start().unwrap();
            let mut sent = 0;
            run(&mut engine, |engine, token| {
                if token == 1 {
                    // From here on, both loops run.
                    if engine.close_handle(both) {
                        start.wait();
                    }
                    return;
                }
                sent += 1;
                sender.send().unwrap();
                if sent == MESSAGES {
                    engine.timer(timer).unwrap().stop();
                }
            });
        }
    });
    let both = receiver.open_idle(Token(2));
    receiver.hook(both).unwrap().start().unwrap();
    let mut received = Vec::new();
    run(&mut receiver, |engine, token| match token {
        0 if received.len() < MESSAGES as usize => {
            received.push(engine.now() - begin);
            engine.timer(deadline).unwrap().start(1001, 0).unwrap();
            if received.len() == MESSAGES as usize {
                engine.timer(deadline).unwrap().stop();
                engine.close_handle(id);
            }
        }
        0 => {}
        1 => panic!("time passed before message {} arrived", received.len() + 1),
        _ => {
            if engine.close_handle(both) {
                start.wait();
            }
        }
    });
    other.join().unwrap();
    let expected: Vec<_> = (1..=MESSAGES).map(|message| message * 1000).collect();
    assert_eq!(received, expected);
}

#[test]
fn a_loop_in_a_callback_of_another_one_advances_the_clock() {
    let clock = Arc::new(VirtualClock::paused());
    let begin = clock.now() / NANOS_PER_MILLI;
    let mut outer = engine(&clock);
    let timer = outer.open_timer(Token(1));
    outer.timer(timer).unwrap().start(10, 0).unwrap();
    let mut times = Vec::new();
    run(&mut outer, |_, _| {
        let mut inner = engine(&clock);
        let timer = inner.open_timer(Token(2));
        inner.timer(timer).unwrap().start(HOUR, 0).unwrap();
        run(&mut inner, |inner, _| times.push(inner.now() - begin));
    });
    assert_eq!(times, [10 + HOUR]);
}

#[test]
fn a_loop_that_is_not_running_does_not_stop_the_clock() {
    let clock = Arc::new(VirtualClock::paused());
    let idle = engine(&clock);
    let mut running = engine(&clock);
    let begin = running.now();
    let timer = running.open_timer(Token(1));
    running.timer(timer).unwrap().start(HOUR, 0).unwrap();
    let mut times = Vec::new();
    run(&mut running, |engine, _| times.push(engine.now() - begin));
    assert_eq!(times, [HOUR]);
    drop(idle);
}

#[test]
fn pausing_and_resuming_ends_the_waits_of_other_threads() {
    let clock = Arc::new(VirtualClock::paused());
    clock.resume();
    let (started, start) = channel();
    let waiter = thread::spawn({
        let clock = clock.clone();
        move || {
            let mut engine = engine(&clock);
            let timer = engine.open_timer(Token(1));
            engine.timer(timer).unwrap().start(HOUR, 0).unwrap();
            started.send(()).unwrap();
            let begin = engine.now();
            run(&mut engine, |_, _| {});
            engine.now() - begin
        }
    });
    start.recv().unwrap();
    // It may wait already, or begin to.
    thread::sleep(Duration::from_millis(5));
    clock.pause();
    assert!(waiter.join().unwrap() >= HOUR);
}
