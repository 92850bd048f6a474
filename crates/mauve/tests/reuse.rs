//! Dropped and cancelled requests, and requests that reuse their slots and allocations.

use std::cell::RefCell;
use std::pin::pin;
use std::process::Command;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use futures_lite::future::poll_once;
use mauve::fs::{self, File};
use mauve::{BlockingTask, Errno, Loop, LoopRef, Result, RunMode, WorkError};

/// A value that counts its live instances, to detect leaks.
struct Counted {
    value: usize,
    live: Arc<AtomicUsize>,
}

impl Counted {
    fn new(value: usize, live: &Arc<AtomicUsize>) -> Self {
        live.fetch_add(1, Ordering::Relaxed);
        Self { value, live: live.clone() }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.live.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The value for which work panics.
const PANICS: usize = usize::MAX;

/// Submits work that waits for a message. All such work has one type, so it shares allocations.
fn submit(lp: &Loop, value: Counted) -> (Sender<()>, BlockingTask<Counted>) {
    let (start, wait) = channel();
    (start, lp.spawn_blocking(work(wait, value)))
}

fn work(wait: Receiver<()>, value: Counted) -> impl FnOnce() -> Counted + Send {
    move || {
        wait.recv().unwrap();
        assert!(value.value != PANICS, "on purpose");
        value
    }
}

/// Keeps all threads of the pool busy until the senders are dropped.
fn occupy_pool(lp: &Loop) -> Vec<Sender<()>> {
    let (started, all_started) = channel();
    let occupied = (0..mauve::thread_pool_size()).map(|_| {
        let (release, wait) = channel();
        let started = started.clone();
        drop(lp.spawn_blocking(move || {
            started.send(()).unwrap();
            wait.recv().unwrap_err();
        }));
        release
    });
    let occupied = occupied.collect();
    (0..mauve::thread_pool_size()).for_each(|_| all_started.recv().unwrap());
    occupied
}

#[test]
fn a_late_result_of_dropped_work_is_discarded() {
    let lp: Loop = Loop::new().unwrap();
    let live = Arc::new(AtomicUsize::new(0));
    for pass in 0..50 {
        lp.block_on(async {
            let (start_old, old) = submit(&lp, Counted::new(1000 + pass, &live));
            assert!(poll_once(pin!(old)).await.is_none());
            let (start, mut new) = submit(&lp, Counted::new(pass, &live));
            assert!(poll_once(&mut new).await.is_none());
            start_old.send(()).unwrap();
            // The old result arrives before or after the new one.
            if pass % 2 == 0 {
                mauve::yield_now().await;
            }
            start.send(()).unwrap();
            assert_eq!(new.await.unwrap().value, pass);
            let (start, newest) = submit(&lp, Counted::new(2000 + pass, &live));
            start.send(()).unwrap();
            assert_eq!(newest.await.unwrap().value, 2000 + pass);
        });
    }
    lp.run(RunMode::Default).unwrap();
    assert_eq!(live.load(Ordering::Relaxed), 0);
    lp.close().unwrap();
}

#[test]
fn cancelled_and_panicked_work_leaves_no_data_in_its_allocation() {
    let lp: Loop = Loop::builder().blocking_threads(mauve::thread_pool_size()).build().unwrap();
    let live = Arc::new(AtomicUsize::new(0));
    let occupied = occupy_pool(&lp);
    lp.block_on(async {
        let (_, cancelled) = submit(&lp, Counted::new(1, &live));
        cancelled.cancel().unwrap();
        assert!(matches!(cancelled.await, Err(WorkError::Cancelled)));
        assert_eq!(live.load(Ordering::Relaxed), 0, "its closure was dropped");
        // Cancelled, then dropped.
        let (_, dropped) = submit(&lp, Counted::new(2, &live));
        dropped.cancel().unwrap();
        drop(dropped);
        drop(occupied);
        for value in [3, PANICS, 4, PANICS, 5] {
            let (start, work) = submit(&lp, Counted::new(value, &live));
            start.send(()).unwrap();
            match work.await {
                Ok(result) => assert_eq!(result.value, value),
                Err(error) => {
                    assert!(matches!(error, WorkError::Panicked(_)) && value == PANICS);
                }
            }
        }
    });
    lp.run(RunMode::Default).unwrap();
    assert_eq!(live.load(Ordering::Relaxed), 0);
    lp.close().unwrap();
}

/// Queues work whose callback queues the next.
fn countdown(
    lp: &LoopRef<Vec<usize>>,
    left: usize,
    kept: Rc<()>,
) -> Result<mauve::WorkRequest<Vec<usize>>> {
    let again = lp.clone();
    lp.queue_work(
        move || left * 10,
        move |results: &mut Vec<usize>, result| {
            results.push(result.unwrap());
            assert!(Rc::strong_count(&kept) > 1, "the caller holds a reference");
            if left > 0 {
                countdown(&again, left - 1, kept).unwrap();
            }
        },
    )
}

#[test]
fn consecutive_work_has_its_own_closure_and_result() {
    let lp = Loop::<Vec<usize>>::new().unwrap();
    let kept = Rc::new(());
    let first = countdown(&lp, 100, kept.clone()).unwrap();
    let mut results = Vec::new();
    lp.run_with(&mut results, RunMode::Default).unwrap();
    assert_eq!(results, (0..=100).rev().map(|n| n * 10).collect::<Vec<_>>());
    assert_eq!(Rc::strong_count(&kept), 1);
    // A finished request does not cancel the request that reuses its slot.
    let second = countdown(&lp, 0, kept.clone()).unwrap();
    assert_eq!(first.cancel(), Err(Errno::EBUSY));
    lp.run_with(&mut results, RunMode::Default).unwrap();
    assert_eq!(results.last(), Some(&0));
    assert_eq!(second.cancel(), Err(Errno::EBUSY));
    assert_eq!(Rc::strong_count(&kept), 1);
}

#[test]
fn a_thousand_requests_of_two_types_have_their_own_results() {
    let lp = Loop::<(usize, String)>::new().unwrap();
    for pass in 0..3 {
        let mut state = (0, String::new());
        for n in 0..1500 {
            if (n + pass) % 2 == 0 {
                lp.queue_work(move || n, |(sum, _), n| *sum += n.unwrap()).unwrap();
            } else {
                let text = n.to_string();
                let short = move || format!("{}", text.len());
                lp.queue_work(short, |(_, text), n| text.push_str(&n.unwrap())).unwrap();
            }
        }
        lp.run_with(&mut state, RunMode::Default).unwrap();
        let (even, odd): (Vec<usize>, _) = (0..1500).partition(|n| (n + pass) % 2 == 0);
        assert_eq!(state.0, even.iter().sum::<usize>());
        let lengths = |digit: char| state.1.chars().filter(|found| *found == digit).count();
        let of_length =
            |length: usize| odd.iter().filter(|n| n.to_string().len() == length).count();
        assert_eq!(['1', '2', '3', '4'].map(lengths), [1, 2, 3, 4].map(of_length));
    }
}

/// An unlinked file with these contents.
async fn file(name: &str, bytes: &[u8]) -> Result<File> {
    let prefix = std::env::temp_dir().join(format!("mauve-reuse-{name}-"));
    let (file, path) = fs::create_temp_file(prefix).await?;
    fs::remove_file(path).await?;
    file.write_at(bytes, 0).await?;
    Ok(file)
}

#[test]
fn a_buffer_is_reused_by_many_reads() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let bytes: Vec<u8> = (0..200_000u32).map(|n| (n / 7) as u8).collect();
        let file = file("reused", &bytes).await?;
        let mut buffer = Vec::with_capacity(150_000);
        let allocation = buffer.as_ptr();
        buffer.extend_from_slice(b"old contents");
        // Inline, on the pool, at the end of the file, and beyond it.
        for (length, offset) in [(1000, 0), (150_000, 3), (10, 199_995), (10, 200_000), (5, 7)] {
            let expected = &bytes[offset..bytes.len().min(offset + length)];
            let count = file.read_at_into(&mut buffer, length, offset as u64).await?;
            assert_eq!((count, &buffer[..]), (expected.len(), expected));
            assert_eq!(buffer.as_ptr(), allocation);
        }
        let writable = fs::create_temp_file(std::env::temp_dir().join("mauve-reuse-w-")).await?;
        let write_only = File::create(&writable.1).await?;
        for length in [10, 100_000] {
            let read = write_only.read_at_into(&mut buffer, length, 0).await;
            let read = read.map_err(Errno::from);
            assert_eq!((read, &buffer[..]), (Err(Errno::EBADF), &[][..]));
            assert_eq!(buffer.as_ptr(), allocation, "an error keeps the allocation");
        }
        fs::remove_file(writable.1).await?;
        let mut whole = Vec::new();
        while file.read_into(&mut buffer, 33_333).await? > 0 {
            whole.extend_from_slice(&buffer);
        }
        assert_eq!((whole, buffer.is_empty()), (bytes, true));
        Ok::<_, Errno>(())
    })
    .unwrap();
    lp.close().unwrap();
}

