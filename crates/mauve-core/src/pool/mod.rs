//! The thread pool: blocking work off the loop's thread.
//!
//! A [`Pool`] is a value; loops share one by cloning it. Each submission starts a thread until the
//! pool has all of them.
//!
//! # Who wakes whom
//!
//! A thread that is woken costs more than most jobs, and on a busy machine it takes the loop's
//! processor away. So there are few wake-ups, and yet no job waits for a thread that sleeps:
//!
//! * A submission wakes a sleeping thread, unless one is on its way already. A thread that arrives
//!   takes one job and, if there is more to do, wakes the next before it begins. A burst of
//!   submissions thus costs its submitter one wake-up, and jobs that block run side by side.
//! * A thread hands in what it has finished and takes what is next under one lock. It rings the
//!   loop's bell for the former, unless another thread is on its way: that one then rings first
//!   thing. So the loop is not woken for the first of many jobs only to take the processor from
//!   the thread that would do the rest, and no end of a job stays untold behind one that blocks.
//! * While the loop tells of many finished jobs, whose callbacks mostly submit others, a thread
//!   that runs out of work does not sleep but *doze*, for [`DOZE`] at most. Submissions of that
//!   loop need not wake it: the loop stirs it when all is told ([`Outbox::all_told`]). If a
//!   callback takes its time, the thread wakes up by itself, about as late as it would have come
//!   from another processor. Without this, each submission might wake a thread that does this one
//!   job and sleeps again.
//!
//! # The loop in place of a thread
//!
//! A loop performs operations that do not block itself, see `inline.rs`. It then occupies the place
//! of a thread, and takes only what would be started next anyway. So operations start in the order
//! of their submission, and never more of them at a time than the pool has threads: a program finds
//! the order that it would find if threads had done everything.
//!
//! All of it is model-checked in `model.rs`, where no doze ever ends by itself.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use mauve_sys::Errno;
use mauve_sys::fork::{self, PerProcess};

use crate::id::RequestId;
use crate::sync::{Arc, Condvar, JoinHandle, Mutex, MutexGuard, lock, spawn, wait, wait_briefly};

mod inline;
mod outbox;
mod port;
mod queue;

pub(crate) use inline::{Batch, Early};
pub use outbox::Finished;
use outbox::{Bell, Outboxes};
pub(crate) use outbox::{Carried, Outbox};
pub(crate) use port::{FinishedWork, PoolPort};
use queue::Queue;
pub use queue::{Lane, Ticket};

/// How many threads a pool may have at most.
pub const MAX_SIZE: usize = 1024;

const DEFAULT_SIZE: usize = 4;
const STACK_SIZE: usize = 8 << 20;
/// How long a thread relies on the loop to be stirred by it. Linux adds up to 50 µs.
const DOZE: Duration = Duration::from_micros(50);
const THREAD_NAME: &str = "libuv-worker";

/// A set of threads that do blocking work.
#[derive(Clone)]
pub struct Pool {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    /// Signalled for a thread that shall look for work.
    work: Condvar,
    /// Signalled for the thread that dozes.
    stir: Condvar,
    size: usize,
    wanted: Size,
    /// The process that its threads are in.
    process: u64,
    /// The first of the pools that a chain of forks has made, unless this is it.
    origin: Option<Pool>,
    /// The pool that takes the place of this one in a forked child.
    in_child: PerProcess<Pool>,
}

struct State {
    queue: Queue<Job>,
    outboxes: Outboxes,
    threads: Vec<JoinHandle<()>>,
    /// Threads that wait for `work`.
    asleep: usize,
    /// Whether a thread waits for `stir`, for a short time.
    dozing: bool,
    /// Whether a thread was signalled and has not looked yet.
    waking: bool,
    /// Jobs that are being done, by threads or by loops in their place.
    busy: usize,
    closing: bool,
}

/// What a pool thread does.
pub enum Task {
    /// Calls a function with a number. Needs no memory of its own.
    Call(fn(u64), u64),
    /// Runs a closure.
    Run(Box<dyn FnOnce() + Send>),
    /// Runs something that goes back to its submitter afterwards: what it is made of and what comes
    /// of it can share their memory. [`Engine::take_carried`] has it.
    ///
    /// [`Engine::take_carried`]: crate::Engine::take_carried
    Carry(Box<dyn Work>),
}

