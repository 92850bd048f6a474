//! Operations that are dropped or cancelled on their way, and those that get their memory.

use std::cell::RefCell;
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use futures_lite::future::poll_once;
use mauve::fs::{self, File};
use mauve::{Blocking, Errno, Loop, Result, RunMode, WorkError};

/// A value that is missed as long as it exists.
struct Counted {
    value: usize,
    living: Arc<AtomicUsize>,
}

impl Counted {
    fn new(value: usize, living: &Arc<AtomicUsize>) -> Self {
        living.fetch_add(1, Ordering::Relaxed);
        Self { value, living: living.clone() }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.living.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The value that work panics over.
const UNLUCKY: usize = usize::MAX;

/// Work that begins when it may. It is of the same kind whatever its value is.
fn waiting(lp: &Loop, value: Counted) -> (Sender<()>, Blocking<Counted>) {
    let (go, wait) = channel();
    (go, lp.spawn_blocking(job(wait, value)))
}

fn job(wait: Receiver<()>, value: Counted) -> impl FnOnce() -> Counted + Send {
    move || {
        wait.recv().unwrap();
        assert!(value.value != UNLUCKY, "bad luck");
        value
    }
}

/// Keeps all threads of the pool busy until all of these are dropped.
fn occupy_pool(lp: &Loop) -> Vec<Sender<()>> {
    let (begun, has_begun) = channel();
    let occupied = (0..mauve::pool_size()).map(|_| {
        let (release, wait) = channel();
        let begun = begun.clone();
        drop(lp.spawn_blocking(move || {
            begun.send(()).unwrap();
            wait.recv().unwrap_err();
        }));
        release
    });
    let occupied = occupied.collect();
    (0..mauve::pool_size()).for_each(|_| has_begun.recv().unwrap());
    occupied
}

#[test]
fn the_late_result_of_dropped_work_reaches_nobody() {
    let lp: Loop = Loop::new().unwrap();
    let living = Arc::new(AtomicUsize::new(0));
    for round in 0..50 {
        lp.block_on(async {
            let (old_may, old) = waiting(&lp, Counted::new(1000 + round, &living));
            assert!(poll_once(pin!(old)).await.is_none());
            let (may, mut new) = waiting(&lp, Counted::new(round, &living));
            assert!(poll_once(&mut new).await.is_none());
            old_may.send(()).unwrap();
            // Perhaps the old result has come by now, perhaps it comes later than the new one.
            if round % 2 == 0 {
                mauve::yield_now().await;
            }
            may.send(()).unwrap();
            assert_eq!(new.await.unwrap().value, round);
            let (may, newest) = waiting(&lp, Counted::new(2000 + round, &living));
            may.send(()).unwrap();
            assert_eq!(newest.await.unwrap().value, 2000 + round);
        });
    }
    lp.run(RunMode::Default).unwrap();
    assert_eq!(living.load(Ordering::Relaxed), 0);
    lp.close().unwrap();
}

#[test]
fn cancelled_and_panicked_work_leaves_nothing_to_the_next_of_its_kind() {
    let lp: Loop = Loop::new().unwrap();
    let living = Arc::new(AtomicUsize::new(0));
    let occupied = occupy_pool(&lp);
    lp.block_on(async {
        let (_, cancelled) = waiting(&lp, Counted::new(1, &living));
        cancelled.cancel().unwrap();
        assert!(matches!(cancelled.await, Err(WorkError::Cancelled)));
        assert_eq!(living.load(Ordering::Relaxed), 0, "what it was made of is gone");
        // Dropped, and cancelled before.
        let (_, dropped) = waiting(&lp, Counted::new(2, &living));
        dropped.cancel().unwrap();
        drop(dropped);
        drop(occupied);
        for value in [3, UNLUCKY, 4, UNLUCKY, 5] {
            let (may, work) = waiting(&lp, Counted::new(value, &living));
            may.send(()).unwrap();
            match work.await {
                Ok(result) => assert_eq!(result.value, value),
                Err(error) => assert_eq!((error, value), (WorkError::Panicked, UNLUCKY)),
            }
        }
    });
    lp.run(RunMode::Default).unwrap();
    assert_eq!(living.load(Ordering::Relaxed), 0);
    lp.close().unwrap();
}

/// Queues a job whose end queues the next.
fn countdown(lp: &Loop<Vec<usize>>, left: usize, kept: Rc<()>) -> Result<mauve::Work<Vec<usize>>> {
    let again = lp.clone();
    lp.queue_work(
        move || left * 10,
        move |results: &mut Vec<usize>, result| {
            results.push(result.unwrap());
            assert!(Rc::strong_count(&kept) > 1, "the caller has one as well");
            if left > 0 {
                countdown(&again, left - 1, kept).unwrap();
            }
        },
    )
}

#[test]
fn a_job_that_follows_another_has_its_own_closures_and_result() {
    let lp = Loop::<Vec<usize>>::new().unwrap();
    let kept = Rc::new(());
    let first = countdown(&lp, 100, kept.clone()).unwrap();
    let mut results = Vec::new();
    lp.run_with(&mut results, RunMode::Default).unwrap();
    assert_eq!(results, (0..=100).rev().map(|n| n * 10).collect::<Vec<_>>());
    assert_eq!(Rc::strong_count(&kept), 1);
    // The name of one that has ended is not that of the one which has its place.
    let second = countdown(&lp, 0, kept.clone()).unwrap();
    assert_eq!(first.cancel(), Err(Errno::EBUSY));
    lp.run_with(&mut results, RunMode::Default).unwrap();
    assert_eq!(results.last(), Some(&0));
    assert_eq!(second.cancel(), Err(Errno::EBUSY));
    assert_eq!(Rc::strong_count(&kept), 1);
}

#[test]
fn a_thousand_jobs_of_two_kinds_each_have_their_own_result() {
    let lp = Loop::<(usize, String)>::new().unwrap();
    for round in 0..3 {
        let mut state = (0, String::new());
        for n in 0..1500 {
            if (n + round) % 2 == 0 {
                lp.queue_work(move || n, |(sum, _), n| *sum += n.unwrap()).unwrap();
            } else {
                let text = n.to_string();
                let short = move || format!("{}", text.len());
                lp.queue_work(short, |(_, text), n| text.push_str(&n.unwrap())).unwrap();
            }
        }
        lp.run_with(&mut state, RunMode::Default).unwrap();
        let (even, odd): (Vec<usize>, _) = (0..1500).partition(|n| (n + round) % 2 == 0);
        assert_eq!(state.0, even.iter().sum::<usize>());
        let lengths = |digit: char| state.1.chars().filter(|found| *found == digit).count();
        let of_length =
            |length: usize| odd.iter().filter(|n| n.to_string().len() == length).count();
        assert_eq!(['1', '2', '3', '4'].map(lengths), [1, 2, 3, 4].map(of_length));
    }
}

/// A file with these bytes that has no name any more.
async fn file(name: &str, bytes: &[u8]) -> Result<File> {
    let prefix = std::env::temp_dir().join(format!("mauve-reuse-{name}-"));
    let (file, path) = fs::create_unique_file(prefix).await?;
    fs::remove_file(path).await?;
    file.write_at(bytes, 0).await?;
    Ok(file)
}

#[test]
fn one_buffer_serves_many_reads() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let bytes: Vec<u8> = (0..200_000u32).map(|n| (n / 7) as u8).collect();
        let file = file("serves", &bytes).await?;
        let mut buffer = Vec::with_capacity(150_000);
        let place = buffer.as_ptr();
        buffer.extend_from_slice(b"something else");
        // From the cache, from the pool, at the end, and behind it.
        for (length, offset) in [(1000, 0), (150_000, 3), (10, 199_995), (10, 200_000), (5, 7)] {
            let expected = &bytes[offset..bytes.len().min(offset + length)];
            let count = file.read_at_into(&mut buffer, length, offset as u64).await?;
            assert_eq!((count, &buffer[..]), (expected.len(), expected));
            assert_eq!(buffer.as_ptr(), place);
        }
        let writable = fs::create_unique_file(std::env::temp_dir().join("mauve-reuse-w-")).await?;
        let only_written = File::create(&writable.1).await?;
        for length in [10, 100_000] {
            let read = only_written.read_at_into(&mut buffer, length, 0).await;
            assert_eq!((read, &buffer[..]), (Err(Errno::EBADF), &[][..]));
            assert_eq!(buffer.as_ptr(), place, "an error takes no memory away");
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
fn a_dropped_read_takes_its_buffer_along_and_disturbs_no_other() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let bytes: Vec<u8> = (0..64_000u32).map(|n| (n / 1000) as u8).collect();
        let file = file("dropped", &bytes).await?;
        for round in 0..64 {
            let mut lost = vec![1; 10];
            let read = file.read_at_into(&mut lost, 1000, round * 1000);
            assert!(poll_once(pin!(read)).await.is_none(), "a read waits for its turn");
            assert_eq!((lost.len(), lost.capacity()), (0, 0));
            // Attempted together; the second is dropped when the first is told, before it is itself.
            let mut first = pin!(file.read_at(1000, round * 1000));
            {
                let mut second = pin!(file.read_at(1000, (63 - round) * 1000));
                assert!(poll_once(&mut first).await.is_none());
                assert!(poll_once(&mut second).await.is_none());
                assert_eq!(first.await?, [round as u8; 1000]);
            }
            let after = (round + 7) % 64;
            assert_eq!(file.read_at(1000, after * 1000).await?, [after as u8; 1000]);
        }
        Ok::<_, Errno>(())
    })
    .unwrap();
    lp.close().unwrap();
}