#[test]
fn a_dropped_read_takes_its_buffer_and_does_not_affect_others() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let bytes: Vec<u8> = (0..64_000u32).map(|n| (n / 1000) as u8).collect();
        let file = file("dropped", &bytes).await?;
        for pass in 0..64 {
            let mut dropped = vec![1; 10];
            let read = file.read_at_into(&mut dropped, 1000, pass * 1000);
            assert!(poll_once(pin!(read)).await.is_none(), "a read completes in the poll phase");
            assert_eq!((dropped.len(), dropped.capacity()), (0, 0));
            // Both are read in one batch. The second is dropped after the first was delivered,
            // before its own completion is.
            let mut first = pin!(file.read_at(1000, pass * 1000));
            {
                let mut second = pin!(file.read_at(1000, (63 - pass) * 1000));
                assert!(poll_once(&mut first).await.is_none());
                assert!(poll_once(&mut second).await.is_none());
                assert_eq!(first.await?, [pass as u8; 1000]);
            }
            let after = (pass + 7) % 64;
            assert_eq!(file.read_at(1000, after * 1000).await?, [after as u8; 1000]);
        }
        Ok::<_, Errno>(())
    })
    .unwrap();
    lp.close().unwrap();
}

#[test]
fn results_of_dropped_stats_are_discarded() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let directory = fs::create_temp_dir(std::env::temp_dir().join("mauve-reuse-")).await?;
        for size in 0..20_usize {
            fs::write(directory.join(size.to_string()), vec![0; size]).await?;
        }
        for pass in 0..200 {
            let size = |n: usize| (pass + n) % 20;
            let stat = |n: usize| fs::stat(directory.join(size(n).to_string()));
            let mut waiting: Vec<_> = (0..8).map(|n| Box::pin(stat(n))).collect();
            for request in &mut waiting {
                assert!(poll_once(request).await.is_none());
            }
            // Drop every other one, and start as many before their completions arrive.
            let mut n = 0;
            waiting.retain(|_| {
                n += 1;
                n % 2 == 0
            });
            let later: Vec<_> = (8..12).map(|n| mauve::spawn(stat(n))).collect();
            let missing = mauve::spawn(fs::stat(directory.join("none")));
            for (request, n) in waiting.into_iter().zip([1, 3, 5, 7]) {
                assert_eq!(request.await?.size, size(n) as u64);
            }
            for (task, n) in later.into_iter().zip(8..) {
                assert_eq!(task.await.unwrap()?.size, size(n) as u64);
            }
            assert_eq!(missing.await.unwrap().map_err(Errno::from), Err(Errno::ENOENT));
        }
        // An operation runs to its end even if its future is dropped.
        let created = directory.join("created");
        assert!(poll_once(pin!(fs::create_dir(&created))).await.is_none());
        while !fs::exists(&created).await? {}
        fs::remove_dir_all(directory).await
    })
    .unwrap();
    lp.close().unwrap();
}

