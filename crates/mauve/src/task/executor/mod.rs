//! The tasks of one loop.
//!
//! There are two queues of woken tasks. Wake-ups on the loop's own thread during a run are *local*:
//! they go to a queue without a lock. All others are *remote*: they go to a queue behind a lock,
//! and notify the loop through an async handle.
//!
//! A task that wakes itself while it is polled *yields*. It waits in a list of its own until the idle
//! phase of the next iteration, so that due timers and ready sockets come first. Other woken tasks are
//! polled after every callback: a task that yields there would be polled many times per iteration.

mod block_on;
mod budget;
mod remote;
mod slot;

use std::cell::{Cell, RefCell};
use std::panic::Location;
use std::sync::Arc;
use std::task::{Context, RawWakerVTable, Waker};
use std::time::Duration;

use mauve_core::probe::LoopProbe;
use mauve_core::slots::Slots;
use mauve_core::trace::{CallbackKind, CallbackName, InnerCallback};
use mauve_core::unwind::{contain, drop_each};
use mauve_core::wakeups::AsyncSender;
use mauve_core::why::LoopItem;
use mauve_sys::clock::hrtime;

use block_on::{BlockOnState, BlockOnWaker};
use budget::Budget;
pub(crate) use remote::RemoteQueue;
use remote::{RemoteTasks, TaskWaker};
pub(crate) use slot::TaskKey;
use slot::{Away, TaskFuture, TaskSlot, TaskState};

use crate::metrics::{LoopMetrics, TaskMetrics};

