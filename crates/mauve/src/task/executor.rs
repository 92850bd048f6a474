//! The tasks of one loop.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Wake, Waker};
use std::thread::ThreadId;

use mauve_core::signals::Sender;

/// A task, its result taken care of.
type Task = Pin<Box<dyn Future<Output = ()>>>;

pub(crate) struct Executor {
    tasks: RefCell<Tasks>,
    woken: Arc<Woken>,
    running: Cell<bool>,
    /// Whether a `block_on` is going on.
    main: Cell<bool>,
}

#[derive(Default)]
struct Tasks {
    slots: Vec<Slot>,
    free: Vec<usize>,
    count: usize,
    /// Emptied lists, for the next round.
    spare: Vec<usize>,
}

enum Slot {
    Free,
    Waiting(Task, Arc<TaskWaker>),
    /// Being polled; true if it was aborted meanwhile.
    Polling(bool),
}

/// The tasks to be polled. Shared with the wakers, which other threads may hold.
struct Woken {
    list: Mutex<Vec<usize>>,
    bell: Sender,
    home: ThreadId,
}

impl Woken {
    fn list(&self) -> MutexGuard<'_, Vec<usize>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Rings for the loop, unless it is the loop's own thread that does the waking: the loop
    /// looks at the list after every callback.
    fn ring_from_afar(&self) {
        if std::thread::current().id() != self.home {
            // A loop that is gone has no tasks left to poll.
            let _ = self.bell.send();
        }
    }
}

struct TaskWaker {
    woken: Arc<Woken>,
    key: usize,
    listed: AtomicBool,
}

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if !self.listed.swap(true, Ordering::AcqRel) {
            self.woken.list().push(self.key);
            self.woken.ring_from_afar();
        }
    }
}

impl Executor {
    pub fn new(bell: Sender) -> Self {
        let home = std::thread::current().id();
        Self {
            tasks: RefCell::default(),
            woken: Arc::new(Woken { list: Mutex::default(), bell, home }),
            running: Cell::new(false),
            main: Cell::new(false),
        }
    }

    /// How many tasks keep the loop alive.
    pub fn alive(&self) -> usize {
        self.tasks.borrow().count + usize::from(self.main.get())
    }

    /// Whether a `block_on` is going on.
    pub fn has_main(&self) -> bool {
        self.main.get()
    }

    /// Begins a run, unless one is going on.
    pub fn begin_run(&self) -> bool {
        !self.running.replace(true)
    }

    pub fn end_run(&self) {
        self.running.set(false);
    }

    /// Adds a task, to be polled soon. Returns a key for [`abort`](Self::abort).
    pub fn add(&self, task: Task) -> usize {
        let mut tasks = self.tasks.borrow_mut();
        let key = tasks.free.pop().unwrap_or_else(|| {
            tasks.slots.push(Slot::Free);
            tasks.slots.len() - 1
        });
        let waker =
            Arc::new(TaskWaker { woken: self.woken.clone(), key, listed: AtomicBool::new(true) });
        tasks.slots[key] = Slot::Waiting(task, waker);
        tasks.count += 1;
        drop(tasks);
        self.woken.list().push(key);
        // Outside of a run nobody would look.
        if !self.running.get() {
            let _ = self.woken.bell.send();
        }
        key
    }

    /// Ends a task without polling it again.
    pub fn abort(&self, key: usize) {
        let mut tasks = self.tasks.borrow_mut();
        match &mut tasks.slots[key] {
            Slot::Free => {}
            Slot::Polling(aborted) => *aborted = true,
            Slot::Waiting(..) => {
                let ended = tasks.end(key);
                drop(tasks);
                drop(ended);
            }
        }
    }

    /// Polls the tasks that are woken now. Those woken meanwhile have to wait for the next
    /// callback, or, if there is none, for the next iteration.
    pub fn poll_woken(&self) {
        let mut tasks = self.tasks.borrow_mut();
        let mut round = std::mem::take(&mut tasks.spare);
        drop(tasks);
        std::mem::swap(&mut *self.woken.list(), &mut round);
        if round.is_empty() {
            self.tasks.borrow_mut().spare = round;
            return;
        }
        for key in round.drain(..) {
            self.poll_task(key);
        }
        self.tasks.borrow_mut().spare = round;
        if !self.woken.list().is_empty() {
            let _ = self.woken.bell.send();
        }
    }

    fn poll_task(&self, key: usize) {
        let mut tasks = self.tasks.borrow_mut();
        // A late wake of a task that has ended finds nothing, or a newer task, which does not
        // mind being polled once too often.
        let slot = std::mem::replace(&mut tasks.slots[key], Slot::Polling(false));
        let Slot::Waiting(mut task, waker) = slot else {
            tasks.slots[key] = slot;
            return;
        };
        drop(tasks);
        waker.listed.store(false, Ordering::Release);
        let poll = task.as_mut().poll(&mut Context::from_waker(&waker.clone().into()));
        let mut tasks = self.tasks.borrow_mut();
        let aborted = matches!(tasks.slots[key], Slot::Polling(true));
        if poll.is_pending() && !aborted {
            tasks.slots[key] = Slot::Waiting(task, waker);
        } else {
            let ended = tasks.end(key);
            drop(tasks);
            drop((task, ended));
        }
    }

    /// Makes room for the future of a `block_on`.
    pub fn enter_main(&self) -> Main<'_> {
        self.main.set(true);
        let signal = Arc::new(MainWaker { woken: self.woken.clone(), set: AtomicBool::new(true) });
        Main { executor: self, waker: Waker::from(signal.clone()), signal }
    }
}

impl Tasks {
    /// Frees a slot; the caller drops what was in it, with no borrow held.
    #[must_use]
    fn end(&mut self, key: usize) -> Slot {
        self.free.push(key);
        self.count -= 1;
        std::mem::replace(&mut self.slots[key], Slot::Free)
    }
}

/// The future of a `block_on`, seen from the executor.
pub(crate) struct Main<'a> {
    executor: &'a Executor,
    waker: Waker,
    signal: Arc<MainWaker>,
}

impl Main<'_> {
    pub fn waker(&self) -> &Waker {
        &self.waker
    }

    /// Whether the future was woken since this was asked last.
    pub fn take_woken(&self) -> bool {
        self.signal.set.swap(false, Ordering::AcqRel)
    }

    /// Keeps the loop from waiting if the future is woken already.
    pub fn ring_if_woken(&self) {
        if self.signal.set.load(Ordering::Acquire) {
            let _ = self.executor.woken.bell.send();
        }
    }
}

impl Drop for Main<'_> {
    fn drop(&mut self) {
        self.executor.main.set(false);
    }
}

struct MainWaker {
    woken: Arc<Woken>,
    set: AtomicBool,
}

impl Wake for MainWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if !self.set.swap(true, Ordering::AcqRel) {
            self.woken.ring_from_afar();
        }
    }
}