#[test]
fn dropped_questions_are_answered_to_nobody_else() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let folder = fs::create_unique_dir(std::env::temp_dir().join("mauve-reuse-")).await?;
        for size in 0..20_usize {
            fs::write(folder.join(size.to_string()), vec![0; size]).await?;
        }
        for round in 0..200 {
            let size = |n: usize| (round + n) % 20;
            let ask = |n: usize| fs::stat(folder.join(size(n).to_string()));
            let mut waiting: Vec<_> = (0..8).map(|n| Box::pin(ask(n))).collect();
            for question in &mut waiting {
                assert!(poll_once(question).await.is_none());
            }
            // Every other is dropped, and the same number is begun before their answers come.
            let mut n = 0;
            waiting.retain(|_| {
                n += 1;
                n % 2 == 0
            });
            let later: Vec<_> = (8..12).map(|n| mauve::spawn(ask(n))).collect();
            let missing = mauve::spawn(fs::stat(folder.join("none")));
            for (question, n) in waiting.into_iter().zip([1, 3, 5, 7]) {
                assert_eq!(question.await?.size, size(n) as u64);
            }
            for (question, n) in later.into_iter().zip(8..) {
                assert_eq!(question.await.unwrap()?.size, size(n) as u64);
            }
            assert_eq!(missing.await.unwrap(), Err(Errno::ENOENT));
        }
        // What was begun is done to its end, whether somebody waits for it or not.
        let made = folder.join("made");
        assert!(poll_once(pin!(fs::create_dir(&made))).await.is_none());
        while !fs::exists(&made).await? {}
        fs::remove_dir_all(folder).await
    })
    .unwrap();
    lp.close().unwrap();
}

