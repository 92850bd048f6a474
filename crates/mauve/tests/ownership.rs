//! What a loop owns, when it is dropped, and what a panic leaves behind.

use std::cell::{Cell, RefCell};
use std::future::{Future, pending, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use mauve::net::{TcpListener, TcpStream, UdpSocket};
use mauve::{Async, Errno, Idle, Loop, LoopRef, RunMode, Tcp, Timer, WorkError};

fn loopback() -> std::net::SocketAddr {
    "127.0.0.1:0".parse().expect("an address")
}

/// The number of open descriptors of this process.
fn open_descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").expect("a list").count()
}

/// Counts its drops.
struct CountDrops(Rc<Cell<u32>>);

impl Drop for CountDrops {
    fn drop(&mut self) {
        self.0.set(self.0.get() + 1);
    }
}

/// A loop whose tasks and callbacks refer to the loop and to each other.
fn fill(lp: &LoopRef, drops: &Rc<Cell<u32>>) {
    let timer = Timer::new(lp);
    let (other, lp2, count) = (timer.clone(), lp.clone(), CountDrops(drops.clone()));
    timer
        .every(Duration::from_secs(60), move |_, _| {
            let _ = (&other, &lp2, &count);
        })
        .expect("a timer");
    let server = Tcp::new(lp);
    let count = CountDrops(drops.clone());
    server.bind(loopback()).expect("an address");
    server
        .listen(16, move |_, _, _| {
            let _ = &count;
        })
        .expect("a listener");
    let (lp2, count) = (lp.clone(), CountDrops(drops.clone()));
    lp.spawn(async move {
        let _count = count;
        let listener = TcpListener::bind(loopback()).await.expect("a listener");
        let client = TcpStream::connect(listener.local_addr().expect("an address"));
        let (_client, _server) = (client.await, listener.accept().await);
        let _udp = UdpSocket::bind(loopback()).await.expect("a socket");
        let _sleeping = lp2.spawn(mauve::sleep(Duration::from_secs(60)));
        pending::<()>().await;
    });
}

#[test]
fn a_dropped_loop_drops_its_tasks_and_callbacks_and_closes_its_descriptors() {
    // The first loop may open what all share.
    drop(Loop::<()>::new().unwrap());
    let before = open_descriptors();
    let drops = Rc::new(Cell::new(0));
    for _ in 0..100 {
        let lp: Loop = Loop::new().unwrap();
        fill(&lp, &drops);
        for _ in 0..5 {
            lp.run(RunMode::NoWait).unwrap();
        }
    }
    assert_eq!(drops.get(), 300);
    // Other tests of this process run at the same time, and each has only a few.
    assert!(open_descriptors() < before + 100);
}

#[test]
fn ten_thousand_loops_leave_nothing() {
    let before = open_descriptors();
    for _ in 0..10_000 {
        let lp: Loop = Loop::new().unwrap();
        let timer = Timer::new(&lp);
        let other = timer.clone();
        timer
            .once(Duration::ZERO, move |_, _| {
                let _ = &other;
            })
            .unwrap();
        lp.spawn(async { pending::<()>().await });
        lp.run(RunMode::NoWait).unwrap();
    }
    assert!(open_descriptors() < before + 100);
}

#[test]
fn handles_and_references_outlive_their_loop_without_harm() {
    let lp: Loop = Loop::new().unwrap();
    let (reference, timer, idle) = (lp.clone(), Timer::new(&lp), Idle::new(&lp));
    let sender = Async::new(&lp, |_, _| unreachable!()).sender();
    let tcp = Tcp::new(&lp);
    let work = lp.queue_work(|| 1, |_: &mut (), _| unreachable!()).unwrap();
    let task = lp.spawn(async { 1 });
    let sleep = lp.sleep(Duration::from_secs(1));
    drop(lp);
    assert_eq!(timer.once(Duration::ZERO, |_, _| ()), Err(Errno::EINVAL));
    assert_eq!(idle.start(|_, _| ()), Err(Errno::EINVAL));
    assert_eq!(tcp.bind(loopback()), Err(Errno::EINVAL));
    assert!(!timer.is_active() && timer.is_closing());
    timer.close();
    drop((sleep, work, sender.send()));
    assert!(task.is_finished());
    assert!(reference.spawn(async {}).is_finished());
    assert_eq!(format!("{reference:?}"), "LoopRef { alive: None, .. }");
    reference.stop();
    reference.update_time();
    reference.watchdog(Duration::from_secs(1));
    reference.measure_times();
    reference.measure_idle_time();
    assert!(!reference.is_alive() && reference.phase().is_none());
    assert!(reference.handles().is_empty() && reference.task_metrics().is_empty());
    assert!(reference.why_alive().is_empty() && reference.inventory().is_empty());
    assert_eq!((reference.now(), reference.idle_time()), (Duration::ZERO, Duration::ZERO));
    assert_eq!(reference.backend_timeout(), Some(Duration::ZERO));
    assert_eq!(reference.metrics().iterations, 0);
}

