//! The thread pool: blocking work off the loop's thread.
//!
//! A [`Pool`] is a value; loops share one by cloning it. The first submission starts all threads and
//! waits until they run, as libuv does. So they inherit the signal mask, the affinity and the limits of
//! that moment, whatever the program changes later.
//!
//! # Wake-ups
//!
//! Waking a thread costs more than most jobs, and on a busy machine the thread preempts the loop.
//! The protocol wakes few threads, and yet no job stays queued while a thread sleeps:
//!
//! * A submission wakes a sleeping thread, unless one was woken and has not taken a job yet
//!   (`waking`). A woken thread takes one job and, if there are more, wakes the next thread before it
//!   runs it. A burst of submissions costs the submitter one wake-up, and blocking jobs run in
//!   parallel.
//! * A thread stores a finished job and takes the next one under one lock. It then notifies the loop,
//!   unless another thread was woken: that thread notifies the loop before anything else. So the loop
//!   is not woken for the first of many jobs and does not preempt the thread that runs the others. No
//!   finished job stays unreported while a later job blocks.
//! * While the loop reports many finished jobs, whose callbacks often submit others, a thread without
//!   work waits on `idle_briefly` for [`BRIEF_WAIT`] at most instead of sleeping. Submissions of that
//!   loop do not wake it; the loop does so once, when it has reported all ([`Outbox::end_report`]). If
//!   a callback takes long, the timeout ends the wait. Without this, each submission might wake a thread
//!   that runs one job and sleeps again.
//!
//! # Blocking jobs
//!
//! [Blocking](Lane::Blocking) jobs may take any time. For each of them the pool starts one more
//! thread, up to its size again, and no more of them run at a time than threads were started for
//! them. All threads take jobs of all lanes. So the other lanes have their threads whatever blocks.
//!
//! Many short jobs run fastest on few threads, but jobs may also wait for each other. So a thread without
//! work watches queued blocking jobs (`watched`). When none of them has started for [`GROW_AFTER`], it
//! doubles the number of threads, up to a [limit](Pool::limit_blocking_threads). If all threads are busy,
//! a spare one is started to watch. Threads above the size of the pool end when they had no work for
//! [`KEEP_ALIVE`].
//!
//! # Inline operations
//!
//! A loop performs operations that do not block itself, see `inline.rs`. It counts as a busy thread
//! meanwhile, and takes only the operation that a thread would start next. So operations start in the
//! order of their submission, and no more of them at a time than the pool has threads. A program
//! cannot observe whether a thread or the loop has performed an operation.
//!
//! The protocol is model-checked in `model.rs`, where brief waits never time out.

use std::any::Any;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mauve_sys::Errno;
use mauve_sys::fork::{self, PerProcess};

use crate::id::RequestId;
use crate::sync::{Arc, Condvar, JoinHandle, Mutex, MutexGuard, lock, wait};

mod inline;
mod outbox;
mod port;
mod process;
mod queue;
mod thread;

pub(crate) use inline::{InlineFinished, ReadBatch};
pub use outbox::Finished;
use outbox::Outboxes;
pub(crate) use outbox::{Carried, Outbox};
pub(crate) use port::{FinishedWork, PoolPort};
use queue::Queue;
pub use queue::{Lane, Ticket};
use thread::{discard, start_blocking_thread, start_thread};

/// The largest size of a pool.
pub const MAX_SIZE: usize = 1024;

const DEFAULT_SIZE: usize = 4;
const STACK_SIZE: usize = 8 << 20;
/// How long a thread waits for the loop to finish its report. Linux adds up to 50 µs of timer slack.
const BRIEF_WAIT: Duration = Duration::from_micros(50);
/// How long blocking jobs are queued before another thread is started for them.
const GROW_AFTER: Duration = Duration::from_millis(1);
/// How long a thread for blocking jobs above the size of the pool waits for the next one, as in tokio.
const KEEP_ALIVE: Duration = Duration::from_secs(10);
/// The most threads for blocking jobs, unless the program sets another number. As in tokio.
const BLOCKING_LIMIT: usize = 512;
const THREAD_NAME: &str = "libuv-worker";

