//! Models of the pool's protocol, in all interleavings up to a bound on preemptions.
//!
//! A job that stays in the queue while all threads sleep, or that is never reported, is a deadlock,
//! which loom detects.

use loom::model::Builder;
use loom::sync::atomic::AtomicBool;
use mauve_sys::fs::read_batch::FileRead;
use mauve_sys::fs::read_write::Position;
use mauve_sys::waker::Notify;

use super::*;
use crate::id::{HandleKind, Tag};
use crate::sync::Ordering;
use crate::wakeups::WakeupQueue;

/// A flag to wait for: the waker of a loop, or an event between two jobs.
#[derive(Default)]
struct Flag {
    raised: Mutex<bool>,
    changed: Condvar,
}

impl Notify for Flag {
    fn notify(&self) {
        *lock(&self.raised) = true;
        self.changed.notify_all();
    }
}

impl Flag {
    fn wait(&self) {
        let mut raised = lock(&self.raised);
        while !*raised {
            raised = self.changed.wait(raised).unwrap();
        }
        *raised = false;
    }
}

/// The loop's side of a pool.
struct Loop {
    notified: std::sync::Arc<Flag>,
    wakeups: Arc<WakeupQueue>,
    outbox: Outbox,
    /// How many finished jobs are a burst.
    burst: usize,
}

impl Loop {
    /// A loop that takes any finished job for a burst.
    fn new(pool: &Pool) -> Self {
        let notified = std::sync::Arc::new(Flag::default());
        let wakeups = Arc::new(WakeupQueue::new(notified.clone()));
        let id = Tag::new(HandleKind::Async, 0).at(0);
        wakeups.open(id);
        let outbox = Outbox::new(pool.clone(), wakeups.clone(), id);
        Self { notified, outbox, wakeups, burst: 1 }
    }

    fn submit(&self, number: u32, job: impl FnOnce() + Send + 'static) -> Ticket {
        let request = RequestId { index: number, generation: 0 };
        self.outbox.submit(Lane::Normal, Task::Run(Box::new(job)), request).unwrap()
    }

    /// Waits until `count` jobs are reported. Returns their numbers, sorted.
    fn collect(&self, count: usize) -> Vec<u32> {
        self.collect_and(count, |_| ())
    }

    /// As [`collect`](Self::collect). `report` stands for the callbacks; it gets all finished jobs.
    fn collect_and(&self, count: usize, report: impl Fn(&[u32])) -> Vec<u32> {
        let mut ended = Vec::new();
        while ended.len() < count {
            if self.wakeups.park() {
                self.notified.wait();
            }
            let mut taken = Vec::new();
            self.wakeups.take(|index| taken.push(index));
            for index in taken {
                self.wakeups.clear(index);
            }
            let mut finished = Vec::new();
            let is_burst = self.outbox.take(&mut finished, &mut Vec::new(), self.burst);
            ended.extend(finished.iter().map(|finished| finished.request.index));
            if !finished.is_empty() {
                report(&ended);
            }
            if is_burst {
                self.outbox.end_report();
            }
        }
        ended.sort_unstable();
        ended
    }
}

/// Runs `model` on a pool with this many threads and a loop. More preemptions find nothing new in reasonable
/// time; fewer miss races between three threads.
fn check(preemptions: usize, threads: usize, model: impl Fn(&Pool, &Loop) + Sync + Send + 'static) {
    check_with_burst(preemptions, threads, 1, model);
}

/// As [`check`], with the number of finished jobs that are a burst.
fn check_with_burst(
    preemptions: usize,
    threads: usize,
    burst: usize,
    model: impl Fn(&Pool, &Loop) + Sync + Send + 'static,
) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(move || {
        let pool = Pool::new(threads);
        let of = Loop { burst, ..Loop::new(&pool) };
        model(&pool, &of);
        pool.shut_down();
    });
}

#[test]
fn every_job_runs_once_and_is_reported() {
    check(3, 1, |_, of| {
        let runs = Arc::new(crate::sync::AtomicU32::new(0));
        for number in 0..2 {
            let runs = runs.clone();
            of.submit(number, move || {
                runs.fetch_add(1, Ordering::Relaxed);
            });
        }
        assert_eq!(of.collect(2), [0, 1]);
        assert_eq!(runs.load(Ordering::Relaxed), 2);
    });
}

#[test]
fn a_job_is_either_cancelled_or_run() {
    check(3, 1, |pool, of| {
        let ran = Arc::new(AtomicBool::new(false));
        let runs = ran.clone();
        let ticket = of.submit(0, move || runs.store(true, Ordering::Relaxed));
        let cancelled = of.outbox.cancel(ticket).is_some();
        if cancelled {
            assert!(of.outbox.cancel(ticket).is_none(), "cancelled twice");
        } else {
            assert_eq!(of.collect(1), [0]);
        }
        pool.shut_down();
        assert_ne!(ran.load(Ordering::Relaxed), cancelled);
    });
}

