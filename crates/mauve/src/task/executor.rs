//! The tasks of one loop.
//!
//! There are two queues of woken tasks. Wake-ups on the loop's own thread during a run are *local*:
//! they go to a queue without a lock. All others are *remote*: they go to a queue behind a lock,
//! and notify the loop through an async handle.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::num::NonZeroU32;
use std::panic::Location;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, RawWakerVTable, Wake, Waker};
use std::time::Duration;

use mauve_core::slots::Slots;
use mauve_core::wakeups::AsyncSender;
use mauve_core::why::LoopItem;

use crate::core::with_current;
use crate::hrtime;
use crate::metrics::{LoopMetrics, PollTimes, TaskMetrics};
use crate::trace::{self, TaskSpan};
use crate::unwind::{catch, drop_each};

/// The future of a task. It stores its own result for the join handle.
type TaskFuture = Pin<Box<dyn Future<Output = ()>>>;

/// Number of operations that a task may complete in one poll, as in tokio. A task whose sockets are
/// always ready then yields to the loop.
const BUDGET: u8 = 128;

/// A transfer of this many bytes counts as a further operation.
const TRANSFER: usize = 16 << 10;

pub(crate) struct Executor {
    tasks: RefCell<Tasks>,
    /// Number of tasks.
    count: Cell<usize>,
    /// Head of the local queue. Apart from the rest, since most often one task is woken.
    local_head: Cell<Option<usize>>,
    /// The rest of the local queue.
    local_tail: RefCell<Vec<usize>>,
    remote: Arc<RemoteQueue>,
    /// The task that is being polled.
    current: Cell<Option<CurrentTask>>,
    /// Operations that the current poll may still complete. `None` outside of a poll.
    budget: Cell<Option<u8>>,
    counters: Counters,
    running: Cell<bool>,
    /// Whether the loop was dropped. New tasks are dropped at once.
    closed: Cell<bool>,
    /// The waker of the `block_on` in progress, if any.
    block_on: RefCell<Option<Arc<BlockOnWaker>>>,
}

/// Counters for [`LoopMetrics`], and the switch for the times of polls.
#[derive(Default)]
struct Counters {
    spawned: Cell<u64>,
    polls: Cell<u64>,
    forced_yields: Cell<u64>,
    measures_polls: Cell<bool>,
    /// Nanoseconds of all polls, if they are measured.
    poll_time: Cell<u64>,
}

fn increment(counter: &Cell<u64>) {
    counter.set(counter.get() + 1);
}

/// The task that is being polled, and the raw parts of its waker.
#[derive(Clone, Copy)]
struct CurrentTask {
    key: TaskKey,
    waker: (*const (), &'static RawWakerVTable),
}

/// Identifies a task of one executor: its slot, counted from one. The slot of a finished task is
/// reused, so a stale key may name a newer task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TaskKey(NonZeroU32);

impl TaskKey {
    /// `None` for zero and for the largest number, which are reserved.
    pub fn new(number: u32) -> Option<Self> {
        NonZeroU32::new(number).filter(|number| *number != NonZeroU32::MAX).map(Self)
    }

    pub fn get(self) -> u32 {
        self.0.get()
    }
}

#[derive(Default)]
struct Tasks {
    slots: Slots<TaskSlot>,
    /// Empty vectors that replace the queues while those are polled.
    spare_local: Vec<usize>,
    spare_remote: Vec<Arc<TaskWaker>>,
}

/// A task, in a cache line of its own.
#[repr(align(64))]
struct TaskSlot {
    state: TaskState,
    /// Whether the task is in the local queue.
    queued: bool,
    /// Where the task was spawned.
    place: &'static Location<'static>,
    polls: u32,
    poll_times: PollTimes,
}

impl TaskSlot {
    fn new(place: &'static Location<'static>) -> Self {
        let poll_times = PollTimes::default();
        Self { state: TaskState::FREE, queued: false, place, polls: 0, poll_times }
    }
}

const _: () = assert!(size_of::<TaskSlot>() == 64, "a task takes one cache line");

enum TaskState {
    Waiting(TaskFuture, Waker),
    /// The future is elsewhere, or there is none.
    Away(Away),
}

enum Away {
    /// There is no task.
    Free,
    /// The task is being polled.
    Polling,
    /// It was aborted meanwhile.
    Aborted,
}

impl TaskState {
    const FREE: Self = Self::Away(Away::Free);