/// A set of threads that do blocking work.
#[derive(Clone)]
pub struct Pool {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    /// Wakes a sleeping thread.
    asleep: Condvar,
    /// Wakes the thread that waits briefly.
    idle_briefly: Condvar,
    /// Notified when all threads run.
    started: Condvar,
    size: Size,
    /// The most blocking jobs that run at a time. After it was lowered, there may be more threads.
    blocking_limit: AtomicUsize,
    /// The process in which its threads run.
    process: u64,
    /// For a pool that replaces another one in a forked child: the pool of the first process.
    origin: Option<Pool>,
    /// The pool that replaces this one in a forked child.
    in_child: PerProcess<Pool>,
}

impl Shared {
    fn blocking_limit(&self) -> usize {
        self.blocking_limit.load(Ordering::Relaxed)
    }
}

struct State {
    queue: Queue<Job>,
    outboxes: Outboxes,
    threads: Vec<JoinHandle<()>>,
    /// Threads for normal and slow jobs: the most that run at a time. Zero before the first submission.
    size: usize,
    /// Threads that were started, and do not run yet.
    starting: usize,
    /// Threads that wait on `Shared::asleep`.
    asleep: usize,
    /// Whether a thread waits on `Shared::idle_briefly`.
    waits_briefly: bool,
    /// Whether a thread was woken and has not checked the queue yet.
    waking: bool,
    /// Normal and slow jobs that run now, on threads or inline.
    busy: usize,
    /// Threads that were started for blocking jobs. No more of them run at a time.
    blocking_threads: usize,
    /// Whether there is one more thread, which watches blocking jobs while all others are busy.
    has_spare_thread: bool,
    /// Blocking jobs that run now.
    blocking_busy: usize,
    /// Blocking jobs that were started.
    blocking_started: u64,
    /// Whether a thread waits for queued blocking jobs to start.
    watched: bool,
    closing: bool,
}

/// What a job runs.
pub enum Task {
    /// Calls a function with a number. Allocates nothing.
    Call(fn(u64), u64),
    /// Runs a closure.
    Run(Box<dyn FnOnce() + Send>),
    /// Runs a value that returns to the submitter, so that input and result can share their memory.
    /// [`Engine::take_carried`] returns it.
    ///
    /// [`Engine::take_carried`]: crate::Engine::take_carried
    Carry(Box<dyn Work>),
}

/// Work that returns to its submitter.
pub trait Work: Any + Send {
    /// Performs the work. Called once, unless the work was cancelled.
    fn run(&mut self);
}

struct Job {
    task: Task,
    request: RequestId,
    /// The index of the submitter's outbox.
    outbox: u32,
}

impl Pool {
    /// A pool of `size` threads. The first submission starts them.
    pub fn new(size: usize) -> Self {
        Self::with(Size::Fixed(size), None)
    }

    fn with(size: Size, origin: Option<Self>) -> Self {
        let state = State {
            queue: Queue::default(),
            outboxes: Outboxes::default(),
            threads: Vec::new(),
            size: 0,
            starting: 0,
            asleep: 0,
            waits_briefly: false,
            waking: false,
            busy: 0,
            blocking_threads: 0,
            has_spare_thread: false,
            blocking_busy: 0,
            blocking_started: 0,
            watched: false,
            closing: false,
        };
        let shared = Shared {
            state: Mutex::new(state),
            asleep: Condvar::new(),
            idle_briefly: Condvar::new(),
            started: Condvar::new(),
            size,
            blocking_limit: AtomicUsize::new(BLOCKING_LIMIT),
            process: fork::generation(),
            origin,
            in_child: PerProcess::new(),
        };
        Self { shared: Arc::new(shared) }
    }

    /// This pool, or in a forked child the pool that replaces it there. The threads of the parent do
    /// not exist in the child, and the lock may never be released.
    pub fn of_this_process(&self) -> Self {
        if self.shared.process == fork::generation() {
            return self.clone();
        }
        let origin = self.shared.origin.as_ref().unwrap_or(self);
        let make = || {
            let pool = Self::with(self.shared.size, Some(origin.clone()));
            pool.limit_blocking_threads(self.shared.blocking_limit());
            pool
        };
        origin.shared.in_child.get_or_init(make).clone()
    }

    /// Sets how many [blocking](Lane::Blocking) jobs may run at a time, at least one.
    pub fn limit_blocking_threads(&self, limit: usize) {
        let shared = &self.shared;
        let mut state = lock(&shared.state);
        shared.blocking_limit.store(limit.max(1), Ordering::Relaxed);
        let allows_more = state.has_work(shared) || state.has_unwatched(shared);
        let waiter = if allows_more { state.wake_one(shared) } else { None };
        drop(state);
        if let Some(waiter) = waiter {
            waiter.notify_one();
        }
    }

