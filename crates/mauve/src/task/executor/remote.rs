//! Wake-ups from other threads, and from outside of a run.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Wake;
use std::thread::{self, ThreadId};

use mauve_core::unwind::drop_each;
use mauve_core::wakeups::AsyncSender;

use super::Executor;
use crate::core::{Core, awaited_elsewhere, with_current};

/// Tasks that were woken or spawned by other threads, or outside of a run. Shared with the wakers.
pub(crate) struct RemoteQueue {
    tasks: Mutex<RemoteTasks>,
    /// Whether the queue has tasks, readable without the lock.
    nonempty: AtomicBool,
    notifier: AsyncSender,
    /// The thread of the loop.
    thread: ThreadId,
    /// The number of the loop, for messages.
    number: u16,
}

/// Spawns a task on the current loop.
pub(crate) type RemoteSpawn = Box<dyn FnOnce() + Send>;

/// Most tasks that are taken at a time, of those woken and of those spawned. If other threads are faster
/// than the loop, the queue grows, but timers and sockets are served in between.
const BATCH: usize = 128;

#[derive(Default)]
struct RemoteTasks {
    woken: VecDeque<Arc<TaskWaker>>,
    /// Functions that spawn tasks. They are called on the loop's thread.
    spawned: VecDeque<RemoteSpawn>,
    /// Number of wake-ups and spawns.
    scheduled: u64,
    /// Whether the loop was dropped. Its tasks cannot be woken any more.
    closed: bool,
}

impl RemoteQueue {
    pub fn new(notifier: AsyncSender, number: u16) -> Self {
        Self {
            tasks: Mutex::default(),
            nonempty: AtomicBool::new(false),
            notifier,
            thread: thread::current().id(),
            number,
        }
    }

    /// Whether the queue has tasks.
    #[inline]
    pub fn is_nonempty(&self) -> bool {
        self.nonempty.load(Ordering::Acquire)
    }

    /// Number of wake-ups and spawns so far.
    pub fn scheduled(&self) -> u64 {
        self.lock().scheduled
    }

    /// Moves the first woken tasks and functions that spawn tasks to empty vectors.
    pub(super) fn take(&self, woken: &mut Vec<Arc<TaskWaker>>, spawned: &mut Vec<RemoteSpawn>) {
        let mut tasks = self.lock();
        let count = tasks.woken.len().min(BATCH);
        woken.extend(tasks.woken.drain(..count));
        let count = tasks.spawned.len().min(BATCH);
        spawned.extend(tasks.spawned.drain(..count));
        let is_nonempty = !tasks.woken.is_empty() || !tasks.spawned.is_empty();
        self.nonempty.store(is_nonempty, Ordering::Relaxed);
    }

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
        tasks.woken.push_back(waker);
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
        tasks.spawned.push_back(spawn);
        self.nonempty.store(true, Ordering::Release);
        drop(tasks);
        self.notify_loop();
    }

    pub fn close(&self) {
        let mut tasks = self.lock();
        let RemoteTasks { woken, spawned, .. } = std::mem::take(&mut *tasks);
        tasks.closed = true;
        drop(tasks);
        drop(woken);
        drop_each(spawned);
    }

    pub fn notify_loop(&self) {
        // The error means that the loop was dropped, and its tasks with it.
        let _ = self.notifier.send();
    }

    /// [`Core::check_current`](crate::core::Core::check_current), from any thread.
    ///
    /// # Panics
    /// Panics if this is the thread of the loop, and another one runs on it.
    pub fn assert_current(&self, what: &str) {
        let is_other = |core: &Core| !std::ptr::eq(&*core.executor.remote, self);
        if with_current(is_other) == Some(true) && self.thread == thread::current().id() {
            panic!("{}", awaited_elsewhere(what, self.number));
        }
    }

    /// Calls `action` if this executor's loop runs on the current thread. Returns whether it does.
    pub fn if_local(&self, action: impl FnOnce(&Executor)) -> bool {
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

pub(super) struct TaskWaker {
    remote: Arc<RemoteQueue>,
    key: usize,
    /// Whether the task is in the remote queue.
    queued: AtomicBool,
}

impl TaskWaker {
    pub fn new(remote: Arc<RemoteQueue>, key: usize) -> Self {
        Self { remote, key, queued: AtomicBool::new(false) }
    }

    /// The key of the task, which is polled next.
    pub fn take_queued(&self) -> usize {
        // A thread that finds `queued` set relies on the poll. The swap synchronises with it, so that
        // the poll sees what that thread wrote before the wake-up.
        self.queued.swap(false, Ordering::AcqRel);
        self.key
    }
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