/// Work that goes to the pool and comes back.
pub trait Work: Any + Send {
    /// Does it. Called once at most: not if it was cancelled.
    fn run(&mut self);
}

struct Job {
    action: Action,
    request: RequestId,
    /// Where it goes when it has ended.
    outbox: u32,
}

enum Action {
    Task(Task),
    /// The first of the reads that its loop has queued.
    Read,
}

impl Pool {
    /// A pool of up to `size` threads; none is started yet.
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
            dozing: false,
            waking: false,
            busy: 0,
            closing: false,
        };
        let shared = Shared {
            state: Mutex::new(state),
            work: Condvar::new(),
            stir: Condvar::new(),
            size,
            wanted,
            process: fork::generation(),
            origin,
            in_child: PerProcess::new(),
        };
        Self { shared: Arc::new(shared) }
    }

    /// This pool, or in a forked child the one that takes its place there. The threads of the
    /// parent do not exist in the child, and its lock may be held for ever.
    pub fn of_this_process(&self) -> Self {
        if self.shared.process == fork::generation() {
            return self.clone();
        }
        let origin = self.shared.origin.as_ref().unwrap_or(self);
        let make = || Self::with(self.shared.wanted, Some(origin.clone()));
        origin.shared.in_child.get_or_make(make).clone()
    }

    /// The size that the variable `UV_THREADPOOL_SIZE` asks for.
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

    /// How many threads there are at most.
    pub fn size(&self) -> usize {
        self.shared.size
    }

    /// Lets the threads finish what is queued and ends them.
    pub fn shut_down(&self) {
        let threads = {
            let mut state = lock(&self.shared.state);
            state.closing = true;
            std::mem::take(&mut state.threads)
        };
        self.shared.work.notify_all();
        self.shared.stir.notify_all();
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
    /// What the environment says when the pool is made. A forked child may have changed it.
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

/// Starts one more thread. Fails only if there is no other.
#[cold]
fn start_thread(shared: &Arc<Shared>, state: &mut State) -> Result<(), Errno> {
    let worker = shared.clone();
    match spawn(THREAD_NAME, STACK_SIZE, move || work(&worker)) {
        Ok(thread) => state.threads.push(thread),
        Err(error) if state.threads.is_empty() => return Err(error.into()),
        Err(_) => {}
    }
    Ok(())
}

impl Outbox {
    /// Queues `task` at the pool. When it has run, it is found in here under `request`.
    ///
    /// Fails only if the work needs a first thread and the system has none.
    #[inline(always)] // A job is written into the queue right away, and not moved from hand to hand.
    pub fn submit(&self, lane: Lane, task: Task, request: RequestId) -> Result<Ticket, Errno> {
        let shared = &self.pool().shared;
        let mut state = lock(&shared.state);
        let action = Action::Task(task);
        let ticket = state.queue.push(lane, Job { action, request, outbox: self.index() });
        state.outboxes.expect(self.index());
        if state.threads.len() < shared.size
            && let Err(error) = start_thread(shared, &mut state)
        {
            state.queue.cancel(ticket);
            state.outboxes.dismiss(self.index());
            return Err(error);
        }
        let relies_on_dozer = state.dozing && state.outboxes.is_telling(self.index());
        let whom = if relies_on_dozer { None } else { state.send_for_one(shared) };
        drop(state);
        if let Some(sleeper) = whom {
            sleeper.notify_one();
        }
        Ok(ticket)
    }

    /// Says that all of the finished jobs that were taken have been told, and so all submissions
    /// made that they gave rise to.
    pub fn all_told(&self) {
        let shared = &self.pool().shared;
        let mut state = lock(&shared.state);
        state.outboxes.all_told(self.index());
        let whom = if state.has_work(shared) { state.send_for_one(shared) } else { None };
        drop(state);
        if let Some(sleeper) = whom {
            sleeper.notify_one();
        }
    }

    /// Takes a job back that no thread has begun yet.
    pub fn cancel(&self, ticket: Ticket) -> Option<Task> {
        let mut state = lock(&self.pool().shared.state);
        let job = state.queue.cancel(ticket)?;
        state.outboxes.dismiss(self.index());
        match job.action {
            Action::Task(task) => Some(task),
            Action::Read => unreachable!("reads are cancelled as such"),
        }
    }
}

impl State {
    /// The next job, which the caller is to do.
    #[inline]
    fn start_job(&mut self, shared: &Shared) -> Option<(Lane, Job)> {
        if self.busy == shared.size {
            return None;
        }
        let started = self.queue.pop();
        self.busy += usize::from(started.is_some());
        started
    }

    /// Whether there is a job that can be started now.
    #[inline]
    fn has_work(&self, shared: &Shared) -> bool {
        self.busy < shared.size && self.queue.has_work()
    }

    /// Whom the caller has to signal, so that there is a thread on its way to the queue.
    #[inline]
    fn send_for_one<'a>(&mut self, shared: &'a Shared) -> Option<&'a Condvar> {
        if self.waking {
            return None;
        }
        let whom = match self.dozing {
            true => Some(&shared.stir),
            false => (self.asleep > 0).then_some(&shared.work),
        };
        self.waking = whom.is_some();
        whom
    }
}

