//! The thread pool: blocking work off the loop's thread.
//!
//! A [`Pool`] is a value; loops share one by cloning it. Each submission starts a thread until the
//! pool has all of them.
//!
//! Wake-ups are throttled: a submission wakes at most one sleeping thread, and none while one is
//! on its way already. A thread that wakes up takes one job and, if there is more to do, wakes the
//! next before it starts working. So every job starts as soon as there is a thread for it, but a
//! burst of submissions costs the submitter one wake-up.

use mauve_sys::Errno;

use crate::id::RequestId;
use crate::sync::{Arc, Condvar, JoinHandle, Mutex, MutexGuard, lock, spawn};

mod outbox;
mod queue;

pub use outbox::{Finished, Outbox};
use queue::Queue;
pub use queue::{Lane, Ticket};

/// How many threads a pool may have at most.
pub const MAX_SIZE: usize = 1024;

const DEFAULT_SIZE: usize = 4;
const STACK_SIZE: usize = 8 << 20;
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
    size: usize,
}

struct State {
    queue: Queue<Job>,
    threads: Vec<JoinHandle<()>>,
    /// Threads that wait for `work`.
    asleep: usize,
    /// Whether one of them was signalled and has not looked yet.
    waking: bool,
    closing: bool,
}

/// What a pool thread does.
pub enum Task {
    /// Calls a function with a number. Needs no memory of its own.
    Call(fn(u64), u64),
    /// Runs a closure.
    Run(Box<dyn FnOnce() + Send>),
}

struct Job {
    task: Task,
    request: RequestId,
    outbox: Arc<Outbox>,
}

impl Pool {
    /// A pool of up to `size` threads; none is started yet.
    pub fn new(size: usize) -> Self {
        let size = size.clamp(1, MAX_SIZE);
        let state = State {
            queue: Queue::new(size.div_ceil(2)),
            threads: Vec::new(),
            asleep: 0,
            waking: false,
            closing: false,
        };
        let shared = Shared { state: Mutex::new(state), work: Condvar::new(), size };
        Self { shared: Arc::new(shared) }
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

    /// Queues `task`. When it has run, `outbox` gets the news under `request`.
    ///
    /// Fails only if the work needs a first thread and the system has none.
    pub fn submit(
        &self,
        lane: Lane,
        task: Task,
        request: RequestId,
        outbox: &Arc<Outbox>,
    ) -> Result<Ticket, Errno> {
        let mut state = lock(&self.shared.state);
        let job = Job { task, request, outbox: outbox.clone() };
        let ticket = state.queue.push(lane, job);
        if state.threads.len() < self.shared.size {
            let started = start_thread(&self.shared, &mut state);
            if let Err(error) = started
                && state.threads.is_empty()
            {
                state.queue.cancel(ticket);
                return Err(error);
            }
        }
        if state.asleep > 0 {
            self.shared.wake_one(state);
        }
        Ok(ticket)
    }

    /// Whether a job submitted now would be begun at once.
    pub fn has_free_thread(&self) -> bool {
        let state = lock(&self.shared.state);
        let free = state.asleep > 0 || state.threads.len() < self.shared.size;
        free && !state.queue.has_work()
    }

    /// Takes a job back that no thread has begun yet.
    pub fn cancel(&self, ticket: Ticket) -> bool {
        lock(&self.shared.state).queue.cancel(ticket).is_some()
    }

    /// Lets the threads finish what is queued and ends them.
    pub fn shut_down(&self) {
        let threads = {
            let mut state = lock(&self.shared.state);
            state.closing = true;
            std::mem::take(&mut state.threads)
        };
        self.shared.work.notify_all();
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
        Self::new(Self::size_from(std::env::var("UV_THREADPOOL_SIZE").ok().as_deref()))
    }
}

fn start_thread(shared: &Arc<Shared>, state: &mut State) -> Result<(), Errno> {
    let worker = shared.clone();
    state.threads.push(spawn(THREAD_NAME, STACK_SIZE, move || work(&worker))?);
    Ok(())
}

impl Shared {
    /// Sends for a sleeping thread, unless one is on its way.
    fn wake_one(&self, mut state: MutexGuard<'_, State>) {
        if !state.waking {
            state.waking = true;
            drop(state);
            self.work.notify_one();
        }
    }
}

/// The life of a pool thread.
fn work(shared: &Arc<Shared>) {
    while let Some((lane, job)) = next_job(shared) {
        let Job { task, request, outbox } = job;
        match task {
            Task::Call(function, argument) => function(argument),
            Task::Run(closure) => {
                // A panic ends the job, not the thread. The closure's owner sees that no result
                // was left.
                let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(closure));
            }
        }
        if lane == Lane::Slow {
            lock(&shared.state).queue.slow_job_ended();
        }
        outbox.put(Finished { request, result: Ok(()) });
    }
}

fn next_job(shared: &Arc<Shared>) -> Option<(Lane, Job)> {
    let mut state = lock(&shared.state);
    loop {
        if let Some(job) = state.queue.pop() {
            if state.asleep > 0 && state.queue.has_work() {
                shared.wake_one(state);
            }
            return Some(job);
        }
        if state.closing {
            return None;
        }
        state.asleep += 1;
        state = shared.work.wait(state).unwrap_or_else(std::sync::PoisonError::into_inner);
        state.asleep -= 1;
        state.waking = false;
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
        assert_eq!(size(Some("99999999999999999999999")), 1024);
    }
}