#[test]
fn a_closed_loop_does_not_run() {
    let lp: Loop = Loop::new().unwrap();
    let timer = Timer::new(&lp);
    assert_eq!(lp.close(), Err(Errno::EBUSY));
    timer.close();
    assert_eq!(lp.close(), Err(Errno::EBUSY));
    lp.run(RunMode::Default).unwrap();
    lp.close().unwrap();
    assert_eq!(lp.run(RunMode::Default), Err(Errno::EINVAL));
    assert_eq!(lp.close(), Err(Errno::EINVAL));
    let panic = catch_unwind(AssertUnwindSafe(|| lp.block_on(async {}))).unwrap_err();
    assert_eq!(panic.downcast_ref(), Some(&"`block_on` called on a closed loop"));
}

#[test]
fn destructors_may_use_the_loop_that_is_dropped() {
    struct Spawns(LoopRef, Rc<Cell<u32>>);
    impl Drop for Spawns {
        fn drop(&mut self) {
            let count = CountDrops(self.1.clone());
            let task = mauve::spawn(async move { drop(count) });
            assert!(task.is_finished());
            Timer::new(&self.0).once(Duration::ZERO, |_, _| unreachable!()).unwrap();
        }
    }
    let drops = Rc::new(Cell::new(0));
    let lp: Loop = Loop::new().unwrap();
    let spawns = Spawns(lp.clone(), drops.clone());
    lp.spawn(async move {
        let _spawns = spawns;
        pending::<()>().await;
    });
    drop(lp);
    assert_eq!(drops.get(), 1);
}

#[test]
fn waking_a_task_of_a_dropped_loop_does_nothing() {
    let waker: Rc<RefCell<Option<Waker>>> = Rc::default();
    let lp: Loop = Loop::new().unwrap();
    let kept = waker.clone();
    lp.spawn(poll_fn(move |context| {
        *kept.borrow_mut() = Some(context.waker().clone());
        Poll::<()>::Pending
    }));
    lp.run(RunMode::NoWait).unwrap();
    drop(lp);
    let waker = waker.take().unwrap();
    waker.wake_by_ref();
    std::thread::spawn(move || waker.wake()).join().unwrap();
}

/// Panics when it is dropped.
struct PanicsOnDrop;

impl Drop for PanicsOnDrop {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            panic!("in a destructor");
        }
    }
}

#[test]
fn a_destructor_that_panics_does_not_stop_other_tasks() {
    let lp: Loop = Loop::new().unwrap();
    let done = Rc::new(Cell::new(0));
    let bad = lp.spawn(async {
        let _bad = PanicsOnDrop;
        mauve::yield_now().await;
    });
    let aborted = lp.spawn(async {
        let _bad = PanicsOnDrop;
        pending::<()>().await;
    });
    // The output of a detached task is dropped by the loop.
    drop(lp.spawn(async { PanicsOnDrop }));
    for _ in 0..10 {
        let done = done.clone();
        lp.spawn(async move {
            mauve::yield_now().await;
            done.set(done.get() + 1);
        });
    }
    let (bad, aborted) = lp.block_on(async move {
        mauve::sleep(Duration::from_millis(1)).await;
        aborted.abort();
        (bad.await, aborted.await)
    });
    assert!(bad.unwrap_err().is_panic() && aborted.unwrap_err().is_panic());
    assert_eq!(done.get(), 10);
}