    /// The size for a value of `UV_THREADPOOL_SIZE`, parsed as libuv does.
    pub fn size_from(variable: Option<&str>) -> usize {
        let Some(text) = variable else { return DEFAULT_SIZE };
        let text = text.trim_start();
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) => (-1, digits),
            None => (1, text.strip_prefix('+').unwrap_or(text)),
        };
        let digits = digits.chars().map_while(|c| c.to_digit(10));
        let number =
            digits.fold(0i64, |n, digit| n.saturating_mul(10).saturating_add(digit.into()));
        // As `atoi`, which keeps 32 bits. A negative number is a large unsigned one.
        let size = (sign * number) as i32 as u32;
        (size as usize).clamp(1, MAX_SIZE)
    }

    /// How many threads the pool has for normal and slow jobs. Those for blocking jobs are not counted.
    pub fn size(&self) -> usize {
        match lock(&self.shared.state).size {
            0 => self.shared.size.get(),
            size => size,
        }
    }

    /// Locks the state for a submission. The first one starts the threads. Fails if the system cannot
    /// start any.
    #[inline(always)]
    fn enter(&self) -> Result<MutexGuard<'_, State>, Errno> {
        let state = lock(&self.shared.state);
        if state.size > 0 && state.starting == 0 { Ok(state) } else { self.start(state) }
    }

    /// Starts the threads, unless another thread does so, and waits until they run. The pool works with
    /// fewer threads if the system cannot start all; libuv aborts.
    #[cold]
    fn start<'a>(
        &'a self,
        mut state: MutexGuard<'a, State>,
    ) -> Result<MutexGuard<'a, State>, Errno> {
        if state.size == 0 {
            for _ in 0..self.shared.size.get() {
                match start_thread(&self.shared, &mut state) {
                    Ok(()) => state.starting += 1,
                    Err(error) if state.starting == 0 => return Err(error),
                    Err(_) => break,
                }
            }
            let size = state.starting;
            state.size = size;
            state.queue.limit_slow_jobs(size.div_ceil(2));
        }
        while state.starting > 0 {
            state = wait(&self.shared.started, state);
        }
        Ok(state)
    }

    /// Ends the threads after they have run the queued jobs. The next submission starts others.
    pub fn shut_down(&self) {
        let threads = {
            let mut state = lock(&self.shared.state);
            state.closing = true;
            std::mem::take(&mut state.threads)
        };
        self.shared.asleep.notify_all();
        self.shared.idle_briefly.notify_all();
        for thread in threads {
            // A worker catches the panics of its jobs, so it ends only by returning.
            let _ = thread.join();
        }
        let mut state = lock(&self.shared.state);
        (state.closing, state.size, state.blocking_threads) = (false, 0, 0);
        state.has_spare_thread = false;
    }
}

impl Default for Pool {
    /// A pool of the size in `UV_THREADPOOL_SIZE`, or of four threads.
    fn default() -> Self {
        Self::with(Size::Environment, None)
    }
}

/// How many threads a pool may have.
#[derive(Clone, Copy)]
enum Size {
    Fixed(usize),
    /// Read from the environment when the threads are started.
    Environment,
}

impl Size {
    fn get(self) -> usize {
        match self {
            Self::Fixed(size) => size.clamp(1, MAX_SIZE),
            Self::Environment => {
                Pool::size_from(std::env::var("UV_THREADPOOL_SIZE").ok().as_deref())
            }
        }
    }
}

impl Outbox {
    /// Queues `task`. When it has run, the outbox has a [`Finished`] with `request`.
    ///
    /// Fails only if the pool has no thread and the system cannot start one.
    #[inline(always)] // So that the job is written directly into the queue.
    pub fn submit(&self, lane: Lane, task: Task, request: RequestId) -> Result<Ticket, Errno> {
        let shared = &self.pool().shared;
        let mut state = self.pool().enter()?;
        if state.outboxes.has_unsent_reads() && lane != Lane::Blocking {
            state.send_reads();
        }
        let ticket = state.queue.push(lane, Job { task, request, outbox: self.index() });
        state.outboxes.add_awaited(self.index(), 1);
        if lane == Lane::Blocking {
            start_blocking_thread(shared, &mut state);
        }
        let woken_by_report = state.waits_briefly && state.outboxes.is_reporting(self.index());
        let waiter = if woken_by_report { None } else { state.wake_one(shared) };
        drop(state);
        if let Some(waiter) = waiter {
            waiter.notify_one();
        }
        Ok(ticket)
    }

