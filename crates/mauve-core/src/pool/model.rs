//! The pool's hand-over of jobs, in all interleavings up to a bound on preemptions.
//!
//! A job that is left in the queue while all threads sleep, or whose end is not told, is a
//! deadlock, which loom reports.

use loom::model::Builder;
use loom::sync::atomic::AtomicBool;
use mauve_sys::waker::Wake;

use super::*;
use crate::id::{HandleId, Kind};
use crate::signals::Signals;
use crate::sync::Ordering;

/// A flag to wait for: the loop's waker, or something that one job tells another.
#[derive(Default)]
struct Flag {
    raised: Mutex<bool>,
    changed: Condvar,
}

impl Wake for Flag {
    fn wake(&self) {
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
    bell: std::sync::Arc<Flag>,
    signals: Arc<Signals>,
    outbox: Arc<Outbox>,
}

impl Loop {
    fn new() -> Self {
        let bell = std::sync::Arc::new(Flag::default());
        let signals = Arc::new(Signals::new(bell.clone()));
        let id = HandleId::new(Kind::Async, 0, 0);
        signals.open(id);
        Self { bell, outbox: Arc::new(Outbox::new(signals.clone(), id)), signals }
    }

    fn submit(&self, pool: &Pool, number: u32, job: impl FnOnce() + Send + 'static) -> Ticket {
        let request = RequestId { index: number, generation: 0 };
        pool.submit(Lane::Normal, Task::Run(Box::new(job)), request, &self.outbox).unwrap()
    }

    /// Waits until so many jobs have been told to have ended; returns their numbers, sorted.
    fn collect(&self, count: usize) -> Vec<u32> {
        let mut ended = Vec::new();
        while ended.len() < count {
            self.bell.wait();
            let mut rung = Vec::new();
            self.signals.take(&mut rung);
            for index in rung {
                self.signals.unmark(index);
            }
            let mut finished = Vec::new();
            self.outbox.take(&mut finished);
            ended.extend(finished.iter().map(|finished| finished.request.index));
        }
        ended.sort_unstable();
        ended
    }
}

/// More preemptions find nothing new in reasonable time; fewer miss races between three threads.
fn check(preemptions: usize, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(model);
}

#[test]
fn every_job_runs_once_and_its_end_is_told() {
    check(3, || {
        let (pool, of) = (Pool::new(1), Loop::new());
        let runs = Arc::new(crate::sync::AtomicU32::new(0));
        for number in 0..2 {
            let runs = runs.clone();
            of.submit(&pool, number, move || {
                runs.fetch_add(1, Ordering::Relaxed);
            });
        }
        assert_eq!(of.collect(2), [0, 1]);
        assert_eq!(runs.load(Ordering::Relaxed), 2);
        pool.shut_down();
    });
}

#[test]
fn a_job_is_either_cancelled_or_run() {
    check(3, || {
        let (pool, of) = (Pool::new(1), Loop::new());
        let ran = Arc::new(AtomicBool::new(false));
        let runs = ran.clone();
        let ticket = of.submit(&pool, 0, move || runs.store(true, Ordering::Relaxed));
        let cancelled = pool.cancel(ticket);
        if cancelled {
            assert!(!pool.cancel(ticket), "cancelled twice");
        } else {
            assert_eq!(of.collect(1), [0]);
        }
        pool.shut_down();
        assert_ne!(ran.load(Ordering::Relaxed), cancelled);
    });
}

#[test]
fn no_job_stays_queued_while_a_thread_sleeps() {
    check(3, || {
        let (pool, of) = (Pool::new(2), Loop::new());
        of.submit(&pool, 0, || ());
        of.submit(&pool, 1, || ());
        // Both threads may be asleep now, one of them, or none. The next job does not end before
        // the one after it has run: each needs a thread of its own.
        let met = std::sync::Arc::new(Flag::default());
        let meets = met.clone();
        of.submit(&pool, 2, move || meets.wait());
        of.submit(&pool, 3, move || met.wake());
        assert_eq!(of.collect(4), [0, 1, 2, 3]);
        pool.shut_down();
    });
}
