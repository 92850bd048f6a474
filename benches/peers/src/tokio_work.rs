//! Workloads of one process, on tokio. They have the names of the equivalent mauve workloads.

use std::io::{Result, Write as _};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use mauve_bench::server::{BUFFER, any_port};
use mauve_bench::work::sleeps::{self, RANGE_MS};
use mauve_bench::{Sample, Stopwatch, cpu, memory};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Notify;
use tokio::time::{Instant, Sleep};

use crate::{tokio_flood, tokio_workers};

/// Runs the workloads of the group `name`.
pub fn run(name: &str) -> std::result::Result<Vec<Sample>, String> {
    let samples = match name {
        "timers" => timers(),
        "async" => wakeups(),
        "work" => queue_work(),
        "files" => files(),
        "udp" => datagrams(),
        "idle" => idle(),
        "sleeps" => many_sleeps(),
        "workers" => tokio_workers::run(),
        "flood" => tokio_flood::run(),
        _ => return Err(format!("no such group: {name}")),
    };
    samples.map_err(|error| format!("{name}: {error}"))
}

fn runtime() -> Result<Runtime> {
    Builder::new_current_thread().enable_all().max_blocking_threads(4).build()
}

/// A timer starts when it is polled for the first time, and stops when it is dropped.
fn timers() -> Result<Vec<Sample>> {
    const COUNT: usize = 1_000_000;
    const RANGE_MS: u64 = 1000;
    let mut seed = 12345_u32;
    let mut due = |begin: Instant| {
        seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12345);
        begin + Duration::from_millis(10 + u64::from(seed >> 8) % RANGE_MS)
    };
    runtime()?.block_on(async {
        let mut context = Context::from_waker(Waker::noop());
        let begin = Instant::now();
        let mut timers: Vec<_> =
            (0..COUNT).map(|_| Box::pin(tokio::time::sleep_until(begin))).collect();
        let mut restart_all = |timers: &mut [std::pin::Pin<Box<Sleep>>]| {
            let begin = Instant::now();
            for timer in timers {
                timer.as_mut().reset(due(begin));
                assert!(timer.as_mut().poll(&mut context) == Poll::Pending);
            }
        };
        let mut samples = Vec::new();
        for action in ["start", "restart"] {
            let watch = Stopwatch::start();
            restart_all(&mut timers);
            samples.push(watch.per(format!("timers 1,000,000, {action}"), COUNT));
        }
        let watch = Stopwatch::start();
        drop(timers);
        samples.push(watch.per("timers 1,000,000, stop", COUNT));
        let mut timers: Vec<_> =
            (0..COUNT).map(|_| Box::pin(tokio::time::sleep_until(begin))).collect();
        restart_all(&mut timers);
        std::thread::sleep(Duration::from_millis(RANGE_MS + 20));
        let watch = Stopwatch::start();
        for timer in timers {
            timer.await;
        }
        samples.push(watch.per("timers 1,000,000, fire", COUNT));
        Ok(samples)
    })
}

fn wakeups() -> Result<Vec<Sample>> {
    const COUNT: usize = 100_000;
    let wakeups = [Arc::new(Notify::new()), Arc::new(Notify::new())];
    let play = |runtime: Runtime, own: Arc<Notify>, other: Arc<Notify>| {
        runtime.block_on(async {
            for _ in 0..COUNT / 2 {
                own.notified().await;
                other.notify_one();
            }
        });
    };
    let (own, other, second) = (wakeups[1].clone(), wakeups[0].clone(), runtime()?);
    let thread = std::thread::spawn(move || play(second, own, other));
    let first = runtime()?;
    let watch = Stopwatch::start();
    wakeups[0].notify_one();
    play(first, wakeups[0].clone(), wakeups[1].clone());
    let sample = watch.per("async ping-pong", COUNT);
    thread.join().expect("no panic");
    Ok(vec![sample])
}

fn queue_work() -> Result<Vec<Sample>> {
    let runtime = runtime()?;
    let measure = |name, depth, count| {
        measure_tasks(&runtime, name, depth, count, |share| async move {
            for _ in 0..share {
                tokio::task::spawn_blocking(|| ()).await?;
            }
            Ok(())
        })
    };
    measure("(warm-up)", 4, 1000)?;
    Ok(vec![
        measure("queue_work, depth 1", 1, 25_000)?,
        measure("queue_work, depth 32", 32, 60_000)?,
        measure("queue_work, depth 1,000", 1000, 300_000)?,
    ])
}

