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
    state: Mutex<State>,
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
struct State {
    tasks: RemoteTasks,
    /// Number of wake-ups and spawns.
    scheduled: u64,
    /// Whether the loop was dropped. Its tasks cannot be woken any more.
    closed: bool,
}

/// Tasks in the order in which they were woken, and in which they were spawned.
#[derive(Default)]
pub(super) struct RemoteTasks {
    pub woken: VecDeque<Arc<TaskWaker>>,
    /// Functions that spawn tasks. They are called on the loop's thread.
    pub spawned: VecDeque<RemoteSpawn>,
}

impl RemoteTasks {
    fn is_empty(&self) -> bool {
        self.woken.is_empty() && self.spawned.is_empty()
    }

    /// Moves up to `most` tasks of each kind from the front of `other` to the end of this.
    fn append(&mut self, other: &mut Self, most: usize) {
        let Self { woken, spawned } = other;
        self.woken.extend(woken.drain(..woken.len().min(most)));
        self.spawned.extend(spawned.drain(..spawned.len().min(most)));
    }
}

/// Tasks that were taken from the queue. Those that are left when it is dropped, because one has panicked,
/// are queued again.
pub(super) struct RemoteBatch<'a> {
    queue: &'a RemoteQueue,
    pub tasks: RemoteTasks,
}

impl Drop for RemoteBatch<'_> {
    fn drop(&mut self) {
        if !self.tasks.is_empty() {
            self.queue.put_back(std::mem::take(&mut self.tasks));
        }
    }
}

impl RemoteQueue {
    pub fn new(notifier: AsyncSender, number: u16) -> Self {
        Self {
            state: Mutex::default(),
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

    /// Takes the first woken tasks and functions that spawn tasks. `empty` is reused.
    pub(super) fn take(&self, empty: RemoteTasks) -> RemoteBatch<'_> {
        let mut batch = RemoteBatch { queue: self, tasks: empty };
        let mut state = self.lock();
        batch.tasks.append(&mut state.tasks, BATCH);
        self.nonempty.store(!state.tasks.is_empty(), Ordering::Relaxed);
        drop(state);
        batch
    }

    /// Returns tasks to the front of the queue.
    #[cold]
    fn put_back(&self, mut tasks: RemoteTasks) {
        let mut state = self.lock();
        if !state.closed {
            tasks.append(&mut state.tasks, usize::MAX);
            std::mem::swap(&mut state.tasks, &mut tasks);
            self.nonempty.store(true, Ordering::Release);
        }
        drop(state);
        self.notify_loop();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, waker: Arc<TaskWaker>) {
        let mut state = self.lock();
        // A waker in the queue refers to the queue: in one that is never polled they would leak.
        if state.closed {
            return;
        }
        state.scheduled += 1;
        state.tasks.woken.push_back(waker);
        self.nonempty.store(true, Ordering::Release);
        drop(state);
        self.notify_loop();
    }

    /// Spawns a task, from any thread. Does nothing if the loop was dropped.
    pub fn spawn(&self, spawn: RemoteSpawn) {
        let mut state = self.lock();
        if state.closed {
            drop(state);
            drop(spawn);
            return;
        }
        state.scheduled += 1;
        state.tasks.spawned.push_back(spawn);
        self.nonempty.store(true, Ordering::Release);
        drop(state);
        self.notify_loop();
    }

    pub fn close(&self) {
        let mut state = self.lock();
        let RemoteTasks { woken, spawned } = std::mem::take(&mut state.tasks);
        state.closed = true;
        drop(state);
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

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use crate::{Loop, RunMode, spawn};

    #[test]
    fn a_panic_in_a_batch_loses_no_other_task() {
        let lp: Loop = Loop::new().unwrap();
        let queue = &lp.core.executor.remote;
        let (sender, receiver) = std::sync::mpsc::channel();
        for number in 0..300 {
            let sender = sender.clone();
            queue.spawn(Box::new(move || {
                assert!(number % 100 != 50, "one of the tasks cannot be spawned");
                drop(spawn(async move { sender.send(number).unwrap() }));
            }));
        }
        let run = || lp.run(RunMode::Default).unwrap();
        let panics = (0..4).filter(|_| catch_unwind(AssertUnwindSafe(run)).is_err()).count();
        let started: Vec<_> = receiver.try_iter().collect();
        let expected: Vec<_> = (0..300).filter(|number| number % 100 != 50).collect();
        assert_eq!((panics, started), (3, expected));
    }
}