    fn is_free(&self) -> bool {
        matches!(self, Self::Away(Away::Free))
    }
}

/// Tasks that were woken or spawned by other threads, or outside of a run. Shared with the wakers.
pub(crate) struct RemoteQueue {
    tasks: Mutex<RemoteTasks>,
    /// Whether the queue has tasks, readable without the lock.
    nonempty: AtomicBool,
    notifier: AsyncSender,
}

/// Spawns a task on the current loop.
pub(crate) type RemoteSpawn = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct RemoteTasks {
    woken: Vec<Arc<TaskWaker>>,
    /// Functions that spawn tasks. They are called on the loop's thread.
    spawned: Vec<RemoteSpawn>,
    /// Number of wake-ups and spawns.
    scheduled: u64,
    /// Whether the loop was dropped. Its tasks cannot be woken any more.
    closed: bool,
}

impl RemoteQueue {
    fn lock(&self) -> MutexGuard<'_, RemoteTasks> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, waker: Arc<TaskWaker>) {
        let mut tasks = self.lock();
        // A waker in the queue refers to the queue: in one that is never polled they would leak.
        if tasks.closed {
            return;
        }
        tasks.scheduled += 1;
        tasks.woken.push(waker);
        self.nonempty.store(true, Ordering::Release);
        drop(tasks);
        self.notify_loop();
    }

    /// Spawns a task, from any thread. Does nothing if the loop was dropped.
    pub fn spawn(&self, spawn: RemoteSpawn) {
        let mut tasks = self.lock();
        if tasks.closed {
            drop(tasks);
            drop(spawn);
            return;
        }
        tasks.scheduled += 1;
        tasks.spawned.push(spawn);
        self.nonempty.store(true, Ordering::Release);
        drop(tasks);
        self.notify_loop();
    }

    fn close(&self) {
        let mut tasks = self.lock();
        let RemoteTasks { woken, spawned, .. } = std::mem::take(&mut *tasks);
        tasks.closed = true;
        drop(tasks);
        drop(woken);
        drop_each(spawned);
    }

    fn notify_loop(&self) {
        // The error means that the loop was dropped, and its tasks with it.
        let _ = self.notifier.send();
    }

    /// Calls `action` if this executor's loop runs on the current thread. Returns whether it does.
    fn if_local(&self, action: impl FnOnce(&Executor)) -> bool {
        let local = with_current(|core| {
            let is_local = std::ptr::eq(&*core.executor.remote, self);
            if is_local {
                action(&core.executor);
            }
            is_local
        });
        local == Some(true)
    }
}

struct TaskWaker {
    remote: Arc<RemoteQueue>,
    key: usize,
    /// Whether the task is in the remote queue.
    queued: AtomicBool,
}

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let local = self.remote.if_local(|executor| executor.enqueue(self.key));
        if !local && !self.queued.swap(true, Ordering::AcqRel) {
            self.remote.push(self.clone());
        }
    }
}

impl Executor {
    /// Remote wake-ups notify the loop through `notifier`.
    pub fn new(notifier: AsyncSender) -> Self {
        Self {
            tasks: RefCell::default(),
            count: Cell::new(0),
            local_head: Cell::new(None),
            local_tail: RefCell::default(),
            remote: Arc::new(RemoteQueue {
                tasks: Mutex::default(),
                nonempty: AtomicBool::new(false),
                notifier,
            }),
            current: Cell::new(None),
            budget: Cell::new(None),
            counters: Counters::default(),
            running: Cell::new(false),
            closed: Cell::new(false),
            block_on: RefCell::default(),
        }
    }

    /// Number of tasks that keep the loop alive, the future of a `block_on` included.
    pub fn alive(&self) -> usize {
        self.count.get() + usize::from(self.block_on.borrow().is_some())
    }

    /// Whether the future of a `block_on` is woken.
    #[inline]
    pub fn block_on_is_woken(&self) -> bool {
        self.block_on.borrow().as_ref().is_some_and(|waker| waker.is_woken())
    }

    /// Marks the loop as running. Returns false if it was running already.
    pub fn begin_run(&self) -> bool {
        !self.running.replace(true)
    }

    pub fn is_running(&self) -> bool {
        self.running.get()
    }

    pub fn end_run(&self) {
        self.running.set(false);
    }