/// tokio has no read at an offset. The common way is to call the standard library on the blocking
/// pool.
fn files() -> Result<Vec<Sample>> {
    use std::os::unix::fs::FileExt as _;

    const PAGE: usize = 4096;
    const PAGES: usize = 64;
    let path = std::env::temp_dir().join(format!("mauve-bench-file-{}", std::process::id()));
    std::fs::File::create(&path)?.write_all(&[0; PAGE * PAGES])?;
    let file = Arc::new(std::fs::File::open(&path)?);
    let runtime = runtime()?;
    let reads = |name, depth, count| {
        measure_tasks(&runtime, name, depth, count, |share| {
            let file = file.clone();
            async move {
                let mut page = vec![0; PAGE];
                for i in 0..share {
                    let file = file.clone();
                    let read = move || {
                        file.read_exact_at(&mut page, ((i % PAGES) * PAGE) as u64).map(|()| page)
                    };
                    page = tokio::task::spawn_blocking(read).await??;
                }
                Ok(())
            }
        })
    };
    let stats = |name, depth, count| {
        measure_tasks(&runtime, name, depth, count, |share| {
            let path = path.clone();
            async move {
                for _ in 0..share {
                    tokio::fs::metadata(&path).await?;
                }
                Ok(())
            }
        })
    };
    reads("(warm-up)", 4, 1000)?;
    let samples = vec![
        reads("cached 4 KiB read, depth 1", 1, 10_000)?,
        reads("cached 4 KiB read, depth 32", 32, 60_000)?,
        stats("stat, depth 1", 1, 10_000)?,
        stats("stat, depth 32", 32, 60_000)?,
    ];
    std::fs::remove_file(&path)?;
    Ok(samples)
}

/// One datagram at a time: tokio has no batch send.
fn datagrams() -> Result<Vec<Sample>> {
    const BURST: usize = 64;
    const BURSTS: usize = 2000;
    let unread = std::net::UdpSocket::bind(any_port())?;
    let packet = [b'm'; 64];
    runtime()?.block_on(async {
        let sender = tokio::net::UdpSocket::bind(any_port()).await?;
        let to = unread.local_addr()?;
        let watch = Stopwatch::start();
        for _ in 0..BURST * BURSTS {
            sender.send_to(&packet, to).await?;
        }
        let sending = watch.per("udp send, 64 at a time", BURST * BURSTS);
        let receiver = tokio::net::UdpSocket::bind(any_port()).await?;
        let to = receiver.local_addr()?;
        let mut buffer = vec![0; BUFFER];
        let mut spent = Duration::ZERO;
        for _ in 0..BURSTS {
            for _ in 0..BURST {
                unread.send_to(&packet, to)?;
            }
            let before = cpu::own();
            for _ in 0..BURST {
                receiver.recv_from(&mut buffer).await?;
            }
            spent += cpu::own() - before;
        }
        let name = "udp receive, 64 at a time";
        let mut receiving = Sample::of(name, spent, Duration::ZERO, BURST * BURSTS);
        receiving.wall = None;
        Ok(vec![sending, receiving])
    })
}

/// Tasks that wait for data.
fn idle() -> Result<Vec<Sample>> {
    let (own, _peers) = memory::pairs()?;
    runtime()?.block_on(async {
        let before = memory::own()?;
        for stream in own {
            let stream = tokio::net::UnixStream::from_std(stream)?;
            tokio::spawn(async move { stream.readable().await });
        }
        tokio::task::yield_now().await;
        Ok(vec![memory::sample(before)?])
    })
}

/// The equivalent of `mauve_bench::work::sleeps`.
fn many_sleeps() -> Result<Vec<Sample>> {
    let runtime = runtime()?;
    let watch = Stopwatch::start();
    runtime.block_on(async {
        let sleep = |number: usize| {
            let time = Duration::from_millis((1 + number % RANGE_MS) as u64);
            tokio::spawn(async move { tokio::time::sleep(time).await })
        };
        let tasks: Vec<_> = (0..sleeps::COUNT).map(sleep).collect();
        for task in tasks {
            task.await?;
        }
        Ok(vec![watch.per("100,000 sleeps of 1 to 1,000 ms", sleeps::COUNT)])
    })
}

/// Runs `count` operations in `depth` tasks.
fn measure_tasks<F: Future<Output = Result<()>> + Send + 'static>(
    runtime: &Runtime,
    name: &str,
    depth: usize,
    count: usize,
    task: impl Fn(usize) -> F,
) -> Result<Sample> {
    let watch = Stopwatch::start();
    runtime
        .block_on(async {
            let tasks: Vec<_> = (0..depth).map(|_| tokio::spawn(task(count / depth))).collect();
            for task in tasks {
                task.await??;
            }
            Ok(())
        })
        .map(|()| watch.per(name, count))
}
