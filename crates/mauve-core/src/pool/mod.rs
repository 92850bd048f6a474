//! The thread pool: blocking work off the loop's thread.
//!
//! A [`Pool`] is a value; loops share one by cloning it. Each submission starts a thread until the
//! pool has its full size.
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
//! * While the loop reports many finished jobs, whose callbacks usually submit others, a thread without
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
//! # Inline operations
//!
//! A loop performs operations that do not block itself, see `inline.rs`. It counts as a busy thread
//! meanwhile, and takes only the operation that a thread would start next. So operations start in the
//! order of their submission, and no more of them at a time than the pool has threads. A program
//! cannot observe whether a thread or the loop has performed an operation.
//!
//! The protocol is model-checked in `model.rs`, where brief waits never time out.

use std::any::Any;
use std::time::Duration;

use mauve_sys::Errno;
use mauve_sys::fork::{self, PerProcess};

use crate::id::RequestId;
use crate::sync::{Arc, Condvar, JoinHandle, Mutex, MutexGuard, lock, spawn, wait, wait_briefly};
use crate::trace::{self, Event};
use crate::unwind::contain;

mod inline;
mod outbox;
mod port;
mod queue;

pub(crate) use inline::{InlineFinished, ReadBatch};
pub use outbox::Finished;
pub(crate) use outbox::{Carried, Outbox};
use outbox::{LoopNotifier, Outboxes};
pub(crate) use port::{FinishedWork, PoolPort};
use queue::Queue;
pub use queue::{Lane, Ticket};

/// The largest size of a pool.
pub const MAX_SIZE: usize = 1024;

const DEFAULT_SIZE: usize = 4;
const STACK_SIZE: usize = 8 << 20;
/// How long a thread waits for the loop to finish its report. Linux adds up to 50 µs of timer slack.
const BRIEF_WAIT: Duration = Duration::from_micros(50);
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
    size: usize,
    wanted: Size,
    /// The process in which its threads run.
    process: u64,
    /// For a pool that replaces another one in a forked child: the pool of the first process.
    origin: Option<Pool>,
    /// The pool that replaces this one in a forked child.
    in_child: PerProcess<Pool>,
}

struct State {
    queue: Queue<Job>,
    outboxes: Outboxes,
    threads: Vec<JoinHandle<()>>,
    /// Threads that wait on `Shared::asleep`.
    asleep: usize,
    /// Whether a thread waits on `Shared::idle_briefly`.
    waits_briefly: bool,
    /// Whether a thread was woken and has not checked the queue yet.
    waking: bool,
    /// Normal and slow jobs that run now, on threads or inline.
    busy: usize,
    /// Threads that were started for blocking jobs: the most that run at a time.
    blocking_threads: usize,
    /// Blocking jobs that run now.
    blocking_busy: usize,
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
    action: Action,
    request: RequestId,
    /// The index of the submitter's outbox.
    outbox: u32,
}

enum Action {
    Task(Task),
    /// Performs the first queued read of its loop.
    Read,
}

impl Pool {
    /// A pool of up to `size` threads. Threads start with submissions.
    pub fn new(size: usize) -> Self {
        Self::with(Size::Fixed(size), None)
    }

