//! Async/await on the loop.

mod destructors;

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

use mauve::{Elapsed, Loop, RunMode, Timer};

const MS: Duration = Duration::from_millis(1);

#[test]
fn block_on_returns_the_output_of_a_borrowing_future() {
    let lp: Loop = Loop::new().unwrap();
    let text = String::from("borrowed");
    assert_eq!(lp.block_on(async { text.len() }), 8);
}

#[test]
fn sleeping_tasks_wake_in_the_order_of_their_deadlines() {
    let lp: Loop = Loop::new().unwrap();
    let log = Rc::new(RefCell::new(Vec::new()));
    for ms in [3u32, 1, 2] {
        let log = log.clone();
        lp.spawn(async move {
            // On a slow machine the tasks start at different times.
            let mut sleep = mauve::sleep(MS * ms * 4);
            (&mut sleep).await;
            log.borrow_mut().push(sleep.deadline());
        });
    }
    assert_eq!(lp.run(RunMode::Default), Ok(false));
    assert_eq!(log.borrow().len(), 3);
    // The loop counts milliseconds.
    assert!(log.borrow().is_sorted_by(|one, next| *one <= *next + MS), "{log:?}");
    lp.close().unwrap();
}

#[mauve::test]
async fn sleep_never_completes_early() {
    std::thread::sleep(5 * MS);
    let start = Instant::now();
    mauve::sleep(10 * MS).await;
    assert!(start.elapsed() >= 9 * MS);
}

#[test]
fn a_join_handle_returns_output_abort_or_panic() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        assert_eq!(mauve::spawn(async { 7 }).await.unwrap(), 7);
        let forever = mauve::spawn(std::future::pending::<()>());
        mauve::yield_now().await;
        forever.abort();
        assert!(forever.await.is_err_and(|error| error.is_cancelled()));
        let bad = mauve::spawn(async { panic!("on purpose") });
        assert!(bad.await.is_err_and(|error| error.is_panic()));
    });
    assert!(!lp.is_alive());
}

#[test]
fn a_timeout_returns_elapsed_or_the_output() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let slow = mauve::timeout(MS, std::future::pending::<()>());
        assert_eq!(slow.await, Err(Elapsed));
        assert_eq!(mauve::timeout(1000 * MS, async { 1 }).await, Ok(1));
        assert_eq!(mauve::timeout(1000 * MS, async { 2 }).into_inner().await, 2);
    });
}

#[test]
fn other_threads_can_wake_the_block_on_future() {
    let lp: Loop = Loop::new().unwrap();
    let shared: Arc<Mutex<(u32, Option<Waker>)>> = Arc::default();
    let theirs = shared.clone();
    let thread = std::thread::spawn(move || {
        for _ in 0..100 {
            std::thread::sleep(Duration::from_micros(50));
            let mut shared = theirs.lock().unwrap();
            shared.0 += 1;
            if let Some(waker) = shared.1.take() {
                waker.wake();
            }
        }
    });
    let wait = poll_fn(|context| {
        let mut shared = shared.lock().unwrap();
        if shared.0 == 100 {
            return Poll::Ready(());
        }
        shared.1 = Some(context.waker().clone());
        Poll::Pending
    });
    lp.block_on(wait);
    thread.join().unwrap();
}

#[test]
fn a_task_that_waits_for_another_thread_keeps_the_loop_alive() {
    let lp: Loop = Loop::new().unwrap();
    let slot: Arc<Mutex<Option<Waker>>> = Arc::default();
    let done = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let (waker, flag) = (slot.clone(), done.clone());
    lp.spawn(poll_fn(move |context| {
        if flag.load(std::sync::atomic::Ordering::SeqCst) {
            return Poll::Ready(());
        }
        *waker.lock().unwrap() = Some(context.waker().clone());
        Poll::Pending
    }));
    let thread = std::thread::spawn(move || {
        std::thread::sleep(5 * MS);
        done.store(true, std::sync::atomic::Ordering::SeqCst);
        let waker = slot.lock().unwrap().take();
        waker.unwrap().wake();
    });
    assert_eq!(lp.run(RunMode::Default), Ok(false));
    thread.join().unwrap();
}

#[test]
fn spawn_blocking_returns_results_of_the_pool() {
    let lp: Loop = Loop::new().unwrap();
    let sum = lp.block_on(async {
        let parts: Vec<_> = (0..100u64).map(|n| mauve::spawn_blocking(move || n * n)).collect();
        let mut sum = 0;
        for part in parts {
            sum += part.await.unwrap();
        }
        sum
    });
    assert_eq!(sum, 328_350);
}

