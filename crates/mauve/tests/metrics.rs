//! Metrics of loops and tasks.

use std::thread;
use std::time::{Duration, Instant};

use mauve::net::{TcpListener, TcpStream};
use mauve::{Loop, RunMode};

/// Keeps the thread busy.
fn spin(duration: Duration) {
    let begin = Instant::now();
    while begin.elapsed() < duration {
        std::hint::spin_loop();
    }
}

const MS: Duration = Duration::from_millis(1);

#[test]
fn idle_and_busy_time_add_up_to_the_time_of_runs() {
    let lp: Loop = Loop::new().unwrap();
    lp.measure_times();
    let begin = Instant::now();
    lp.block_on(async {
        spin(20 * MS);
        // On a busy machine a sleep may end before the loop waits.
        for _ in 0..1000 {
            mauve::sleep(10 * MS).await;
            if lp.idle_time() >= 10 * MS {
                break;
            }
        }
    });
    let elapsed = begin.elapsed();
    // Outside of a run the loop is neither idle nor busy.
    thread::sleep(20 * MS);
    let metrics = lp.metrics();
    assert!(metrics.idle_time >= 10 * MS, "{metrics:?}");
    assert!(metrics.busy_time >= 20 * MS, "{metrics:?}");
    assert!(metrics.idle_time + metrics.busy_time <= elapsed, "{metrics:?} in {elapsed:?}");
    assert!(metrics.utilization() > 0.0 && metrics.utilization() < 1.0, "{metrics:?}");
    assert_eq!(metrics.idle_time, lp.idle_time());
}

#[test]
fn times_are_zero_unless_they_are_measured() {
    let lp: Loop = Loop::new().unwrap();
    lp.spawn(async { mauve::sleep(MS).await });
    lp.run(RunMode::Default).unwrap();
    let metrics = lp.metrics();
    assert_eq!((metrics.idle_time, metrics.busy_time), (Duration::ZERO, Duration::ZERO));
    assert_eq!(metrics.total_poll_duration, Duration::ZERO);
    assert!(metrics.utilization() == 0.0);
}

#[test]
fn measuring_can_begin_during_a_run() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let lp = Loop::current();
        lp.measure_times();
        spin(5 * MS);
        let metrics = lp.metrics();
        assert!(metrics.busy_time >= 5 * MS && metrics.idle_time == Duration::ZERO, "{metrics:?}");
    });
}

#[test]
fn measuring_times_polls_no_more_often() {
    let lp: Loop = Loop::new().unwrap();
    lp.measure_times();
    lp.block_on(lp.sleep(MS));
    assert_eq!(lp.metrics().events_waiting, 0);
}

#[test]
fn tasks_and_their_polls_are_counted() {
    let lp: Loop = Loop::new().unwrap();
    let before = lp.metrics();
    lp.spawn(mauve::yield_now());
    lp.spawn(std::future::pending::<()>());
    lp.run(RunMode::NoWait).unwrap();
    lp.run(RunMode::NoWait).unwrap();
    let metrics = lp.metrics().since(&before);
    assert_eq!(metrics.spawned_tasks_count, 2);
    assert_eq!(metrics.num_alive_tasks, 1);
    assert_eq!(metrics.poll_count, 3);
    assert_eq!(metrics.iterations, 2);
    assert_eq!(metrics.remote_schedule_count, 0);
}

#[test]
fn wake_ups_from_other_threads_are_counted() {
    let lp: Loop = Loop::new().unwrap();
    let handle = lp.handle();
    let task = thread::spawn(move || handle.spawn(async {})).join().unwrap();
    lp.block_on(task).unwrap();
    assert!(lp.metrics().remote_schedule_count > 0);
}

#[test]
fn a_poll_that_ends_with_its_budget_is_counted() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        // Always writable.
        mauve::spawn(async move {
            for _ in 0..300 {
                client.writable().await.unwrap();
            }
        })
        .await
        .unwrap();
    });
    assert_eq!(lp.metrics().budget_forced_yield_count, 2);
}

#[test]
fn times_of_polls_belong_to_their_task() {
    let lp: Loop = Loop::new().unwrap();
    lp.measure_times();
    lp.spawn(async {
        spin(10 * MS);
        mauve::yield_now().await;
        spin(MS);
        std::future::pending::<()>().await;
    });
    let line = line!() + 1;
    lp.spawn(std::future::pending::<()>());
    lp.run(RunMode::NoWait).unwrap();
    lp.run(RunMode::NoWait).unwrap();
    let [busy, idle] = lp.task_metrics()[..] else { panic!("two tasks") };
    assert_eq!((busy.total_poll_count, idle.total_poll_count), (2, 1));
    assert!(busy.total_poll_duration >= 11 * MS, "{busy:?}");
    assert!(busy.max_poll_duration >= 10 * MS, "{busy:?}");
    assert!(busy.mean_poll_duration() < busy.max_poll_duration, "{busy:?}");
    assert_eq!((idle.location.file(), idle.location.line()), (file!(), line));
    assert!(lp.metrics().total_poll_duration >= busy.total_poll_duration);
}

#[test]
fn a_slot_that_is_reused_does_not_keep_the_times_of_the_old_task() {
    let lp: Loop = Loop::new().unwrap();
    lp.measure_times();
    lp.spawn(async { spin(5 * MS) });
    lp.run(RunMode::NoWait).unwrap();
    lp.spawn(std::future::pending::<()>());
    let [task] = lp.task_metrics()[..] else { panic!("one task") };
    assert_eq!((task.total_poll_count, task.total_poll_duration), (0, Duration::ZERO));
}