#[test]
fn a_destructor_that_panics_in_the_result_of_a_detached_job_stops_nothing() {
    struct PanicOnDrop(Arc<AtomicBool>);
    impl Drop for PanicOnDrop {
        fn drop(&mut self) {
            self.0.store(true, Ordering::SeqCst);
            panic!("the result is dropped");
        }
    }

    let lp: Loop = Loop::new().unwrap();
    let dropped = Arc::new(AtomicBool::new(false));
    let result = dropped.clone();
    drop(lp.spawn_blocking(|| PanicOnDrop(result)));
    let answer = lp.block_on(async {
        while !dropped.load(Ordering::SeqCst) {
            mauve::sleep(Duration::from_millis(1)).await;
        }
        mauve::spawn(async { 42 }).await
    });
    assert_eq!(answer.unwrap(), 42);
}

#[test]
fn a_job_that_ends_after_its_loop_drops_its_result() {
    struct PanicOnDrop {
        _alive: Arc<()>,
    }
    impl Drop for PanicOnDrop {
        fn drop(&mut self) {
            panic!("the result is dropped");
        }
    }

    let lp: Loop = Loop::new().unwrap();
    let alive = Arc::new(());
    let (sender, receiver) = std::sync::mpsc::channel::<()>();
    let receiver = Arc::new(std::sync::Mutex::new(receiver));
    for _ in 0..3 {
        let (receiver, result) = (receiver.clone(), PanicOnDrop { _alive: alive.clone() });
        drop(lp.spawn_blocking(move || {
            let _ = receiver.lock().map(|receiver| receiver.recv());
            result
        }));
    }
    drop(lp);
    drop(sender);
    // No other loop has to be created for it.
    wait_until(|| Arc::strong_count(&alive) == 1);
    let lp: Loop = Loop::new().unwrap();
    assert_eq!(lp.block_on(lp.spawn_blocking(|| 42)), Ok(42));
}

#[test]
fn results_that_a_dropped_loop_has_not_taken_are_dropped_with_it() {
    let lp: Loop = Loop::new().unwrap();
    let alive = Arc::new(());
    let done = Arc::new(AtomicBool::new(false));
    for _ in 0..3 {
        let (result, done) = (alive.clone(), done.clone());
        drop(lp.spawn_blocking(move || {
            done.store(true, Ordering::SeqCst);
            result
        }));
    }
    wait_until(|| done.load(Ordering::SeqCst));
    drop(lp);
    wait_until(|| Arc::strong_count(&alive) == 1);
}

#[test]
fn a_panic_payload_that_panics_when_dropped_ends_no_thread_of_the_pool() {
    let lp: Loop = Loop::new().unwrap();
    for _ in 0..2 * mauve::thread_pool_size() {
        let job = lp.spawn_blocking(|| std::panic::panic_any(PanicsOnDrop));
        let Err(WorkError::Panicked(payload)) = lp.block_on(job) else { panic!("no panic") };
        std::mem::forget(payload.into_inner());
        // That of a job whose result is dropped.
        drop(lp.spawn_blocking(|| std::panic::panic_any(PanicsOnDrop)));
    }
    assert_eq!(lp.block_on(lp.spawn_blocking(|| 42)), Ok(42));
    // As that of a detached task.
    drop(lp.spawn(async { std::panic::panic_any(PanicsOnDrop) }));
    assert_eq!(lp.block_on(lp.spawn(async { 42 })).unwrap(), 42);
}

/// Waits for what another thread does.
fn wait_until(is_so: impl Fn() -> bool) {
    let limit = std::time::Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(std::time::Instant::now() < limit, "it does not happen");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_callback_that_panics_keeps_its_closure_and_the_caller_gets_the_panic() {
    let lp: Loop = Loop::new().unwrap();
    let timer = Timer::new(&lp);
    let calls = Rc::new(Cell::new(0));
    let count = calls.clone();
    timer
        .every(Duration::from_millis(1), move |_, timer| {
            count.set(count.get() + 1);
            match count.get() {
                1 => panic!("once"),
                3 => timer.close(),
                _ => {}
            }
        })
        .unwrap();
    let panic = catch_unwind(AssertUnwindSafe(|| lp.run(RunMode::Default))).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"once"));
    assert!(timer.is_active());
    assert_eq!(lp.run(RunMode::Default), Ok(false));
    assert_eq!(calls.get(), 3);
}