/// The life of a pool thread.
fn work(shared: &Shared) {
    let mut bells = Vec::new();
    // Whose job this thread did last, and whether it has dozed since.
    let (mut last, mut dozed) = (0, true);
    let mut state = lock(&shared.state);
    loop {
        let Some((lane, job)) = state.start_job(shared) else {
            state.outboxes.take_unrung(&mut bells);
            if !bells.is_empty() {
                drop(state);
                ring(&mut bells);
                state = lock(&shared.state);
                continue;
            }
            if state.closing && !state.queue.has_work() {
                return;
            }
            let dozes = !dozed && !state.dozing && state.outboxes.is_telling(last);
            dozed |= dozes;
            state = if dozes { doze(shared, state) } else { sleep(shared, state) };
            // Whoever left the bells to the thread on its way may have meant this one.
            state.waking = false;
            state.outboxes.take_unrung(&mut bells);
            continue;
        };
        let Job { action, request, outbox } = job;
        let task = match action {
            Action::Task(task) => task,
            Action::Read => Task::Carry(Box::new(state.outboxes.take_read(outbox))),
        };
        let whom = if state.has_work(shared) { state.send_for_one(shared) } else { None };
        if !state.waking {
            state.outboxes.take_unrung(&mut bells);
        }
        drop(state);
        if let Some(sleeper) = whom {
            sleeper.notify_one();
        }
        ring(&mut bells);
        let carried = run(task);
        (last, dozed) = (outbox, false);
        state = lock(&shared.state);
        state.busy -= 1;
        if lane == Lane::Slow {
            state.queue.slow_job_ended();
        }
        state.outboxes.hand_in(outbox, Finished { request, result: Ok(()) }, carried);
    }
}

fn sleep<'a>(shared: &Shared, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
    state.asleep += 1;
    let mut state = wait(&shared.work, state);
    state.asleep -= 1;
    state
}

fn doze<'a>(shared: &Shared, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
    state.dozing = true;
    let mut state = wait_briefly(&shared.stir, state, DOZE);
    state.dozing = false;
    state
}

fn ring(bells: &mut Vec<Arc<Bell>>) {
    for bell in bells.drain(..) {
        // A forked child must not inherit a handle that is notified and not in the queue.
        fork::unforked(|| bell.ring());
    }
}

/// Does a job; returns what goes back to its submitter. A panic ends the job, not the thread: the
/// submitter sees that no result was left.
#[inline]
fn run(task: Task) -> Option<Box<dyn Work>> {
    match task {
        Task::Call(function, argument) => function(argument),
        Task::Run(closure) => {
            let _ = catch_unwind(AssertUnwindSafe(closure));
        }
        Task::Carry(mut work) => {
            let _ = catch_unwind(AssertUnwindSafe(|| work.run()));
            return Some(work);
        }
    }
    None
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