#[test]
fn tasks_and_callbacks_share_the_loop() {
    let lp = Loop::<u32>::new().unwrap();
    let ticks = Rc::new(Cell::new(0));
    let seen = ticks.clone();
    Timer::new(&lp)
        .every(MS, move |count, timer| {
            *count += 1;
            ticks.set(*count);
            if *count == 5 {
                timer.close();
            }
        })
        .unwrap();
    let mut count = 0;
    let slept = lp.block_on_with(&mut count, async {
        // A busy machine may run both timers late.
        while seen.get() < 5 {
            mauve::sleep(MS).await;
        }
        true
    });
    assert!(slept && count == 5);
}

#[test]
fn a_busy_task_does_not_starve_timers() {
    let lp: Loop = Loop::new().unwrap();
    let fired = Rc::new(std::cell::Cell::new(false));
    let seen = fired.clone();
    Timer::new(&lp)
        .once(2 * MS, move |_, timer| {
            seen.set(true);
            timer.close();
        })
        .unwrap();
    lp.block_on(async {
        while !fired.get() {
            mauve::yield_now().await;
        }
    });
}

#[test]
fn tasks_that_other_threads_spawn_do_not_starve_timers() {
    const COUNT: usize = 10_000;
    let lp: Loop = Loop::new().unwrap();
    let handle = lp.handle();
    let ended = Arc::new(AtomicUsize::new(0));
    let counter = ended.clone();
    let flood = move || {
        for _ in 0..COUNT {
            let counter = counter.clone();
            drop(handle.spawn(async move { counter.fetch_add(1, Ordering::Relaxed) }));
        }
    };
    std::thread::spawn(flood).join().unwrap();
    let seen = Rc::new(Cell::new(COUNT));
    let (before, counter) = (seen.clone(), ended.clone());
    Timer::new(&lp)
        .once(Duration::ZERO, move |_, timer| {
            before.set(counter.load(Ordering::Relaxed));
            timer.close();
        })
        .unwrap();
    lp.run(RunMode::Default).unwrap();
    assert!(seen.get() < COUNT / 2, "the timer fired after {} tasks", seen.get());
    assert_eq!(ended.load(Ordering::Relaxed), COUNT);
}

#[test]
fn ten_thousand_tasks_sleep_concurrently() {
    let lp: Loop = Loop::new().unwrap();
    let count = Rc::new(std::cell::Cell::new(0));
    for n in 0..10_000u32 {
        let count = count.clone();
        lp.spawn(async move {
            mauve::sleep(MS * (n % 10)).await;
            count.set(count.get() + 1);
        });
    }
    lp.run(RunMode::Default).unwrap();
    assert_eq!(count.get(), 10_000);
}

#[test]
fn tasks_are_listed_with_the_location_where_they_were_spawned() {
    let lp: Loop = Loop::new().unwrap();
    let first = line!() + 1;
    let task = lp.spawn(std::future::pending::<()>());
    let inner = lp.clone();
    let line = line!() + 1;
    let items = lp.block_on(async move {
        mauve::spawn(std::future::pending::<()>());
        inner.why_alive().iter().map(ToString::to_string).collect::<Vec<_>>()
    });
    let file = file!();
    let location = |text: &str, line| format!("{text} at {file}:{line}:");
    assert_eq!(items.len(), 3, "{items:?}");
    assert!(items[0].starts_with(&location("block_on", line)), "{items:?}");
    assert!(items[1].starts_with(&location("task spawned", first)), "{items:?}");
    assert!(items[2].starts_with(&location("task spawned", line + 1)), "{items:?}");
    task.abort();
    lp.run(RunMode::NoWait).unwrap();
    assert_eq!(lp.inventory().len(), 1);
}

