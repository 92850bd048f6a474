//! Time that jumps to the next timer: `pause`, `advance`, `resume`, and loops that share a clock.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use futures_lite::{AsyncReadExt, AsyncWriteExt};
use mauve::net::{TcpListener, TcpStream};
use mauve::time::{self, Instant, VirtualClock, interval, sleep, timeout};
use mauve::{Loop, RunMode, Timer};

const HOUR: Duration = Duration::from_secs(3600);

fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

#[mauve::test(start_paused = true)]
async fn sleeps_take_their_exact_time_and_none_of_the_system() {
    let (start, real) = (Instant::now(), std::time::Instant::now());
    sleep(HOUR).await;
    assert_eq!(start.elapsed(), HOUR);
    let precise = Duration::from_nanos(12_345_678);
    sleep(precise).await;
    assert_eq!(start.elapsed(), HOUR + precise);
    sleep(Duration::ZERO).await;
    assert_eq!(start.elapsed(), HOUR + precise);
    time::sleep_until(start + 2 * HOUR).await;
    assert_eq!(start.elapsed(), 2 * HOUR);
    assert!(real.elapsed() < HOUR);
}

#[mauve::test(start_paused = true)]
async fn tasks_wake_in_the_order_of_their_deadlines() {
    let (start, log) = (Instant::now(), Rc::new(RefCell::new(Vec::new())));
    let tasks: Vec<_> = [30, 10, 20]
        .map(|seconds| {
            let log = log.clone();
            mauve::spawn(async move {
                sleep(Duration::from_secs(seconds)).await;
                log.borrow_mut().push((seconds, start.elapsed().as_secs()));
            })
        })
        .into();
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(*log.borrow(), [(10, 10), (20, 20), (30, 30)]);
}

#[mauve::test(start_paused = true)]
async fn timeouts_intervals_and_handles_use_the_clock() {
    let start = Instant::now();
    assert!(timeout(HOUR, std::future::pending::<()>()).await.is_err());
    assert_eq!(start.elapsed(), HOUR);
    let mut ticks = interval(HOUR);
    for tick in 1..=24 {
        ticks.tick().await;
        assert_eq!(start.elapsed(), tick * HOUR);
    }
    let lp = Loop::current();
    let before = lp.now();
    let fired = Rc::new(RefCell::new(Vec::new()));
    let times = fired.clone();
    Timer::new(&lp).every(HOUR, move |_, timer| times.borrow_mut().push(timer.repeat())).unwrap();
    sleep(3 * HOUR + ms(1)).await;
    assert_eq!(fired.borrow().len(), 3);
    assert_eq!(lp.now() - before, 3 * HOUR + ms(1));
}

#[mauve::test(start_paused = true)]
async fn data_between_tasks_arrives_before_time_passes() -> io::Result<()> {
    let start = Instant::now();
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let echo = mauve::spawn(async move {
        let (mut stream, _) = listener.accept().await?;
        let mut buffer = [0; 4];
        while stream.read_exact(&mut buffer).await.is_ok() {
            sleep(ms(10)).await;
            stream.write_all(&buffer).await?;
        }
        io::Result::Ok(())
    });
    let mut client = TcpStream::connect(address).await?;
    let mut buffer = [0; 4];
    for _ in 0..100 {
        client.write_all(b"ping").await?;
        client.read_exact(&mut buffer).await?;
    }
    drop(client);
    echo.await??;
    assert_eq!(start.elapsed(), ms(1000));
    Ok(())
}

#[mauve::test(start_paused = true)]
async fn time_stands_still_while_jobs_and_file_operations_run() -> io::Result<()> {
    let start = Instant::now();
    let job = mauve::spawn_blocking(|| thread::sleep(ms(20)));
    assert_eq!(timeout(ms(1), job).await, Ok(Ok(())));
    let directory = mauve::fs::create_temp_dir(std::env::temp_dir().join("mauve-time-")).await?;
    let path = directory.join("file");
    timeout(ms(1), mauve::fs::write(&path, "text")).await.unwrap()?;
    assert_eq!(timeout(ms(1), mauve::fs::read(&path)).await.unwrap()?, b"text");
    mauve::fs::remove_dir_all(directory).await?;
    assert_eq!(start.elapsed(), Duration::ZERO);
    Ok(())
}

#[mauve::test(start_paused = true)]
async fn advance_fires_each_timer_at_its_time() {
    let (start, log) = (Instant::now(), Rc::new(RefCell::new(Vec::new())));
    let times = log.clone();
    let task = mauve::spawn(async move {
        for _ in 0..4 {
            sleep(ms(10)).await;
            times.borrow_mut().push(start.elapsed());
        }
    });
    // A task that is always busy does not keep time from being advanced.
    let busy = mauve::spawn(async {
        loop {
            sleep(Duration::ZERO).await;
        }
    });
    time::advance(ms(35)).await;
    assert_eq!(start.elapsed(), ms(35));
    assert_eq!(*log.borrow(), [ms(10), ms(20), ms(30)]);
    assert!(!task.is_finished());
    time::advance(ms(5)).await;
    assert!(task.is_finished());
    assert_eq!(start.elapsed(), ms(40));
    busy.abort();
    time::advance(Duration::ZERO).await;
    assert_eq!(start.elapsed(), ms(40));
}