    /// The tasks and the `block_on` in progress, for `mauve why`.
    pub fn items(&self) -> Vec<LoopItem> {
        let Ok(tasks) = self.tasks.try_borrow() else { return Vec::new() };
        let is_task = |slot: &&TaskSlot| !slot.state.is_free();
        let block_on = self.block_on.borrow();
        let block_on = block_on.iter().map(|waker| LoopItem::block_on(waker.place));
        let tasks = tasks.slots.iter().filter(is_task).map(|slot| LoopItem::task(slot.place));
        block_on.chain(tasks).collect()
    }

    /// Adds the executor's part of the metrics.
    pub fn add_metrics(&self, metrics: &mut LoopMetrics) {
        let Counters { spawned, polls, forced_yields, poll_time, .. } = &self.counters;
        metrics.num_alive_tasks = self.count.get();
        metrics.spawned_tasks_count = spawned.get();
        metrics.poll_count = polls.get();
        metrics.total_poll_duration = Duration::from_nanos(poll_time.get());
        metrics.remote_schedule_count = self.remote.lock().scheduled;
        metrics.budget_forced_yield_count = forced_yields.get();
    }

    pub fn measure_poll_times(&self) {
        self.counters.measures_polls.set(true);
    }

    /// The metrics of all tasks.
    pub fn task_metrics(&self) -> Vec<TaskMetrics> {
        let tasks = self.tasks.borrow();
        let is_task = |slot: &&TaskSlot| !slot.state.is_free();
        let slots = tasks.slots.iter().filter(is_task);
        slots.map(|slot| slot.poll_times.of_task(slot.place, slot.polls)).collect()
    }

    /// Drops all tasks, and those that are spawned later at once.
    pub fn shut_down(&self) {
        self.closed.set(true);
        let mut tasks = self.tasks.borrow_mut();
        let waiting = |slot: &TaskSlot| matches!(slot.state, TaskState::Waiting(..));
        let keys = tasks.slots.iter().enumerate().filter(|(_, slot)| waiting(slot));
        let keys: Vec<_> = keys.map(|(key, _)| key).collect();
        (tasks.spare_local, tasks.spare_remote) = Default::default();
        drop(tasks);
        let dropped: Vec<_> = keys.into_iter().map(|key| self.free(key)).collect();
        self.remote.close();
        drop_each(dropped);
    }

    /// Adds a task and wakes it. Returns its key for [`abort`](Self::abort).
    pub fn spawn(&self, task: TaskFuture, place: &'static Location<'static>) -> usize {
        if self.closed.get() {
            drop(task);
            // No task has this key.
            return usize::MAX;
        }
        let mut tasks = self.tasks.borrow_mut();
        let key = tasks.slots.take(|_| TaskSlot::new(place));
        let queued = AtomicBool::new(false);
        let waker = Arc::new(TaskWaker { remote: self.remote.clone(), key, queued });
        let slot = &mut tasks.slots[key];
        // It may be queued still, because of a late wake-up of its former task.
        let queued = slot.queued;
        let state = TaskState::Waiting(task, waker.into());
        *slot = TaskSlot { state, queued, ..TaskSlot::new(place) };
        drop(tasks);
        self.count.set(self.count.get() + 1);
        increment(&self.counters.spawned);
        self.enqueue(key);
        self.notify_if_not_running();
        key
    }

    /// The task that is being polled, if `context` has its waker. It can then be woken by key,
    /// without a clone of the waker.
    pub fn task_of(&self, context: &Context<'_>) -> Option<TaskKey> {
        let CurrentTask { key, waker: (data, vtable) } = self.current.get()?;
        let waker = context.waker();
        (waker.data() == data && std::ptr::eq(waker.vtable(), vtable)).then_some(key)
    }

