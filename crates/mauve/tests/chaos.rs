//! Random tasks on one loop: TCP, UDP and pool work, which are aborted, dropped, limited in time, and
//! panic. Every byte that arrives is checked.
//!
//! `CHAOS_SECONDS=60 cargo test -p mauve --test chaos` runs longer. `CHAOS_SEED=N` repeats the random
//! choices of an earlier run.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt::Debug;
use std::io;
use std::net::SocketAddr;
use std::panic::{resume_unwind, set_hook, take_hook};
use std::rc::Rc;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use futures_lite::{AsyncReadExt as _, AsyncWriteExt as _, future, io::split};
use mauve::net::{TcpListener, TcpStream, UdpSocket};
use mauve::{JoinError, JoinHandle, Loop, WorkError};

/// Number of tasks that run at a time.
const TASKS: usize = 48;
/// Longest payload of a TCP task.
const TCP_MAX: u64 = 200_000;
/// Longest datagram.
const UDP_MAX: u64 = 1400;
/// No operation takes so long, on any machine, unless it hangs.
const HANG: Duration = Duration::from_secs(60);

/// The payload of panics that the test causes. `resume_unwind` prints no message.
struct Intended;

fn panic_intended() -> ! {
    resume_unwind(Box::new(Intended))
}

/// Number of failed assertions, also in tasks without a handle.
static FAILURES: AtomicUsize = AtomicUsize::new(0);

/// Counts panics with a message: those that are not [intended](Intended).
fn count_failures() {
    let print = take_hook();
    set_hook(Box::new(move |info| {
        FAILURES.fetch_add(1, Ordering::Relaxed);
        print(info);
    }));
}

/// A random number generator: SplitMix64.
#[derive(Clone)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }

    /// A new generator, so that the order of the tasks' steps does not change other choices.
    fn fork(&mut self) -> Self {
        Self(self.next())
    }

    fn bytes(&mut self, length: u64) -> Vec<u8> {
        (0..length).map(|_| self.next() as u8).collect()
    }
}

/// What happened, by name.
#[derive(Clone, Default)]
struct Log(Rc<RefCell<HashMap<&'static str, u64>>>);

impl Log {
    fn count(&self, what: &'static str) {
        *self.0.borrow_mut().entry(what).or_default() += 1;
    }
}

#[derive(Clone)]
struct Chaos {
    log: Log,
    tcp: SocketAddr,
    udp: SocketAddr,
}

#[test]
fn tasks_that_end_in_any_way_lose_no_bytes_of_others() {
    let setting = |name: &str| std::env::var(name).ok();
    let seed = setting("CHAOS_SEED").map_or_else(new_seed, |text| parse(&text));
    let seconds: u64 = setting("CHAOS_SECONDS").map_or(5, |text| parse(&text));
    println!("CHAOS_SEED={seed} CHAOS_SECONDS={seconds}");
    count_failures();
    // The thread pool and the process-wide state of the library keep their descriptors.
    run(seed, Duration::from_millis(50));
    let before = descriptors();
    let log = run(seed, Duration::from_secs(seconds));
    // libkqueue closes the descriptors of a kqueue in a thread of its own.
    let end = Instant::now();
    while descriptors() > before && end.elapsed() < HANG {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(descriptors() <= before, "CHAOS_SEED={seed}");
    assert_eq!(FAILURES.load(Ordering::Relaxed), 0, "CHAOS_SEED={seed}");
    println!("{:?}", log.0.borrow());
    for what in ["tcp", "tcp cut", "udp", "work", "work panicked", "aborted", "panicked", "dropped"]
    {
        let count = log.0.borrow().get(what).copied().unwrap_or(0);
        assert!(count > 0, "no task: {what}; CHAOS_SEED={seed}");
    }
}

fn parse<T: FromStr<Err: Debug>>(text: &str) -> T {
    text.parse().expect("a number")
}

fn new_seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_nanos() as u64
}

fn descriptors() -> usize {
    if cfg!(windows) {
        // There is no such folder, or it is that of wine, which keeps descriptors of its own.
        return 0;
    }
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

fn run(seed: u64, duration: Duration) -> Log {
    let mut random = Random(seed);
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let any: SocketAddr = "127.0.0.1:0".parse().unwrap();
        let listener = TcpListener::bind(any).await.unwrap();
        let socket = UdpSocket::bind(any).await.unwrap();
        let chaos = Chaos {
            log: Log::default(),
            tcp: listener.local_addr().unwrap(),
            udp: socket.local_addr().unwrap(),
        };
        mauve::spawn(tcp_server(listener));
        mauve::spawn(udp_server(socket));
        let end = Instant::now() + duration;
        let running = Rc::new(Cell::new(0));
        while Instant::now() < end {
            while running.get() < TASKS {
                running.set(running.get() + 1);
                let (running, chaos, random) = (running.clone(), chaos.clone(), random.fork());
                mauve::spawn(async move {
                    chaos.supervise(random).await;
                    running.set(running.get() - 1);
                });
            }
            mauve::sleep(Duration::from_millis(1)).await;
        }
        // The loop still works: every supervisor ends, and so does one more of each task.
        let left = mauve::timeout(HANG, async {
            while running.get() > 0 {
                mauve::sleep(Duration::from_millis(1)).await;
            }
        });
        assert!(left.await.is_ok(), "{} tasks hang; CHAOS_SEED={seed}", running.get());
        chaos.tcp_client(Random(1), false).await;
        chaos.udp_client(Random(2)).await;
        chaos.log
    })
}