pub(crate) struct Executor {
    tasks: RefCell<Tasks>,
    /// Number of tasks.
    count: Cell<usize>,
    /// Head of the local queue. Apart from the rest, since most often one task is woken.
    local_head: Cell<Option<usize>>,
    /// The rest of the local queue.
    local_tail: RefCell<Vec<usize>>,
    /// Tasks that have yielded.
    yielded: RefCell<Vec<usize>>,
    /// Whether a task or the future of a `block_on` has yielded.
    has_yielded: Cell<bool>,
    remote: Arc<RemoteQueue>,
    /// The probe of the loop, for traces.
    probe: &'static LoopProbe,
    /// The task that is being polled.
    current: Cell<Option<CurrentTask>>,
    budget: Budget,
    counters: Counters,
    running: Cell<bool>,
    /// Whether the loop was dropped. New tasks are dropped at once.
    closed: Cell<bool>,
    /// The waker of the `block_on` in progress, if any.
    block_on: RefCell<Option<Arc<BlockOnWaker>>>,
    block_on_state: BlockOnState,
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

#[derive(Default)]
struct Tasks {
    slots: Slots<TaskSlot>,
    /// Empty vectors that replace the queues while those are polled.
    spare_local: Vec<usize>,
    spare_remote: RemoteTasks,
}

impl Executor {
    /// Remote wake-ups notify the loop through `notifier`.
    pub fn new(notifier: AsyncSender, probe: &'static LoopProbe, loop_number: u16) -> Self {
        Self {
            tasks: RefCell::default(),
            count: Cell::new(0),
            local_head: Cell::new(None),
            local_tail: RefCell::default(),
            yielded: RefCell::default(),
            has_yielded: Cell::new(false),
            remote: Arc::new(RemoteQueue::new(notifier, loop_number)),
            probe,
            current: Cell::new(None),
            budget: Budget::default(),
            counters: Counters::default(),
            running: Cell::new(false),
            closed: Cell::new(false),
            block_on: RefCell::default(),
            block_on_state: BlockOnState::default(),
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
        let block_on = block_on.iter().map(|waker| LoopItem::block_on(waker.location));
        let tasks = tasks.slots.iter().filter(is_task).map(|slot| LoopItem::task(slot.location));
        block_on.chain(tasks).collect()
    }

    /// Adds the executor's part of the metrics.
    pub fn add_metrics(&self, metrics: &mut LoopMetrics) {
        let Counters { spawned, polls, forced_yields, poll_time, .. } = &self.counters;
        metrics.num_alive_tasks = self.count.get();
        metrics.spawned_tasks_count = spawned.get();
        metrics.poll_count = polls.get();
        metrics.total_poll_duration = Duration::from_nanos(poll_time.get());
        metrics.remote_schedule_count = self.remote.scheduled();
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
        slots.map(|slot| slot.poll_times.of_task(slot.location, slot.polls)).collect()
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
    pub fn spawn(&self, task: TaskFuture, location: &'static Location<'static>) -> usize {
        if self.closed.get() {
            drop(task);
            // No task has this key.
            return usize::MAX;
        }
        let mut tasks = self.tasks.borrow_mut();
        let key = tasks.slots.take(|_| TaskSlot::new(location));
        let waker = Arc::new(TaskWaker::new(self.remote.clone(), key));
        let slot = &mut tasks.slots[key];
        // It may be queued still, because of a late wake-up of its former task.
        let queued = slot.queued;
        let state = TaskState::Waiting(task, Waker::from(waker));
        *slot = TaskSlot { state, queued, ..TaskSlot::new(location) };
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

    /// Wakes a task, on the loop's own thread.
    pub fn wake(&self, task: TaskKey) {
        self.enqueue(task.index());
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
    #[inline(always)]
    pub fn poll(&self, task: TaskKey) {
        self.poll_task(task.index(), Some(task));
    }

    /// Adds a task to the local queue, unless it is there. The task that is being polled yields.
    fn enqueue(&self, key: usize) {
        if std::mem::replace(&mut self.tasks.borrow_mut().slots[key].queued, true) {
            return;
        }
        if self.current.get().is_some_and(|current| current.key.index() == key) {
            self.yielded.borrow_mut().push(key);
            self.has_yielded.set(true);
        } else {
            self.push_local(key);
        }
    }

    fn push_local(&self, key: usize) {
        match self.local_head.get() {
            None => self.local_head.set(Some(key)),
            Some(_) => self.local_tail.borrow_mut().push(key),
        }
    }

    /// Queues a task to be dropped without being polled again. It is not dropped here: its destructors
    /// may need what the caller has borrowed, or abort further tasks, as deep as the stack allows.
    pub fn abort(&self, key: usize) {
        let mut tasks = self.tasks.borrow_mut();
        let Some(slot) = tasks.slots.get_mut(key).filter(|slot| !slot.state.is_free()) else {
            return;
        };
        slot.aborted = true;
        drop(tasks);
        self.enqueue(key);
        self.notify_if_not_running();
    }

    /// Drops the future of a task, and then frees its slot. Otherwise a task that a destructor spawns
    /// had the same key. A destructor that panics must not keep other tasks from being polled.
    fn drop_task(&self, key: usize, task: TaskFuture) {
        contain(|| drop(task));
        self.free(key);
    }

    /// Whether a task is woken.
    #[inline]
    pub fn has_woken(&self) -> bool {
        self.local_head.get().is_some() || self.remote.is_nonempty()
    }

    /// Whether a task or the future of a `block_on` has yielded.
    #[inline]
    pub fn has_yielded(&self) -> bool {
        self.has_yielded.get()
    }

    /// Wakes what has yielded. Called once per iteration.
    pub fn resume_yielded(&self) {
        if self.has_yielded.take() {
            self.resume_block_on();
            let mut yielded = self.yielded.take();
            for key in yielded.drain(..) {
                self.push_local(key);
            }
            // Keep the allocation. Nothing was polled meanwhile.
            self.yielded.replace(yielded);
        }
    }

    /// Polls the tasks that are woken now. Tasks woken meanwhile are polled after the next
    /// callback, or in the next iteration.
    pub fn poll_woken(&self) {
        if let Some(head) = self.local_head.take() {
            let more = !self.local_tail.borrow().is_empty();
            let tail = if more { self.take_local_tail() } else { Vec::new() };
            self.poll_queued(head);
            if more {
                self.poll_local(tail);
            }
        }
        if self.remote.is_nonempty() {
            self.poll_remote();
        }
    }

    fn take_local_tail(&self) -> Vec<usize> {
        let spare = std::mem::take(&mut self.tasks.borrow_mut().spare_local);
        self.local_tail.replace(spare)
    }

    fn poll_local(&self, mut local: Vec<usize>) {
        for key in local.drain(..) {
            self.poll_queued(key);
        }
        self.tasks.borrow_mut().spare_local = local;
    }

    #[cold]
    fn poll_remote(&self) {
        let empty = std::mem::take(&mut self.tasks.borrow_mut().spare_remote);
        let mut batch = self.remote.take(empty);
        while let Some(waker) = batch.tasks.woken.pop_front() {
            self.poll_queued(waker.take_queued());
        }
        while let Some(spawn) = batch.tasks.spawned.pop_front() {
            spawn();
        }
        self.tasks.borrow_mut().spare_remote = std::mem::take(&mut batch.tasks);
    }

    /// The queue for other threads.
    pub fn remote(&self) -> &Arc<RemoteQueue> {
        &self.remote
    }

    /// Polls a task that was queued.
    fn poll_queued(&self, key: usize) {
        self.poll_task(key, TaskKey::of(key));
    }

    /// Polls the task in slot `key`. `task_key` is the same as a [`TaskKey`].
    #[inline(always)]
    fn poll_task(&self, key: usize, task_key: Option<TaskKey>) {
        let mut tasks = self.tasks.borrow_mut();
        let slot = &mut tasks.slots[key];
        slot.queued = false;
        // A late wake-up of a finished task finds a free slot, or a newer task. A spurious poll
        // does that task no harm.
        let aborted = slot.aborted;
        let polling = TaskState::Away(Away::Polling);
        let (mut task, waker) = match std::mem::replace(&mut slot.state, polling) {
            TaskState::Waiting(task, waker) => (task, waker),
            other => {
                slot.state = other;
                return;
            }
        };
        drop(tasks);
        if aborted {
            return self.drop_task(key, task);
        }
        let parts = (waker.data(), waker.vtable());
        self.current.set(task_key.map(|key| CurrentTask { key, waker: parts }));
        self.budget.begin();
        let begin = self.begin_poll();
        let traced = self.begin_traced(|| self.location_of(key));
        let poll = task.as_mut().poll(&mut Context::from_waker(&waker));
        mauve_core::trace::end_inner(self.probe, traced);
        let nanos = begin.map(|begin| self.end_poll(begin));
        self.current.set(None);
        self.budget.end();
        let mut tasks = self.tasks.borrow_mut();
        let slot = &mut tasks.slots[key];
        slot.polls = slot.polls.saturating_add(1);
        if let Some(nanos) = nanos {
            slot.poll_times.add(nanos);
        }
        if poll.is_pending() && !slot.aborted {
            slot.state = TaskState::Waiting(task, waker);
        } else {
            drop(tasks);
            self.drop_task(key, task);
        }
    }

    /// Begins to record a poll of the task that was spawned at `location`.
    #[inline(always)]
    fn begin_traced(
        &self,
        location: impl FnOnce() -> &'static Location<'static>,
    ) -> Option<InnerCallback> {
        let name = || CallbackName::Location(location());
        mauve_core::trace::begin_inner(self.probe, CallbackKind::Task, name)
    }

    /// Where a task was spawned.
    fn location_of(&self, key: usize) -> &'static Location<'static> {
        self.tasks.borrow().slots[key].location
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
}
