//! Sleeping and time limits.

use std::time::Duration;

use mauve::time::{
    Instant, MissedTickBehavior, interval, interval_at, sleep, sleep_until, timeout, timeout_at,
};
use mauve::{Loop, RunMode, Timer};

/// A linear congruential generator, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % limit
    }
}

#[test]
fn a_sleep_never_completes_early() {
    let lp: Loop = Loop::new().unwrap();
    let mut random = Random(1);
    let tasks: Vec<_> = (0..20)
        .map(|_| {
            let durations: Vec<_> =
                (0..100).map(|_| Duration::from_nanos(random.below(3_000_000))).collect();
            lp.spawn(async move {
                for duration in durations {
                    let start = Instant::now();
                    sleep(duration).await;
                    assert!(start.elapsed() >= duration, "{:?} of {duration:?}", start.elapsed());
                }
            })
        })
        .collect();
    lp.block_on(async {
        for task in tasks {
            task.await.unwrap();
        }
    });
}

#[test]
fn a_timeout_never_elapses_early() {
    let lp: Loop = Loop::new().unwrap();
    let mut random = Random(2);
    lp.block_on(async {
        for _ in 0..200 {
            let limit = Duration::from_nanos(random.below(1_000_000));
            let start = Instant::now();
            assert!(timeout(limit, std::future::pending::<()>()).await.is_err());
            assert!(start.elapsed() >= limit);
        }
    });
}

#[test]
fn a_sleep_is_precise_while_a_descriptor_is_registered() {
    let lp: Loop = Loop::new().unwrap();
    // While a signal is watched, the loop waits in its selector, not on a futex.
    let signal = mauve::Signal::new(&lp).unwrap();
    signal.start(mauve::signal::SignalKind::user_defined2(), |_, _, _| ()).unwrap();
    let mut random = Random(3);
    lp.block_on(async {
        let mut nearest = Duration::MAX;
        for _ in 0..200 {
            let duration = Duration::from_nanos(random.below(1_000_000));
            let start = Instant::now();
            sleep(duration).await;
            let elapsed = start.elapsed();
            assert!(elapsed >= duration);
            nearest = nearest.min(elapsed - duration);
        }
        // Whole milliseconds would be 0.5 ms late on average. A loaded machine delays some, not all.
        assert!(nearest < Duration::from_micros(500), "{nearest:?}");
    });
}

#[mauve::test]
async fn deadlines_and_resets() {
    let start = Instant::now();
    let ms = Duration::from_millis;
    // In the past.
    sleep_until(start.checked_sub(ms(5)).unwrap()).await;
    sleep_until(start + ms(2)).await;
    assert!(start.elapsed() >= ms(2));
    let elapsed = timeout_at(start, std::future::pending::<()>()).await.unwrap_err();
    assert_eq!(std::io::Error::from(elapsed).kind(), std::io::ErrorKind::TimedOut);

    // Earlier, later, and again after completion.
    let mut idle = sleep(Duration::from_secs(3600));
    assert!(!idle.is_elapsed());
    for delay in [ms(1), ms(3), Duration::from_micros(200)] {
        let deadline = Instant::now() + delay;
        idle.reset(deadline);
        assert_eq!(idle.deadline(), deadline);
        (&mut idle).await;
        assert!(idle.is_elapsed() && Instant::now() >= deadline);
    }
    let _forever = sleep(Duration::MAX);
}

#[test]
fn timers_fire_beside_sleeps() {
    let lp = Loop::<u32>::new().unwrap();
    Timer::new(&lp)
        .every(Duration::from_millis(1), |count, timer| {
            *count += 1;
            if *count == 5 {
                timer.close();
            }
        })
        .unwrap();
    lp.spawn(async {
        for _ in 0..20 {
            sleep(Duration::from_micros(150)).await;
        }
    });
    let mut count = 0;
    lp.run_with(&mut count, RunMode::Default).unwrap();
    assert_eq!(count, 5);
}

#[test]
fn a_timer_with_a_period_of_zero_repeats() {
    let lp = Loop::<u32>::new().unwrap();
    let every = |count: &mut u32, timer: &Timer<u32>| {
        *count += 1;
        if *count == 3 {
            timer.close();
        }
    };
    Timer::new(&lp).every(Duration::ZERO, every).unwrap();
    let mut count = 0;
    lp.run_with(&mut count, RunMode::Default).unwrap();
    assert_eq!(count, 3);
}