    /// Returns `Pending` if the current poll has spent its budget: the task is woken and has to
    /// yield. An operation calls this first, and [`spend_budget`](Self::spend_budget) when it
    /// completes.
    #[inline]
    pub fn poll_budget(&self, context: &Context<'_>) -> Poll<()> {
        if self.budget.get() == Some(0) {
            increment(&self.counters.forced_yields);
            trace::budget_used();
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(())
    }

    /// Counts an operation that has completed.
    #[inline]
    pub fn spend_budget(&self) {
        self.budget.set(self.budget.get().map(|left| left.saturating_sub(1)));
    }

    /// Counts an operation that has transferred `bytes`. Large ones take longer, so they count more.
    #[inline]
    pub fn spend_budget_for(&self, bytes: usize) {
        let cost = transfer_cost(bytes);
        self.budget.set(self.budget.get().map(|left| left.saturating_sub(cost)));
    }

    /// Wakes a task, on the loop's own thread.
    pub fn wake(&self, task: TaskKey) {
        self.enqueue(task.get() as usize - 1);
        self.notify_if_not_running();
    }

    /// A running loop checks the local queue before it waits. Otherwise the next run has to be
    /// notified.
    fn notify_if_not_running(&self) {
        if !self.running.get() {
            self.remote.notify_loop();
        }
    }

    /// Polls a task now, on the loop's own thread. The queues must be empty, to keep the order.
    #[inline]
    pub fn poll(&self, task: TaskKey) {
        self.poll_task(task.get() as usize - 1);
    }

    /// Adds a task to the local queue, unless it is there.
    fn enqueue(&self, key: usize) {
        if !std::mem::replace(&mut self.tasks.borrow_mut().slots[key].queued, true) {
            match self.local_head.get() {
                None => self.local_head.set(Some(key)),
                Some(_) => self.local_tail.borrow_mut().push(key),
            }
        }
    }

    /// Drops a task without polling it again.
    pub fn abort(&self, key: usize) {
        let mut tasks = self.tasks.borrow_mut();
        let Some(slot) = tasks.slots.get_mut(key) else { return };
        match &mut slot.state {
            TaskState::Away(Away::Free) => {}
            TaskState::Away(away) => *away = Away::Aborted,
            TaskState::Waiting(..) => {
                drop(tasks);
                drop(self.free(key));
            }
        }
    }

    /// Whether a task is woken.
    #[inline]
    pub fn has_woken(&self) -> bool {
        self.local_head.get().is_some() || self.remote.nonempty.load(Ordering::Acquire)
    }

    /// Polls the tasks that are woken now. Tasks woken meanwhile are polled after the next
    /// callback, or in the next iteration.
    pub fn poll_woken(&self) {
        if let Some(head) = self.local_head.take() {
            let more = !self.local_tail.borrow().is_empty();
            let tail = if more { self.take_local_tail() } else { Vec::new() };
            self.poll_task(head);
            if more {
                self.poll_local(tail);
            }
        }
        if self.remote.nonempty.load(Ordering::Acquire) {
            self.poll_remote();
        }
    }

    fn take_local_tail(&self) -> Vec<usize> {
        let spare = std::mem::take(&mut self.tasks.borrow_mut().spare_local);
        self.local_tail.replace(spare)
    }

    fn poll_local(&self, mut local: Vec<usize>) {
        for key in local.drain(..) {
            self.poll_task(key);
        }
        self.tasks.borrow_mut().spare_local = local;
    }

    #[cold]
    fn poll_remote(&self) {
        let mut remote = std::mem::take(&mut self.tasks.borrow_mut().spare_remote);
        let mut queue = self.remote.lock();
        std::mem::swap(&mut queue.woken, &mut remote);
        let spawned = std::mem::take(&mut queue.spawned);
        self.remote.nonempty.store(false, Ordering::Relaxed);
        drop(queue);
        for waker in remote.drain(..) {
            // A thread that finds `queued` set relies on the poll below. The swap synchronises with
            // it, so that the poll sees what that thread wrote before the wake-up.
            waker.queued.swap(false, Ordering::AcqRel);
            self.poll_task(waker.key);
        }
        self.tasks.borrow_mut().spare_remote = remote;
        spawned.into_iter().for_each(|spawn| spawn());
    }

    /// The queue for other threads.
    pub fn remote(&self) -> &Arc<RemoteQueue> {
        &self.remote
    }

    #[inline(always)]
    fn poll_task(&self, key: usize) {
        let mut tasks = self.tasks.borrow_mut();
        let slot = &mut tasks.slots[key];
        slot.queued = false;
        // A late wake-up of a finished task finds a free slot, or a newer task. A spurious poll
        // does that task no harm.
        let polling = TaskState::Away(Away::Polling);
        let (mut task, waker) = match std::mem::replace(&mut slot.state, polling) {
            TaskState::Waiting(task, waker) => (task, waker),
            other => {
                slot.state = other;
                return;
            }
        };
        drop(tasks);
        let task_key = u32::try_from(key + 1).ok().and_then(TaskKey::new);
        let parts = (waker.data(), waker.vtable());
        self.current.set(task_key.map(|key| CurrentTask { key, waker: parts }));
        self.budget.set(Some(BUDGET));
        let begin = self.begin_poll();
        let poll = task.as_mut().poll(&mut Context::from_waker(&waker));
        let nanos = begin.map(|begin| self.end_poll(begin));
        self.current.set(None);
        self.budget.set(None);
        let mut tasks = self.tasks.borrow_mut();
        let slot = &mut tasks.slots[key];
        slot.polls = slot.polls.saturating_add(1);
        if let Some(nanos) = nanos {
            slot.poll_times.add(nanos);
        }
        let aborted = matches!(slot.state, TaskState::Away(Away::Aborted));
        if poll.is_pending() && !aborted {
            slot.state = TaskState::Waiting(task, waker);
        } else {
            drop(tasks);
            self.free(key);
            // A destructor that panics must not keep other tasks from being polled. The panic hook
            // has reported it.
            let _ = catch(|| drop(task));
        }
    }

    /// Counts a poll. Returns when it begins, if times are measured.
    #[inline]
    fn begin_poll(&self) -> Option<u64> {
        increment(&self.counters.polls);
        self.counters.measures_polls.get().then(hrtime)
    }

    /// Returns how long the poll took, in nanoseconds.
    #[cold]
    fn end_poll(&self, begin: u64) -> u64 {
        let nanos = hrtime().saturating_sub(begin);
        self.counters.poll_time.set(self.counters.poll_time.get() + nanos);
        nanos
    }

    /// Frees a slot. The caller drops the returned state with no borrow held.
    fn free(&self, key: usize) -> TaskState {
        let mut tasks = self.tasks.borrow_mut();
        tasks.slots.free(key);
        self.count.set(self.count.get() - 1);
        std::mem::replace(&mut tasks.slots[key].state, TaskState::FREE)
    }

    /// Enters a `block_on`. Its future starts out woken.
    #[track_caller]
    pub fn enter_block_on(&self) -> BlockOn<'_> {
        let (remote, place) = (self.remote.clone(), Location::caller());
        let state = Arc::new(BlockOnWaker { remote, woken: AtomicBool::new(true), place });
        self.block_on.replace(Some(state.clone()));
        let span = TaskSpan::block_on(place);
        BlockOn { executor: self, waker: Waker::from(state.clone()), state, span }
    }
}