    fn with(wanted: Size, origin: Option<Self>) -> Self {
        let size = wanted.get().clamp(1, MAX_SIZE);
        let state = State {
            queue: Queue::new(size.div_ceil(2)),
            outboxes: Outboxes::default(),
            threads: Vec::new(),
            asleep: 0,
            waits_briefly: false,
            waking: false,
            busy: 0,
            blocking_threads: 0,
            blocking_busy: 0,
            closing: false,
        };
        let shared = Shared {
            state: Mutex::new(state),
            asleep: Condvar::new(),
            idle_briefly: Condvar::new(),
            size,
            wanted,
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
        let make = || Self::with(self.shared.wanted, Some(origin.clone()));
        origin.shared.in_child.get_or_init(make).clone()
    }

    /// The size for a value of `UV_THREADPOOL_SIZE`, parsed as libuv does.
    pub fn size_from(variable: Option<&str>) -> usize {
        let Some(text) = variable else { return DEFAULT_SIZE };
        let text = text.trim_start();
        if text.starts_with('-') {
            return MAX_SIZE;
        }
        let digits = text.chars().map_while(|c| c.to_digit(10));
        let size = digits.fold(0usize, |n, d| n.saturating_mul(10).saturating_add(d as usize));
        size.clamp(1, MAX_SIZE)
    }

    /// The most threads that the pool starts for normal and slow jobs, and for blocking jobs again.
    pub fn size(&self) -> usize {
        self.shared.size
    }

    /// Ends the threads after they have run the queued jobs.
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
        lock(&self.shared.state).closing = false;
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
    /// Read from the environment when the pool is made. A forked child may have changed it.
    Environment,
}

impl Size {
    fn get(self) -> usize {
        match self {
            Self::Fixed(size) => size,
            Self::Environment => {
                Pool::size_from(std::env::var("UV_THREADPOOL_SIZE").ok().as_deref())
            }
        }
    }
}

/// Starts one more thread. Fails only if the pool has none.
#[cold]
fn start_thread(shared: &Arc<Shared>, state: &mut State) -> Result<(), Errno> {
    let worker = shared.clone();
    match spawn(THREAD_NAME, STACK_SIZE, move || run_jobs(&worker)) {
        Ok(thread) => state.threads.push(thread),
        Err(error) if state.threads.is_empty() => return Err(error.into()),
        Err(_) => {}
    }
    Ok(())
}

/// Starts one more thread, unless those for blocking jobs are enough. Fails only if the pool has
/// none.
#[cold]
fn start_blocking_thread(shared: &Arc<Shared>, state: &mut State) -> Result<(), Errno> {
    let jobs = state.queue.blocking_len() + state.blocking_busy;
    if state.blocking_threads < jobs.min(shared.size) {
        start_thread(shared, state)?;
        // Counted even if the system has no more threads: the job takes one of the others then.
        state.blocking_threads += 1;
    }
    Ok(())
}

impl Outbox {
    /// Queues `task`. When it has run, the outbox has a [`Finished`] with `request`.
    ///
    /// Fails only if the pool has no thread and the system cannot start one.
    #[inline(always)] // So that the job is written directly into the queue.
    pub fn submit(&self, lane: Lane, task: Task, request: RequestId) -> Result<Ticket, Errno> {
        let shared = &self.pool().shared;
        let mut state = lock(&shared.state);
        let action = Action::Task(task);
        let ticket = state.queue.push(lane, Job { action, request, outbox: self.index() });
        state.outboxes.add_awaited(self.index());
        let started = match lane {
            Lane::Blocking => start_blocking_thread(shared, &mut state),
            _ if state.normal_threads() < shared.size => start_thread(shared, &mut state),
            _ => Ok(()),
        };
        if let Err(error) = started {
            state.queue.cancel(ticket);
            state.outboxes.remove_awaited(self.index(), 1);
            return Err(error);
        }
        let woken_by_report = state.waits_briefly && state.outboxes.is_reporting(self.index());
        let waiter = if woken_by_report { None } else { state.wake_one(shared) };
        drop(state);
        if let Some(waiter) = waiter {
            waiter.notify_one();
        }
        Ok(ticket)
    }

    /// Called when all finished jobs that were taken are reported, and their callbacks have submitted
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
        match job.action {
            Action::Task(task) => Some(task),
            Action::Read => unreachable!("`cancel_read` cancels reads"),
        }
    }
}

