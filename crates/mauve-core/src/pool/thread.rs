//! The threads of a pool: what each of them does until the pool is shut down.
//!
//! Called by the pool, which holds its lock when a thread is started. The protocol is in the pool's
//! own documentation.

use std::time::{Duration, Instant};

use mauve_sys::{Errno, fork};

use super::outbox::LoopNotifier;
use super::{
    BRIEF_WAIT, Finished, GROW_AFTER, Job, KEEP_ALIVE, STACK_SIZE, Shared, State, THREAD_NAME,
    Task, Work,
};
use crate::id::RequestId;
use crate::schedule::faults;
use crate::sync::{Arc, MutexGuard, is_current, lock, spawn, wait, wait_briefly};
use crate::trace::{self, Event};
use crate::unwind::contain;

/// Starts one more thread.
pub(super) fn start_thread(shared: &Arc<Shared>, state: &mut State) -> Result<(), Errno> {
    let worker = shared.clone();
    state.threads.push(spawn(THREAD_NAME, STACK_SIZE, move || run_jobs(&worker))?);
    Ok(())
}

/// Starts one more thread, unless those for blocking jobs are enough.
#[cold]
pub(super) fn start_blocking_thread(shared: &Arc<Shared>, state: &mut State) {
    let jobs = state.queue.blocking_len() + state.blocking_busy;
    // Above the size of the pool, a thread that watches the queue starts others.
    if state.blocking_threads < jobs.min(state.size) {
        add_blocking_thread(shared, state);
    } else if state.needs_spare_thread(shared) {
        start_spare_thread(shared, state);
    }
}

/// Starts a thread that watches the queued blocking jobs.
#[cold]
fn start_spare_thread(shared: &Arc<Shared>, state: &mut State) {
    state.has_spare_thread = start_thread(shared, state).is_ok();
}

/// Starts one more thread for blocking jobs, within the limit.
fn add_blocking_thread(shared: &Arc<Shared>, state: &mut State) {
    if state.blocking_threads < shared.blocking_limit() {
        let started =
            std::mem::take(&mut state.has_spare_thread) || start_thread(shared, state).is_ok();
        // The first is counted even if the system has no more threads: the job takes one of the others.
        state.blocking_threads += usize::from(started || state.blocking_threads == 0);
    }
}

/// The main function of a pool thread.
fn run_jobs(shared: &Arc<Shared>) {
    let mut notifiers = Vec::new();
    // The outbox of the last job, and whether the thread has waited briefly since.
    let (mut last, mut has_waited) = (0, true);
    // Whether it had no work for as long as it is kept.
    let mut is_over = false;
    let mut state = lock(&shared.state);
    if state.starting > 0 {
        state.starting -= 1;
        shared.started.notify_all();
    }
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
            let surplus = state.has_surplus_thread();
            if is_over && surplus && !state.has_unwatched(shared) {
                if !std::mem::take(&mut state.has_spare_thread) {
                    state.blocking_threads -= 1;
                }
                state.threads.retain(|thread| !is_current(thread));
                return;
            }
            let briefly = !has_waited && !state.waits_briefly && state.outboxes.is_reporting(last);
            has_waited |= briefly;
            state = if briefly {
                wait_for_report(shared, state)
            } else if state.has_unwatched(shared) {
                watch(shared, state)
            } else if surplus {
                let begin = Instant::now();
                let state = sleep_at_most(shared, state, KEEP_ALIVE);
                is_over = begin.elapsed() >= KEEP_ALIVE;
                state
            } else {
                sleep(shared, state)
            };
            // A thread that saw `waking` has left the notification of its loop to this thread.
            state.waking = false;
            state.outboxes.take_unnotified(&mut notifiers);
            continue;
        };
        let Job { task, request, outbox } = job;
        is_over = false;
        let wakes = state.has_work(shared) || state.has_unwatched(shared);
        let waiter = if wakes { state.wake_one(shared) } else { None };
        if wakes && state.needs_spare_thread(shared) {
            start_spare_thread(shared, &mut state);
        }
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

fn sleep_at_most<'a>(
    shared: &Shared,
    mut state: MutexGuard<'a, State>,
    time: Duration,
) -> MutexGuard<'a, State> {
    state.asleep += 1;
    let mut state = wait_briefly(&shared.asleep, state, time);
    state.asleep -= 1;
    state
}

/// Waits until the next blocking job can start. If that takes too long, doubles the number of threads for
/// blocking jobs, within the number of these.
#[cold]
fn watch<'a>(shared: &'a Arc<Shared>, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
    let (begin, started) = (Instant::now(), state.blocking_started);
    state.watched = true;
    let mut state = sleep_at_most(shared, state, GROW_AFTER);
    state.watched = false;
    let is_stuck = state.queue.has_blocking() && state.blocking_started == started;
    if is_stuck && begin.elapsed() >= GROW_AFTER {
        for _ in 0..state.blocking_threads.clamp(1, state.queue.blocking_len()) {
            add_blocking_thread(shared, &mut state);
        }
    }
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
pub(super) fn discard(work: Box<dyn Work>) {
    contain(|| drop(work));
}

#[cold]
fn run_traced(task: Task, request: RequestId, lp: u16) -> Option<Box<dyn Work>> {
    trace::record(lp, Event::JobBegin(request));
    let carried = faults::perform(lp, request, || run(task));
    trace::record(lp, Event::JobEnd(request));
    carried
}