/// A `block_on` in progress. Dropping it leaves the `block_on`.
pub(crate) struct BlockOn<'a> {
    executor: &'a Executor,
    waker: Waker,
    state: Arc<BlockOnWaker>,
    span: TaskSpan,
}

impl BlockOn<'_> {
    /// Polls the future, with a budget.
    pub fn poll<F: Future>(&self, future: Pin<&mut F>) -> Poll<F::Output> {
        let budget = &self.executor.budget;
        budget.set(Some(BUDGET));
        let _entered = self.span.enter();
        let poll = future.poll(&mut Context::from_waker(&self.waker));
        budget.set(None);
        poll
    }

    /// Whether the future is woken.
    pub fn is_woken(&self) -> bool {
        self.state.is_woken()
    }

    /// Whether the future was woken since the last call.
    pub fn take_woken(&self) -> bool {
        // A thread that finds `woken` set relies on the poll that follows. The swap synchronises
        // with it, so that the poll sees what that thread wrote before the wake-up.
        self.is_woken() && self.state.woken.swap(false, Ordering::AcqRel)
    }
}

impl Drop for BlockOn<'_> {
    fn drop(&mut self) {
        self.executor.block_on.replace(None);
        // The future may have panicked.
        self.executor.budget.set(None);
    }
}

struct BlockOnWaker {
    remote: Arc<RemoteQueue>,
    woken: AtomicBool,
    /// Where `block_on` was called.
    place: &'static Location<'static>,
}

impl BlockOnWaker {
    fn is_woken(&self) -> bool {
        self.woken.load(Ordering::Acquire)
    }
}

impl Wake for BlockOnWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        // The loop's own thread checks the flag before it waits, and needs no notification.
        let local = self.remote.if_local(|_| self.woken.store(true, Ordering::Release));
        if !local && !self.woken.swap(true, Ordering::AcqRel) {
            self.remote.notify_loop();
        }
    }
}

/// The part of the budget that a transfer of `bytes` costs.
#[inline]
fn transfer_cost(bytes: usize) -> u8 {
    u8::try_from(bytes / TRANSFER).unwrap_or(u8::MAX).saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cost_of_a_transfer_does_not_overflow() {
        assert_eq!([0, TRANSFER - 1, TRANSFER].map(transfer_cost), [1, 1, 2]);
        let large = [254 * TRANSFER, 255 * TRANSFER, 256 * TRANSFER, usize::MAX];
        assert_eq!(large.map(transfer_cost), [u8::MAX; 4]);
    }
}