#[test]
fn a_path_with_a_zero_in_it_leads_nowhere() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let long = "a".repeat(300);
        for path in ["/tmp\0", "\0", &format!("/{long}\0{long}")] {
            assert_eq!(fs::stat(path).await, Err(Errno::EINVAL));
            assert_eq!(fs::metadata(path).await.unwrap_err(), Errno::EINVAL);
            assert_eq!(fs::create_dir(path).await, Err(Errno::EINVAL));
            assert_eq!(fs::exists(path).await, Err(Errno::EINVAL));
        }
        assert_eq!(fs::stat("").await, Err(Errno::ENOENT));
        assert_eq!(fs::stat(format!("/{long}")).await, Err(Errno::ENAMETOOLONG));
        let deep = "/.".repeat(400);
        assert_eq!(fs::stat(&deep).await?.inode, fs::lstat("/").await?.inode);
        Ok::<_, Errno>(())
    })
    .unwrap();
}

#[test]
fn the_future_of_block_on_has_its_turn_between_ends_that_are_told_together() {
    let lp: Loop = Loop::new().unwrap();
    let told = Rc::new(RefCell::new(Vec::new()));
    lp.block_on(async {
        let zeros = File::open("/dev/zero").await?;
        let mut mine = pin!(zeros.read_at(10, 0));
        assert!(poll_once(&mut mine).await.is_none());
        let reader = |name| {
            let (zeros, told) = (zeros.clone(), told.clone());
            mauve::spawn(async move {
                zeros.read_at(10, 0).await.unwrap();
                told.borrow_mut().push(name);
            })
        };
        let tasks = [reader("first task"), reader("second task")];
        mine.await?;
        told.borrow_mut().push("block_on");
        for task in tasks {
            task.await.unwrap();
        }
        Ok::<_, Errno>(())
    })
    .unwrap();
    assert_eq!(*told.borrow(), ["block_on", "first task", "second task"]);
}
