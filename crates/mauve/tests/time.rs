//! Sleeping and time limits.

use std::time::{Duration, Instant};

use mauve::time::{
    MissedTickBehavior, interval, interval_at, sleep, sleep_until, timeout, timeout_at,
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
    signal.start(mauve::process::SIGUSR2, |_, _, _| ()).unwrap();
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

#[test]
fn deadlines_and_resets() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
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
    });
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

#[test]
fn an_interval_ticks_at_multiples_of_its_period() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
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
        hourly.tick().await;
        hourly.reset_after(ms(1));
        hourly.tick().await;
        hourly.reset();
        assert!(timeout(ms(1), hourly.tick()).await.is_err());
        hourly.reset_immediately();
        hourly.tick().await;
    });
}

#[test]
fn durations_may_have_any_length() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let mut ticks = interval(Duration::MAX);
        ticks.tick().await;
        assert!(timeout(Duration::from_millis(1), ticks.tick()).await.is_err());
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ticks.reset_after(Duration::MAX);
        assert!(timeout(Duration::from_millis(1), ticks.tick()).await.is_err());
        assert!(timeout(Duration::from_millis(1), sleep(Duration::MAX)).await.is_err());
        assert!(timeout(Duration::MAX, async {}).await.is_ok());
    });
}