impl Chaos {
    /// Runs one task, and ends it in a random way.
    async fn supervise(&self, mut random: Random) {
        let may_panic = random.one_in(8);
        let (this, inner) = (self.clone(), random.fork());
        let task = mauve::spawn(async move { this.step(inner, may_panic).await });
        let delay = Duration::from_micros(random.below(20_000));
        match random.below(8) {
            0 => {
                mauve::sleep(delay).await;
                task.abort();
                self.finish(task, may_panic, true).await;
            }
            // The task runs on without its handle, until it completes.
            1 => self.log.count("dropped"),
            2 => {
                if let Ok(result) = mauve::timeout(delay, self.finish(task, may_panic, false)).await
                {
                    result
                } else {
                    self.log.count("timeout");
                }
            }
            // Aborted before the first poll.
            3 if random.one_in(4) => {
                task.abort();
                self.finish(task, may_panic, true).await;
            }
            _ => self.finish(task, may_panic, false).await,
        }
    }

    /// Waits for a task, and checks how it ended.
    async fn finish(&self, task: JoinHandle<()>, may_panic: bool, aborted: bool) {
        match mauve::timeout(HANG, task).await.expect("the task hangs") {
            Ok(()) => self.log.count("completed"),
            Err(error) => self.check(error, may_panic, aborted),
        }
    }

    fn check(&self, error: JoinError, may_panic: bool, aborted: bool) {
        if error.is_cancelled() {
            assert!(aborted, "a task was cancelled that was not aborted");
            return self.log.count("aborted");
        }
        match error.into_panic().downcast::<Intended>() {
            Ok(_) => {
                assert!(may_panic);
                self.log.count("panicked");
            }
            Err(payload) => resume_unwind(payload),
        }
    }

    async fn step(&self, mut random: Random, may_panic: bool) {
        // Panics while the future is dropped, too, if the task is aborted.
        let _guard = may_panic.then(|| PanicOnDrop { armed: random.one_in(2) });
        match random.below(3) {
            0 => {
                let cut = random.one_in(4);
                self.tcp_client(random.fork(), cut).await;
            }
            1 => self.udp_client(random.fork()).await,
            _ => self.work(random.fork()).await,
        }
        if may_panic {
            panic_intended();
        }
    }

    /// Sends random bytes to the echo server, and compares what returns.
    async fn tcp_client(&self, mut random: Random, cut: bool) {
        let length = 1 + random.below(TCP_MAX);
        let bytes = random.bytes(length);
        // The server ends the connection after this many bytes.
        let limit = if cut { 1 + random.below(length) } else { u64::MAX };
        let stream = TcpStream::connect(self.tcp).await.unwrap();
        let (mut reader, mut writer) = split(stream);
        let write = async {
            writer.write_all(&limit.to_le_bytes()).await?;
            let mut left = &bytes[..];
            while !left.is_empty() {
                let (part, rest) = left.split_at(left.len().min(1 + random.below(20_000) as usize));
                writer.write_all(part).await?;
                left = rest;
            }
            writer.close().await
        };
        let read = async {
            let mut echoed = Vec::new();
            let result = reader.read_to_end(&mut echoed).await;
            (result, echoed)
        };
        let (written, (result, echoed)) = future::zip(write, read).await;
        assert!(bytes.starts_with(&echoed), "the server echoed other bytes");
        if cut {
            self.log.count("tcp cut");
        } else {
            written.unwrap();
            assert_eq!(result.unwrap(), bytes.len());
            self.log.count("tcp");
        }
    }