#[test]
fn a_join_set_joins_tasks_in_the_order_of_their_completion() {
    use mauve::JoinSet;

    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let mut set = JoinSet::new();
        assert!(set.join_next().await.is_none());
        let next = Rc::new(Cell::new(1));
        for number in [3, 1, 2] {
            let next = next.clone();
            set.spawn(async move {
                while next.get() < number {
                    mauve::yield_now().await;
                }
                next.set(number + 1);
                number
            });
        }
        assert_eq!(set.len(), 3);
        let mut order = Vec::new();
        while let Some(result) = set.join_next().await {
            order.push(result.unwrap());
        }
        assert_eq!(order, [1, 2, 3]);

        // Aborted, panicked, and dropped with the set.
        let aborted = set.spawn(std::future::pending());
        aborted.abort();
        assert!(set.join_next().await.unwrap().unwrap_err().is_cancelled());
        assert!(aborted.is_finished());
        set.spawn(async { panic!("expected") });
        assert!(set.join_next().await.unwrap().unwrap_err().is_panic());
        let dropped = set.spawn(std::future::pending());
        assert!(set.try_join_next().is_none());
        drop(set);
        mauve::yield_now().await;
        assert!(dropped.is_finished());

        let mut set = JoinSet::new();
        for number in 0..1000 {
            set.spawn(async move { number });
        }
        assert_eq!(set.join_all().await.into_iter().sum::<u32>(), 499_500);
        let mut set: JoinSet<()> = JoinSet::new();
        set.spawn(std::future::pending());
        set.shutdown().await;
        assert!(set.is_empty());

        let numbers: JoinSet<_> = (0..3).map(|number| async move { number }).collect();
        assert_eq!(numbers.join_all().await, [0, 1, 2]);
        let ran = Rc::new(Cell::new(false));
        let flag = ran.clone();
        set.spawn(async move { flag.set(true) });
        set.detach_all();
        assert!(set.is_empty());
        set.spawn(std::future::pending());
        set.abort_all();
        assert!(set.join_next().await.unwrap().unwrap_err().is_cancelled());
        assert!(ran.get(), "a detached task runs on");
        set.spawn(async {});
        assert!(set.try_join_next().is_none());
        mauve::yield_now().await;
        assert!(set.try_join_next().is_some_and(|result| result.is_ok()));
    });
}

#[test]
fn other_threads_spawn_tasks_on_a_loop() {
    let lp: Loop = Loop::new().unwrap();
    let handle = lp.handle();
    let threads: Vec<_> = (0..4)
        .map(|number| {
            let handle = handle.clone();
            std::thread::spawn(move || {
                let spawn = |task| handle.spawn(async move { number * 100 + task });
                (0..100).map(spawn).collect::<Vec<_>>()
            })
        })
        .collect();
    let sum = lp.block_on(async {
        let mut sum = 0;
        for task in threads.into_iter().flat_map(|thread| thread.join().unwrap()) {
            sum += task.await.unwrap();
        }
        // A future that is not `Send`, a panic, and an abort.
        let local = handle.spawn_with(|| {
            let one = Rc::new(1);
            async move {
                mauve::yield_now().await;
                *one
            }
        });
        sum += local.await.unwrap();
        let panics = handle.spawn(async { panic!("expected") });
        assert!(panics.await.unwrap_err().is_panic());
        let aborted = handle.spawn(std::future::pending::<()>());
        mauve::yield_now().await;
        aborted.abort();
        assert!(aborted.await.unwrap_err().is_cancelled());
        sum
    });
    assert_eq!(sum, (0..400).sum::<i32>() + 1);
    drop(lp);
    let late: Loop = Loop::new().unwrap();
    assert!(late.block_on(handle.spawn(async {})).unwrap_err().is_cancelled());
}

#[test]
fn the_current_loop_has_a_state_of_one_type() {
    let lp = Loop::<u32>::new().unwrap();
    assert!(Loop::<u32>::try_current_with().is_none());
    lp.block_on_with(&mut 0, async {
        assert!(Loop::<u32>::current_with().is_alive());
        assert!(Loop::<()>::try_current().is_none());
        let other = std::thread::spawn(|| Loop::<u32>::try_current_with().is_none());
        assert!(other.join().unwrap());
    });
}

#[test]
fn dropping_an_abort_on_drop_handle_drops_the_future() {
    let lp: Loop = Loop::new().unwrap();
    let owned = Rc::new(());
    let pending = |owned: Rc<()>| async move {
        let _owned = owned;
        std::future::pending::<()>().await;
    };
    lp.block_on(async {
        let task = mauve::spawn(pending(owned.clone())).abort_on_drop();
        mauve::yield_now().await;
        assert_eq!((Rc::strong_count(&owned), task.is_finished()), (2, false));
        drop(task);
        mauve::yield_now().await;
        assert_eq!(Rc::strong_count(&owned), 1);

        // A task that owns the handle of another ends it when it is aborted itself.
        let inner = mauve::spawn(pending(owned.clone())).abort_on_drop();
        let outer = mauve::spawn(inner);
        mauve::yield_now().await;
        outer.abort();
        assert!(outer.await.unwrap_err().is_cancelled());
        mauve::yield_now().await;
        assert_eq!(Rc::strong_count(&owned), 1);

        // A finished task is not affected, and the handle returns its output.
        assert_eq!(mauve::spawn(async { 7 }).abort_on_drop().await.unwrap(), 7);
    });
    lp.close().unwrap();
}

/// Polls itself again and again, and counts the polls.
async fn yield_until(polls: Rc<Cell<u32>>, mut is_over: impl FnMut() -> bool) {
    while !is_over() {
        polls.set(polls.get() + 1);
        mauve::yield_now().await;
    }
}