#[test]
fn no_job_stays_queued_while_a_thread_sleeps() {
    check(3, 2, |_, of| {
        of.submit(0, || ());
        // Both threads may be asleep now, or one of them. The next job does not end before the one
        // after it has run: each needs a thread of its own.
        let met = std::sync::Arc::new(Flag::default());
        let meets = met.clone();
        of.submit(1, move || meets.wait());
        of.submit(2, move || met.notify());
        assert_eq!(of.collect(3), [0, 1, 2]);
    });
}

#[test]
fn a_finished_job_is_reported_while_the_next_one_runs() {
    check(2, 2, |_, of| {
        // The thread that runs the second job may have left the notification for the first to the
        // other thread.
        let reported = std::sync::Arc::new(Flag::default());
        let waits = reported.clone();
        of.submit(0, || ());
        of.submit(1, move || waits.wait());
        assert_eq!(of.collect(1), [0]);
        reported.notify();
        assert_eq!(of.collect(1), [1]);
    });
}

/// With and without a burst. Without one, the loop does not end its report.
const BURSTS: [usize; 2] = [1, usize::MAX];

#[test]
fn a_job_submitted_during_a_report_starts() {
    for burst in BURSTS {
        check_with_burst(3, 1, burst, |_, of| {
            of.submit(0, || ());
            // The thread may be busy, asleep, or in a brief wait, from which no submission wakes it.
            let ended = of.collect_and(2, |ended| {
                if ended == [0] {
                    of.submit(1, || ());
                }
            });
            assert_eq!(ended, [0, 1]);
        });
    }
}

#[test]
fn jobs_submitted_during_a_report_run_in_parallel() {
    for burst in BURSTS {
        check_with_burst(2, 2, burst, |_, of| {
            of.submit(0, || ());
            let ended = of.collect_and(3, |ended| {
                if ended == [0] {
                    let met = std::sync::Arc::new(Flag::default());
                    let meets = met.clone();
                    of.submit(1, move || meets.wait());
                    of.submit(2, move || met.notify());
                }
            });
            assert_eq!(ended, [0, 1, 2]);
        });
    }
}

#[test]
fn a_job_starts_only_when_an_inline_operation_of_another_loop_has_ended() {
    check(2, 1, |pool, of| {
        let busy = Arc::new(AtomicBool::new(false));
        let (mut finished, mut carried) = (Vec::new(), Vec::new());
        let inline =
            InlineFinished { running: true, finished: &mut finished, carried: &mut carried };
        of.outbox.start_inline(inline).expect("the pool is free");
        busy.store(true, Ordering::Relaxed);
        let (others, is_busy) = (pool.clone(), busy.clone());
        let other = loom::thread::spawn(move || {
            let of = Loop::new(&others);
            of.submit(1, move || assert!(!is_busy.load(Ordering::Relaxed)));
            assert_eq!(of.collect(1), [1]);
        });
        busy.store(false, Ordering::Relaxed);
        of.outbox.end_inline();
        other.join().unwrap();
    });
}

/// A read with this number.
fn read(number: u32) -> FileRead {
    let zeros = std::sync::Arc::new(std::fs::File::open("/dev/zero").unwrap());
    let mut read = FileRead::owned(zeros, Position::At(0), 1, Vec::new());
    read.tag = RequestId { index: number, generation: 0 }.to_bits();
    read
}

impl Loop {
    /// Starts the reads of the batch, or the one that was kept, and ends them. Returns whether they were
    /// done inline, and how many jobs are reported before them.
    fn start_reads(&self, mut batch: ReadBatch) -> (bool, usize) {
        let (mut finished, mut carried) = (Vec::new(), Vec::new());
        let inline =
            InlineFinished { running: true, finished: &mut finished, carried: &mut carried };
        self.outbox.start_reads(&mut batch, inline, |_, _| ()).unwrap();
        let by_loop = batch.reads.len();
        for read in &mut batch.reads {
            read.finish();
        }
        if by_loop > 0 {
            self.outbox.end_reads(&mut batch, |_, _| unreachable!());
        }
        (by_loop > 0, finished.len())
    }
}

#[test]
fn a_read_is_done_once_by_the_loop_or_by_a_thread() {
    for keeps in [true, false] {
        check(2, 1, move |_, of| {
            of.submit(0, || ());
            let mut batch = ReadBatch::default();
            if keeps {
                of.outbox.keep_read(read(1)).unwrap();
            } else {
                batch.reads.push_back(read(1));
            }
            match of.start_reads(batch) {
                (true, before) => assert_eq!(before, 1, "the first job is reported before"),
                (false, _) => assert_eq!(of.collect(2), [0, 1]),
            }
        });
    }
}

#[test]
fn a_kept_read_starts_before_a_job_that_another_loop_submits() {
    check(2, 1, |pool, of| {
        of.outbox.keep_read(read(1)).unwrap();
        let others = pool.clone();
        let other = loom::thread::spawn(move || {
            let of = Loop::new(&others);
            of.submit(2, || ());
            assert_eq!(of.collect(1), [2]);
        });
        let by_loop = of.start_reads(ReadBatch::default()).0;
        other.join().unwrap();
        // The pool has one thread, which has performed the job after the read.
        assert_eq!(of.outbox.has_finished(), !by_loop);
    });
}