    /// Called when a burst of finished jobs that was taken is reported, and their callbacks have submitted
    /// further jobs. Wakes a thread for these.
    pub fn end_report(&self) {
        let shared = &self.pool().shared;
        let mut state = lock(&shared.state);
        state.outboxes.end_report(self.index());
        let waiter = if state.has_work(shared) { state.wake_one(shared) } else { None };
        drop(state);
        if let Some(waiter) = waiter {
            waiter.notify_one();
        }
    }

    /// Removes a job that has not started.
    pub fn cancel(&self, ticket: Ticket) -> Option<Task> {
        let mut state = lock(&self.pool().shared.state);
        let job = state.queue.cancel(ticket)?;
        state.outboxes.remove_awaited(self.index(), 1);
        Some(job.task)
    }
}

impl State {
    /// Takes the next job, which the caller runs.
    #[inline]
    fn start_job(&mut self, shared: &Shared) -> Option<(Lane, Job)> {
        if self.busy < self.size
            && let Some(started) = self.queue.pop()
        {
            self.busy += 1;
            return Some(started);
        }
        if self.has_blocking_work(shared)
            && let Some(job) = self.queue.pop_blocking()
        {
            self.blocking_busy += 1;
            self.blocking_started += 1;
            return Some((Lane::Blocking, job));
        }
        None
    }

    fn end_job(&mut self, lane: Lane) {
        match lane {
            Lane::Blocking => self.blocking_busy -= 1,
            Lane::Normal | Lane::Slow => self.busy -= 1,
        }
        if lane == Lane::Slow {
            self.queue.slow_job_ended();
        }
    }

    #[inline]
    fn has_blocking_work(&self, shared: &Shared) -> bool {
        self.queue.has_blocking()
            && self.blocking_busy < self.blocking_threads.min(shared.blocking_limit())
    }

    /// Whether blocking jobs are queued that no thread watches, and another thread may be started.
    #[inline]
    fn has_unwatched(&self, shared: &Shared) -> bool {
        let may_grow = self.blocking_threads < shared.blocking_limit();
        self.queue.has_blocking() && !self.watched && may_grow
    }

    /// Whether blocking jobs are queued, and all threads are busy.
    #[inline]
    fn needs_spare_thread(&self, shared: &Shared) -> bool {
        let all_busy = self.busy >= self.size && self.blocking_busy >= self.blocking_threads;
        self.has_unwatched(shared) && all_busy && !self.has_spare_thread
    }

    /// Whether a thread without work is one more than are kept.
    fn has_surplus_thread(&self) -> bool {
        self.has_spare_thread || self.blocking_threads > self.size.max(self.blocking_busy)
    }

    /// Whether there is a job that can be started now.
    #[inline]
    fn has_work(&self, shared: &Shared) -> bool {
        self.busy < self.size && self.queue.has_work() || self.has_blocking_work(shared)
    }

    /// Marks a thread as woken. Returns the condition variable that the caller notifies after it has
    /// released the lock. `None` if a thread was woken already, or all are busy.
    #[inline]
    fn wake_one<'a>(&mut self, shared: &'a Shared) -> Option<&'a Condvar> {
        if self.waking {
            return None;
        }
        let waiter = match self.waits_briefly {
            true => Some(&shared.idle_briefly),
            false => (self.asleep > 0).then_some(&shared.asleep),
        };
        self.waking = waiter.is_some();
        waiter
    }
}

#[cfg(all(test, loom))]
mod model;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_follows_the_environment_as_in_libuv() {
        let size = Pool::size_from;
        assert_eq!(size(None), 4);
        assert_eq!([size(Some("")), size(Some("0")), size(Some("many"))], [1, 1, 1]);
        assert_eq!([size(Some("7")), size(Some(" 7x"))], [7, 7]);
        assert_eq!([size(Some("4096")), size(Some("-1"))], [1024, 1024]);
        assert_eq!([size(Some("-")), size(Some("-0")), size(Some("+3"))], [1, 1, 3]);
        assert_eq!([size(Some("4294967298")), size(Some("99999999999999999999999"))], [2, 1024]);
    }
}