#[test]
fn a_path_with_a_nul_byte_is_invalid() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let long = "a".repeat(300);
        for path in ["/tmp\0", "\0", &format!("/{long}\0{long}")] {
            assert_eq!(fs::stat(path).await.map_err(Errno::from), Err(Errno::EINVAL));
            assert_eq!(fs::metadata(path).await.map_err(Errno::from).unwrap_err(), Errno::EINVAL);
            assert_eq!(fs::create_dir(path).await.map_err(Errno::from), Err(Errno::EINVAL));
            assert_eq!(fs::exists(path).await.map_err(Errno::from), Err(Errno::EINVAL));
        }
        assert_eq!(fs::stat("").await.map_err(Errno::from), Err(Errno::ENOENT));
        assert_eq!(
            fs::stat(format!("/{long}")).await.map_err(Errno::from),
            Err(Errno::ENAMETOOLONG)
        );
        let deep = "/.".repeat(400);
        assert_eq!(fs::stat(&deep).await?.ino, fs::symlink_stat("/").await?.ino);
        Ok::<_, Errno>(())
    })
    .unwrap();
}

/// Runs in a process of its own, whose pool has one thread. Several threads decide the order of their
/// completions, and those of other tests take queued reads.
#[test]
fn the_block_on_future_is_polled_between_completions_of_a_batch() {
    const NAME: &str = "the_block_on_future_is_polled_between_completions_of_a_batch";
    const SIZE: &str = "UV_THREADPOOL_SIZE";
    if std::env::var_os(SIZE).is_none_or(|size| size != "1") {
        let mut command = Command::new(std::env::current_exe().unwrap());
        let output = command.args(["--exact", NAME]).env(SIZE, "1").output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
        return;
    }
    let lp: Loop = Loop::new().unwrap();
    let log = Rc::new(RefCell::new(Vec::new()));
    lp.block_on(async {
        let zeros = File::open("/dev/zero").await?;
        let mut mine = pin!(zeros.read_at(10, 0));
        assert!(poll_once(&mut mine).await.is_none());
        let reader = |name| {
            let (zeros, log) = (zeros.clone(), log.clone());
            mauve::spawn(async move {
                zeros.read_at(10, 0).await.unwrap();
                log.borrow_mut().push(name);
            })
        };
        let tasks = [reader("first task"), reader("second task")];
        mine.await?;
        log.borrow_mut().push("block_on");
        for task in tasks {
            task.await.unwrap();
        }
        Ok::<_, Errno>(())
    })
    .unwrap();
    assert_eq!(*log.borrow(), ["block_on", "first task", "second task"]);
}