#[test]
fn panics_of_destructors_reach_the_one_who_drops_the_loop() {
    let lp: Loop = Loop::new().unwrap();
    let drops = Rc::new(Cell::new(0));
    let timer = Timer::new(&lp);
    timer
        .once(Duration::from_secs(1), {
            let bad = PanicsOnDrop;
            move |_, _| {
                let _ = &bad;
            }
        })
        .unwrap();
    let count = CountDrops(drops.clone());
    Timer::new(&lp)
        .once(Duration::from_secs(1), move |_, _| {
            let _ = &count;
        })
        .unwrap();
    let before = catch_unwind(AssertUnwindSafe(|| drop(lp)));
    assert_eq!(before.unwrap_err().downcast_ref::<&str>(), Some(&"in a destructor"));
    assert_eq!(drops.get(), 1);
    assert!(timer.is_closing());
}

#[test]
fn join_errors_are_sync_and_convert() {
    fn is_sync<T: Send + Sync + 'static>(_: &T) {}
    let lp: Loop = Loop::new().unwrap();
    let error = lp.block_on(async { mauve::spawn(async { panic!("boom") }).await }).unwrap_err();
    is_sync(&error);
    assert_eq!(error.to_string(), "the task panicked: boom");
    assert!(std::io::Error::from(error).to_string().contains("boom"));
}

#[test]
fn types_of_other_crates_and_those_that_own_no_value_of_their_parameter_implement_debug() {
    struct NotDebug;
    let lp: Loop = Loop::new().unwrap();
    let wakeup = Async::new(&lp, |_, _| ());
    assert!(format!("{:?}", wakeup.sender()).starts_with("AsyncSender("));
    let task = lp.spawn(async { NotDebug }).abort_on_drop();
    assert_eq!(format!("{task:?}"), "AbortOnDrop(JoinHandle { finished: false, .. })");
}

#[test]
fn a_running_loop_is_not_closed() {
    let lp = Rc::new(Loop::<()>::new().unwrap());
    let (inner, result) = (lp.clone(), Rc::new(Cell::new(None)));
    let (timer, stored) = (Timer::new(&lp), result.clone());
    timer.close_with(move |_| stored.set(Some(inner.close()))).unwrap();
    lp.run(RunMode::Default).unwrap();
    assert_eq!(result.get(), Some(Err(mauve::Errno::EBUSY)));
    lp.close().unwrap();
    assert_eq!(lp.close(), Err(mauve::Errno::EINVAL));
}

thread_local! {
    static LOOP: RefCell<Option<Loop>> = const { RefCell::new(None) };
}

#[test]
fn a_thread_local_loop_is_dropped_when_its_thread_exits() {
    for runs_another_loop_first in [false, true] {
        let thread = std::thread::spawn(move || {
            if runs_another_loop_first {
                let lp: Loop = Loop::new().expect("a loop");
                lp.block_on(async {});
            }
            LOOP.set(Some(Loop::new().expect("a loop")));
            LOOP.with_borrow(|lp| {
                let lp = lp.as_ref().expect("just set");
                lp.spawn(pending::<()>());
                lp.block_on(mauve::yield_now());
            });
        });
        thread.join().expect("no panic");
    }
}

/// Polls a future of a loop outside of it, drops the loop, and returns what the future then returns.
fn outlive<F: Future>(make: impl AsyncFnOnce() -> F) -> F::Output {
    let lp: Loop = Loop::new().expect("a loop");
    let mut future = Box::pin(lp.block_on(make()));
    lp.block_on(async { assert!(futures_lite::future::poll_once(&mut future).await.is_none()) });
    let woken = Arc::new(Woken::default());
    let waker = Waker::from(woken.clone());
    let mut context = Context::from_waker(&waker);
    assert!(future.as_mut().poll(&mut context).is_pending());
    drop(lp);
    assert!(woken.0.load(Ordering::SeqCst), "the future hangs");
    match future.as_mut().poll(&mut context) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("it cannot complete later"),
    }
}