    /// Sends datagrams to the echo server. Some may be lost, but what arrives is what was sent.
    async fn udp_client(&self, mut random: Random) {
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        for _ in 0..1 + random.below(20) {
            let (seed, length) = (random.next(), random.below(UDP_MAX));
            let sent = datagram(seed, length);
            socket.send_to(&sent, self.udp).await.unwrap();
            let mut buffer = [0; 2048];
            let wait = Duration::from_micros(random.below(50_000));
            let Ok(received) = mauve::timeout(wait, socket.recv_from(&mut buffer)).await else {
                self.log.count("udp late");
                continue;
            };
            let (count, from) = received.unwrap();
            assert_eq!(from, self.udp);
            // It may be the reply to an earlier one.
            let seed = u64::from_le_bytes(buffer[..8].try_into().unwrap());
            assert_eq!(buffer[..count], datagram(seed, count as u64 - 8));
            self.log.count("udp");
        }
    }

    /// Computes on the pool.
    async fn work(&self, mut random: Random) {
        let (a, b) = (random.next(), random.below(2000));
        let panics = random.one_in(5);
        let work = mauve::spawn_blocking(move || {
            let sum = sum(a, b);
            if panics {
                panic_intended();
            }
            sum
        });
        if random.one_in(6) {
            // The work runs on without its future.
            return drop(work);
        }
        let cancelled = random.one_in(6) && work.cancel().is_ok();
        match work.await {
            Ok(value) => {
                assert!(!panics && !cancelled);
                assert_eq!(value, sum(a, b));
                self.log.count("work");
            }
            Err(WorkError::Panicked(payload)) => {
                assert!(payload.into_inner().is::<Intended>());
                assert!(panics && !cancelled);
                self.log.count("work panicked");
            }
            Err(WorkError::Cancelled) => assert!(cancelled),
            Err(error) => panic!("{error}"),
        }
    }
}

struct PanicOnDrop {
    armed: bool,
}

impl Drop for PanicOnDrop {
    fn drop(&mut self) {
        if self.armed && !std::thread::panicking() {
            panic_intended();
        }
    }
}

fn sum(seed: u64, count: u64) -> u64 {
    let mut random = Random(seed);
    (0..count).fold(0, |sum, _| sum ^ random.next())
}

/// A datagram: the seed, and bytes that follow from it.
fn datagram(seed: u64, length: u64) -> Vec<u8> {
    let mut bytes = seed.to_le_bytes().to_vec();
    bytes.extend(Random(seed).bytes(length));
    bytes
}

async fn tcp_server(listener: TcpListener) -> io::Result<()> {
    loop {
        let (stream, _) = listener.accept().await?;
        mauve::spawn(async move {
            // The client may be gone at any time.
            echo(stream).await.ok();
        });
    }
}

/// Echoes bytes. The first eight are the number of bytes to echo before the connection is ended:
/// by a return if it is even, or else by a panic.
async fn echo(mut stream: TcpStream) -> io::Result<()> {
    let mut limit = [0; 8];
    stream.read_exact(&mut limit).await?;
    let limit = u64::from_le_bytes(limit);
    let (mut echoed, mut buffer) = (0, [0; 5000]);
    loop {
        let count = stream.read(&mut buffer).await?;
        if count == 0 {
            return stream.close().await;
        }
        echoed += count as u64;
        if echoed >= limit {
            return if limit % 2 == 0 { Ok(()) } else { panic_intended() };
        }
        stream.write_all(&buffer[..count]).await?;
    }
}

async fn udp_server(socket: UdpSocket) {
    let mut buffer = [0; 2048];
    loop {
        // A client that is gone may be reported as an error of the next call.
        if let Ok((count, from)) = socket.recv_from(&mut buffer).await {
            socket.send_to(&buffer[..count], from).await.ok();
        }
    }
}