#[mauve::test]
async fn an_interval_ticks_at_multiples_of_its_period() {
    let ms = Duration::from_millis;
    let start = Instant::now() + ms(1);
    let mut ticks = interval_at(start, ms(2));
    for number in 0..5 {
        assert_eq!(ticks.tick().await, start + ms(2) * number);
        assert!(Instant::now() >= start + ms(2) * number);
    }
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    std::thread::sleep(ms(20));
    // The missed tick, and then the next multiple.
    ticks.tick().await;
    let next = ticks.tick().await;
    assert!(next >= start + ms(20));
    assert_eq!(next.duration_since(start).as_micros() % 2000, 0);

    let mut hourly = interval(Duration::from_secs(3600));
    assert_eq!(hourly.period(), Duration::from_secs(3600));
    hourly.tick().await;
    hourly.reset_after(ms(1));
    hourly.tick().await;
    hourly.reset();
    assert!(timeout(ms(1), hourly.tick()).await.is_err());
    hourly.reset_immediately();
    hourly.tick().await;
}

#[mauve::test]
async fn durations_may_have_any_length() {
    let mut ticks = interval(Duration::MAX);
    ticks.tick().await;
    assert!(timeout(Duration::from_millis(1), ticks.tick()).await.is_err());
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks.reset_after(Duration::MAX);
    assert!(timeout(Duration::from_millis(1), ticks.tick()).await.is_err());
    assert!(timeout(Duration::from_millis(1), sleep(Duration::MAX)).await.is_err());
    assert!(timeout(Duration::MAX, async {}).await.is_ok());
}

#[test]
fn long_sleeps_share_the_wake_ups_of_the_loop() {
    const MS: u64 = 1_000_000;
    let lp: Loop = Loop::new().unwrap();
    let mut random = Random(4);
    let tasks: Vec<_> = (0..5000)
        .map(|_| {
            let duration = Duration::from_nanos(20 * MS + random.below(100 * MS));
            lp.spawn(async move {
                let start = Instant::now();
                sleep(duration).await;
                assert!(start.elapsed() >= duration);
            })
        })
        .collect();
    let before = lp.metrics().iterations;
    lp.block_on(async {
        for task in tasks {
            task.await.unwrap();
        }
    });
    // One for each millisecond, and as many that find nothing due.
    let iterations = lp.metrics().iterations - before;
    assert!(iterations < 300, "{iterations} iterations");
}

#[mauve::test]
async fn an_exact_sleep_is_precise() {
    let mut nearest = Duration::MAX;
    for number in 1..=40 {
        let duration = Duration::from_micros(10_000 + 13 * number);
        let start = Instant::now();
        sleep(duration).exact().await;
        assert!(start.elapsed() >= duration);
        nearest = nearest.min(start.elapsed() - duration);
    }
    // A loaded machine delays some, not all.
    assert!(nearest < Duration::from_micros(500), "{nearest:?}");
}

#[test]
fn a_sleep_that_is_awaited_in_another_loop_of_the_thread_panics_and_names_both() {
    let lp: Loop = Loop::new().unwrap();
    let day = Duration::from_secs(24 * 60 * 60);
    let interval = lp.block_on(async { interval_at(Instant::now() + day, day) });
    let other: Loop = Loop::new().unwrap();
    let limited = lp.timeout(day, std::future::pending::<()>());
    let mut futures: [std::pin::Pin<Box<dyn Future<Output = ()>>>; 3] = [
        Box::pin(lp.sleep(day)),
        Box::pin(async { limited.await.unwrap() }),
        Box::pin(async {
            let mut interval = interval;
            interval.tick().await;
        }),
    ];
    for future in &mut futures {
        let awaited = std::panic::AssertUnwindSafe(|| other.block_on(future));
        let payload = std::panic::catch_unwind(awaited).unwrap_err();
        let text = payload.downcast_ref::<String>().unwrap();
        assert!(text.starts_with("a sleep of loop "), "{text}");
        assert_eq!(text.matches("loop ").count(), 2, "{text}");
    }
}