#[mauve::test]
async fn time_can_be_paused_and_resumed() {
    let start = Instant::now();
    let asleep = sleep(HOUR);
    time::pause();
    asleep.await;
    let paused = start.elapsed();
    assert!(paused >= HOUR);
    thread::sleep(ms(2));
    assert_eq!(start.elapsed(), paused);
    time::resume();
    sleep(ms(2)).await;
    assert!(start.elapsed() >= paused + ms(2));
    time::pause();
    let paused = Instant::now();
    sleep(HOUR).await;
    assert_eq!(paused.elapsed(), HOUR);
}

#[mauve::test(start_paused = true)]
#[should_panic(expected = "already paused")]
async fn paused_time_cannot_be_paused() {
    time::pause();
}

#[mauve::test]
#[should_panic(expected = "not paused")]
async fn running_time_cannot_be_resumed() {
    time::resume();
}

#[mauve::test]
#[should_panic(expected = "not paused")]
async fn running_time_cannot_be_advanced() {
    time::advance(HOUR).await;
}

#[test]
#[should_panic(expected = "no loop runs")]
fn time_is_paused_on_a_loop() {
    time::pause();
}

#[test]
fn a_server_and_a_client_on_loops_of_their_own_share_a_clock() {
    let clock = VirtualClock::paused();
    let start = clock.now();
    let (sender, address) = mpsc::channel();
    let other = clock.clone();
    let server = thread::spawn(move || {
        let lp: Loop = Loop::builder().clock(other).build().unwrap();
        lp.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await?;
            sender.send(listener.local_addr()?).unwrap();
            let (mut stream, _) = listener.accept().await?;
            let mut byte = [0];
            while stream.read_exact(&mut byte).await.is_ok() {
                sleep(Duration::from_secs(60)).await;
                stream.write_all(&byte).await?;
            }
            io::Result::Ok(())
        })
    });
    let lp: Loop = Loop::builder().clock(clock.clone()).build().unwrap();
    let address = address.recv().unwrap();
    let passed = lp.block_on(async {
        let mut stream = TcpStream::connect(address).await?;
        for _ in 0..60 {
            stream.write_all(b"x").await?;
            let read = timeout(Duration::from_secs(61), stream.read_exact(&mut [0])).await;
            read.expect("the server answers in time")?;
        }
        io::Result::Ok(start.elapsed())
    });
    assert_eq!(passed.unwrap(), HOUR);
    server.join().unwrap().unwrap();
    assert_eq!(clock.now() - start, HOUR);
    assert!(clock.is_paused());
}

#[mauve::test(start_paused = true)]
async fn loops_that_a_task_creates_have_its_clock() {
    let start = Instant::now();
    let inner: Loop = Loop::new().unwrap();
    inner.block_on(async { sleep(HOUR).await });
    assert_eq!(start.elapsed(), HOUR);
    let fired = Rc::new(RefCell::new(false));
    let flag = fired.clone();
    Timer::new(&inner).once(HOUR, move |_, _| *flag.borrow_mut() = true).unwrap();
    inner.run(RunMode::Default).unwrap();
    assert!(*fired.borrow());
    assert_eq!(start.elapsed(), 2 * HOUR);
    assert!(VirtualClock::current().is_some());
}

#[test]
fn workers_have_the_clock_of_the_loop_that_starts_them() {
    let real = std::time::Instant::now();
    let lp: Loop = Loop::builder().clock(VirtualClock::paused()).build().unwrap();
    let workers = lp.block_on(async {
        mauve::workers(2, async |_| {
            let start = Instant::now();
            sleep(HOUR).await;
            assert_eq!(start.elapsed().as_secs() % 3600, 0);
            Ok(())
        })
    });
    workers.unwrap().join().unwrap();
    assert!(real.elapsed() < HOUR);
}

#[test]
fn instants_convert_and_add_up() {
    let std = std::time::Instant::now();
    let instant = Instant::from_std(std);
    assert_eq!(std::time::Instant::from(instant), std);
    assert_eq!(Instant::from(std), instant);
    assert_eq!(instant.into_std(), std);
    let mut later = instant + ms(5);
    later += ms(5);
    assert_eq!(later - instant, ms(10));
    assert_eq!(instant - later, Duration::ZERO);
    assert_eq!(later.duration_since(instant), ms(10));
    assert_eq!(instant.checked_duration_since(later), None);
    assert_eq!(instant.saturating_duration_since(later), Duration::ZERO);
    later -= ms(10);
    assert_eq!(later, instant);
    assert_eq!(later - ms(1) + ms(1), instant);
    assert_eq!(instant.checked_add(Duration::MAX), None);
    assert_eq!(instant.checked_sub(ms(1)).map(|earlier| instant - earlier), Some(ms(1)));
    assert!(VirtualClock::current().is_none());
    assert!(Instant::now() >= instant);
}

#[mauve::test(start_paused = true)]
async fn a_sleep_that_is_awaited_later_keeps_its_deadline() {
    let start = Instant::now();
    let (later, reached) = (sleep(ms(10_000)), sleep(ms(5_000)));
    sleep(ms(7_000)).await;
    assert!(reached.is_elapsed() && !later.is_elapsed());
    reached.await;
    assert_eq!(start.elapsed(), ms(7_000));
    later.await;
    assert_eq!(start.elapsed(), ms(10_000));
}