impl State {
    /// Takes the next job, which the caller runs.
    #[inline]
    fn start_job(&mut self, shared: &Shared) -> Option<(Lane, Job)> {
        if self.busy < shared.size
            && let Some(started) = self.queue.pop()
        {
            self.busy += 1;
            return Some(started);
        }
        if self.has_blocking_work()
            && let Some(job) = self.queue.pop_blocking()
        {
            self.blocking_busy += 1;
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

    /// The number of threads that were started for normal and slow jobs.
    #[inline]
    fn normal_threads(&self) -> usize {
        self.threads.len().saturating_sub(self.blocking_threads)
    }

    #[inline]
    fn has_blocking_work(&self) -> bool {
        self.queue.has_blocking() && self.blocking_busy < self.blocking_threads
    }

    /// Whether there is a job that can be started now.
    #[inline]
    fn has_work(&self, shared: &Shared) -> bool {
        self.busy < shared.size && self.queue.has_work() || self.has_blocking_work()
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

/// The main function of a pool thread.
fn run_jobs(shared: &Shared) {
    let mut notifiers = Vec::new();
    // The outbox of the last job, and whether the thread has waited briefly since.
    let (mut last, mut has_waited) = (0, true);
    let mut state = lock(&shared.state);
    loop {
        let Some((lane, job)) = state.start_job(shared) else {
            state.outboxes.take_unnotified(&mut notifiers);
            if !notifiers.is_empty() {
                drop(state);
                notify(&mut notifiers);
                state = lock(&shared.state);
                continue;
            }
            if state.closing && !state.queue.has_work() && !state.queue.has_blocking() {
                return;
            }
            let briefly = !has_waited && !state.waits_briefly && state.outboxes.is_reporting(last);
            has_waited |= briefly;
            state = if briefly { wait_for_report(shared, state) } else { sleep(shared, state) };
            // A thread that saw `waking` has left the notification of its loop to this thread.
            state.waking = false;
            state.outboxes.take_unnotified(&mut notifiers);
            continue;
        };
        let Job { action, request, outbox } = job;
        let task = match action {
            Action::Task(task) => task,
            Action::Read => Task::Carry(Box::new(state.outboxes.take_read(outbox))),
        };
        let waiter = if state.has_work(shared) { state.wake_one(shared) } else { None };
        if !state.waking {
            state.outboxes.take_unnotified(&mut notifiers);
        }
        let traced = trace::is_on().then(|| state.outboxes.loop_number(outbox));
        drop(state);
        if let Some(waiter) = waiter {
            waiter.notify_one();
        }
        if !notifiers.is_empty() {
            notify(&mut notifiers);
        }
        let carried = match traced {
            None => run(task),
            Some(lp) => run_traced(task, request, lp),
        };
        (last, has_waited) = (outbox, false);
        state = lock(&shared.state);
        state.end_job(lane);
        let finished = Finished { request, result: Ok(()) };
        if let Some(unclaimed) = state.outboxes.complete(outbox, finished, carried) {
            drop(state);
            discard(unclaimed);
            state = lock(&shared.state);
        }
    }
}

fn sleep<'a>(shared: &Shared, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
    state.asleep += 1;
    let mut state = wait(&shared.asleep, state);
    state.asleep -= 1;
    state
}

fn wait_for_report<'a>(shared: &Shared, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
    state.waits_briefly = true;
    let mut state = wait_briefly(&shared.idle_briefly, state, BRIEF_WAIT);
    state.waits_briefly = false;
    state
}

#[cold]
fn notify(notifiers: &mut Vec<Arc<LoopNotifier>>) {
    for notifier in notifiers.drain(..) {
        // A forked child must not inherit a handle that is notified and not in the queue.
        fork::with_forks_blocked(|| notifier.notify());
    }
}

/// Runs a task. Returns what goes back to the submitter. A panic ends the task and not the thread;
/// the submitter then finds no result.
#[inline]
fn run(task: Task) -> Option<Box<dyn Work>> {
    match task {
        Task::Call(function, argument) => function(argument),
        Task::Run(closure) => contain(closure),
        Task::Carry(mut work) => {
            contain(|| work.run());
            return Some(work);
        }
    }
    None
}

/// Drops work whose loop was dropped. Its destructor is code of the program: it runs with no lock
/// held, and its panic ends nothing else.
#[cold]
fn discard(work: Box<dyn Work>) {
    contain(|| drop(work));
}

#[cold]
fn run_traced(task: Task, request: RequestId, lp: u16) -> Option<Box<dyn Work>> {
    trace::record(lp, Event::JobBegin(request));
    let carried = run(task);
    trace::record(lp, Event::JobEnd(request));
    carried
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
        assert_eq!(size(Some("99999999999999999999999")), 1024);
    }
}