#[test]
fn a_sleep_that_is_dropped_leaves_nothing_in_the_loop() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let hour = Duration::from_secs(3600);
        assert!(futures_lite::future::poll_once(sleep(hour)).await.is_none());
        sleep(Duration::from_millis(1)).await;
    });
    // Not even a handle for the close phase.
    lp.close().unwrap();
}

#[test]
fn a_sleep_that_is_dropped_on_another_thread_leaves_nothing_in_the_loop() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let mut sleep = sleep(Duration::MAX);
        assert!(futures_lite::future::poll_once(&mut sleep).await.is_none());
        let thread = std::thread::spawn(move || {
            assert!(!sleep.is_elapsed());
            drop(sleep);
        });
        thread.join().unwrap();
    });
    // It may wait for the next iteration.
    lp.run(RunMode::NoWait).unwrap();
    assert!(!lp.is_alive());
    lp.close().unwrap();
}

#[test]
fn a_sleep_is_used_while_its_loop_does_not_run() {
    let lp: Loop = Loop::new().unwrap();
    let mut first = lp.sleep(Duration::from_secs(3600));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(std::pin::Pin::new(&mut first).poll(&mut context).is_pending());
    first.reset(Instant::now());
    // It keeps the loop alive, since no task waits for it.
    assert!(!lp.run(RunMode::Default).unwrap());
    assert!(first.is_elapsed());
    assert!(std::pin::Pin::new(&mut first).poll(&mut context).is_ready());
    let mut second = lp.sleep(Duration::from_secs(3600));
    assert!(std::pin::Pin::new(&mut second).poll(&mut context).is_pending());
    drop((first, second));
    lp.close().unwrap();
    drop(lp);
}

#[test]
fn a_sleep_panics_where_its_loop_cannot_be_found() {
    let message = |sleep: mauve::Sleep| {
        let mut sleep = sleep;
        let polled = std::panic::AssertUnwindSafe(|| {
            let mut context = std::task::Context::from_waker(std::task::Waker::noop());
            std::pin::Pin::new(&mut sleep).poll(&mut context)
        });
        let payload = std::panic::catch_unwind(polled).unwrap_err();
        let text = payload.downcast_ref::<String>().cloned();
        text.unwrap_or_else(|| (*payload.downcast_ref::<&str>().unwrap()).to_owned())
    };
    let lp: Loop = Loop::new().unwrap();
    let (first, second) = (lp.sleep(Duration::ZERO), lp.sleep(Duration::ZERO));
    let elsewhere = std::thread::spawn(move || message(first)).join().unwrap();
    assert!(elsewhere.contains("another thread"), "{elsewhere}");
    drop(lp);
    assert!(message(second).contains("dropped"));
}

#[test]
fn time_limits_that_were_not_reached_do_not_keep_the_loop_alive() {
    let lp: Loop = Loop::new().unwrap();
    for _ in 0..3 {
        lp.block_on(async {
            let limited = async |hours: u64| {
                let limit = Duration::from_secs(3600 * hours);
                timeout(limit, sleep(Duration::from_millis(1))).await.unwrap();
            };
            let tasks: Vec<_> = (1..100).map(|hours| mauve::spawn(limited(hours))).collect();
            for task in tasks {
                task.await.unwrap();
            }
            for hours in 1..10 {
                limited(10 - hours).await;
            }
        });
        assert!(!lp.is_alive());
        assert_eq!(lp.run(RunMode::Default), Ok(false));
    }
    lp.close().unwrap();
}

#[test]
fn a_sleep_after_a_longer_and_a_shorter_one_completes_at_its_own_deadline() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        for first in [1_100, 5_000] {
            let first = sleep(Duration::from_millis(first));
            assert!(futures_lite::future::poll_once(first).await.is_none());
            let (start, duration) = (Instant::now(), Duration::from_millis(1_300));
            let mut second = sleep(duration);
            assert!(futures_lite::future::poll_once(&mut second).await.is_none());
            assert!(!second.is_elapsed());
            // Another task waits for it.
            let elapsed = mauve::spawn(async move {
                (&mut second).await;
                (second.is_elapsed(), start.elapsed())
            });
            let (is_elapsed, elapsed) = elapsed.await.unwrap();
            assert!(is_elapsed && elapsed >= duration, "{elapsed:?}");
        }
    });
}