/// Starts timers that are due at once, and counts those that have fired.
fn start_due_timers(lp: &Loop) -> Rc<Cell<u32>> {
    let fired = Rc::new(Cell::new(0));
    for _ in 0..100 {
        let fired = fired.clone();
        let count = move |_: &mut (), timer: &Timer| {
            fired.set(fired.get() + 1);
            timer.close();
        };
        Timer::new(lp).once(Duration::ZERO, count).unwrap();
    }
    fired
}

#[test]
fn a_task_that_yields_is_polled_once_per_iteration() {
    let lp: Loop = Loop::new().unwrap();
    let (fired, polls) = (start_due_timers(&lp), Rc::new(Cell::new(0)));
    lp.spawn(yield_until(polls.clone(), || false));
    lp.run(RunMode::NoWait).unwrap();
    // Once before the iteration, and once in it.
    assert_eq!((fired.get(), polls.get()), (100, 2));
}

#[test]
fn a_block_on_that_yields_is_polled_once_per_iteration() {
    let lp: Loop = Loop::new().unwrap();
    let (fired, polls) = (start_due_timers(&lp), Rc::new(Cell::new(0)));
    lp.block_on(yield_until(polls.clone(), || fired.get() > 0));
    assert!(polls.get() <= 2, "{} polls", polls.get());
    assert_eq!(fired.get(), 100);
}

#[test]
fn tasks_that_yield_take_turns() {
    let lp: Loop = Loop::new().unwrap();
    let log = Rc::new(RefCell::new(Vec::new()));
    for name in ["a", "b", "c"] {
        let log = log.clone();
        lp.spawn(async move {
            for _ in 0..3 {
                log.borrow_mut().push(name);
                mauve::yield_now().await;
            }
        });
    }
    lp.run(RunMode::Default).unwrap();
    assert_eq!(*log.borrow(), ["a", "b", "c", "a", "b", "c", "a", "b", "c"]);
}

#[mauve::test]
async fn try_join_next_keeps_the_waker_of_poll_join_next() {
    let mut set = mauve::JoinSet::new();
    let (finish, task) = (Rc::new(Cell::new(false)), Rc::new(RefCell::new(None)));
    let (is_finished, waker) = (finish.clone(), task.clone());
    set.spawn(poll_fn(move |context| {
        waker.replace(Some(context.waker().clone()));
        if is_finished.get() { Poll::Ready(7) } else { Poll::Pending }
    }));
    let joined = mauve::spawn(poll_fn(move |context| {
        let joined = set.poll_join_next(context);
        assert!(joined.is_ready() || set.try_join_next().is_none());
        joined
    }));
    mauve::yield_now().await;
    finish.set(true);
    task.take().unwrap().wake();
    let joined = mauve::timeout(60 * 1000 * MS, joined).await.expect("it is woken");
    assert_eq!(joined.unwrap().unwrap().unwrap(), 7);
}

#[mauve::test]
async fn blocking_jobs_may_wait_for_each_other() {
    let count = 4 * mauve::thread_pool_size() + 1;
    let barrier = Arc::new(std::sync::Barrier::new(count));
    let wait = |barrier: Arc<std::sync::Barrier>| move || barrier.wait().is_leader();
    let jobs: Vec<_> = (0..count).map(|_| mauve::spawn_blocking(wait(barrier.clone()))).collect();
    let mut leaders = 0;
    for job in jobs {
        let job = mauve::timeout(Duration::from_secs(60), job).await.expect("a deadlock");
        leaders += usize::from(job.unwrap());
    }
    assert_eq!(leaders, 1);
}

#[mauve::test]
async fn blocking_jobs_start_while_all_other_threads_are_busy() {
    let lp = mauve::Loop::current();
    let count = 4 * mauve::thread_pool_size() + 1;
    let jobs = || {
        let barrier = Arc::new(std::sync::Barrier::new(count));
        let wait = |barrier: Arc<std::sync::Barrier>| move || barrier.wait().is_leader();
        let jobs = (0..count).map(|_| mauve::spawn_blocking(wait(barrier.clone())));
        jobs.collect::<Vec<_>>()
    };
    for jobs_are_first in [true, false] {
        let first = jobs_are_first.then(jobs);
        // They occupy the threads of files until the jobs have ended.
        let mut senders = Vec::new();
        for _ in 0..mauve::thread_pool_size() {
            let (sender, receiver) = std::sync::mpsc::channel::<()>();
            senders.push(sender);
            lp.queue_work(move || receiver.recv(), |(), _| ()).unwrap();
        }
        for job in first.unwrap_or_else(jobs) {
            mauve::timeout(Duration::from_secs(60), job).await.expect("a deadlock").unwrap();
        }
    }
}