/// Whether a future was woken.
#[derive(Default)]
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[test]
fn futures_that_outlive_their_loop_end() {
    let (done, wait) = std::sync::mpsc::channel::<()>();
    let blocking = outlive(async || mauve::spawn_blocking(move || wait.recv()));
    assert_eq!(blocking, Err(WorkError::Cancelled));
    drop(done);
    let child = outlive(async || async {
        let mut command = mauve::process::Command::new("sleep");
        command.arg("60").kill_on_drop(true).spawn()?.wait().await
    });
    assert_eq!(child.map_err(Errno::from), Err(Errno::EINVAL));
    let signal = outlive(async || async {
        let mut signal = mauve::signal::signal(mauve::signal::SignalKind::hangup()).expect("one");
        signal.recv().await
    });
    assert_eq!(signal, None);
    let slept = catch_unwind(|| outlive(async || mauve::sleep(Duration::from_secs(60))));
    assert!(slept.is_err(), "it must not complete early, and cannot complete later");
}

/// Awaits a future of a loop in another one of the thread, and returns the message.
fn message<F: Future>(make: impl FnOnce() -> F) -> String {
    let lp: Loop = Loop::new().expect("a loop");
    let mut future = None;
    lp.block_on(async { future = Some(make()) });
    let other: Loop = Loop::new().expect("a loop");
    let limited = async {
        let awaited = mauve::timeout(Duration::from_secs(60), future.expect("made above")).await;
        awaited.map(drop).expect("the future hangs");
    };
    let awaited = catch_unwind(AssertUnwindSafe(|| other.block_on(limited)));
    awaited.unwrap_err().downcast_ref::<String>().expect("a message").clone()
}

#[test]
fn what_is_awaited_in_another_loop_of_the_thread_fails_and_names_both() {
    let (done, wait) = std::sync::mpsc::channel::<()>();
    let handle = || mauve::Loop::current().handle();
    let child = || {
        let mut command = mauve::process::Command::new("sleep");
        command.arg("60").kill_on_drop(true).spawn().expect("a child")
    };
    let signal = || mauve::signal::signal(mauve::signal::SignalKind::hangup()).expect("a signal");
    let changes = || mauve::fs::watch(std::env::temp_dir(), mauve::RecursiveMode::NonRecursive);
    for (what, message) in [
        ("a task", message(|| mauve::spawn(pending::<()>()))),
        ("a task", message(|| mauve::spawn(pending::<()>()).abort_on_drop())),
        ("a task", message(|| handle().spawn(pending::<()>()))),
        ("a request", message(|| mauve::spawn_blocking(move || wait.recv()))),
        (
            "a child",
            message(|| {
                let mut child = child();
                async move { panic!("{}", child.wait().await.unwrap_err()) }
            }),
        ),
        (
            "a signal",
            message(|| {
                let mut signal = signal();
                async move { signal.recv().await }
            }),
        ),
        (
            "a change",
            message(|| {
                let mut changes = changes().expect("changes");
                async move {
                    // Other tests may create files there at the same time.
                    while let Some(change) = changes.next_change().await {
                        change.unwrap_or_else(|error| panic!("{error}"));
                    }
                }
            }),
        ),
    ] {
        assert!(message.starts_with(&format!("{what} of loop ")), "{message}");
        assert_eq!(message.matches("loop ").count(), 2, "{message}");
    }
    drop(done);
}

#[test]
fn what_is_finished_is_returned_in_another_loop_of_the_thread() {
    let lp: Loop = Loop::new().unwrap();
    let (task, remote) = lp.block_on(async {
        let task = mauve::spawn(async { 1 });
        let remote = mauve::Loop::current().handle().spawn(async { 2 });
        while !task.is_finished() || !remote.is_finished() {
            mauve::yield_now().await;
        }
        (task, remote)
    });
    let other: Loop = Loop::new().unwrap();
    let results = other.block_on(async { (task.await.unwrap(), remote.await.unwrap()) });
    assert_eq!(results, (1, 2));
    // A task of another thread's loop.
    let (sender, receiver) = std::sync::mpsc::channel();
    let done = Arc::new(AtomicBool::new(false));
    let stop = done.clone();
    let thread = std::thread::spawn(move || {
        let lp: Loop = Loop::new().unwrap();
        lp.block_on(async {
            sender.send(mauve::Loop::current().handle()).unwrap();
            while !stop.load(Ordering::SeqCst) {
                mauve::sleep(Duration::from_millis(1)).await;
            }
        });
    });
    let task = receiver.recv().unwrap().spawn(async { 3 });
    assert_eq!(other.block_on(task).unwrap(), 3);
    done.store(true, Ordering::SeqCst);
    thread.join().unwrap();
}
