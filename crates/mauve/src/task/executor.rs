//! The tasks of one loop.
//!
//! Who wakes a task decides what that costs. While the loop runs, its own thread does nearly all
//! of it: such a task is *near*, and put into a list that nobody else can see. Everybody else, and
//! that thread when the loop does not run, has a list behind a lock, and rings for the loop.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::num::NonZeroU32;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, RawWakerVTable, Wake, Waker};

use mauve_core::slots::Slots;
use mauve_core::wakeups::Sender;

use crate::core::with_current;

/// A task, its result taken care of.
type Task = Pin<Box<dyn Future<Output = ()>>>;

pub(crate) struct Executor {
    tasks: RefCell<Tasks>,
    /// How many tasks there are.
    count: Cell<usize>,
    /// The task that was woken first of the near ones; most often it is the only one.
    first: Cell<Option<usize>>,
    /// The near ones that were woken after it.
    near: RefCell<Vec<usize>>,
    far: Arc<Far>,
    /// The task that is being polled.
    polled: Cell<Option<Polled>>,
    running: Cell<bool>,
    /// The future of a `block_on`, if one is going on.
    main: RefCell<Option<Arc<MainWaker>>>,
}

/// A task that is being polled, and what its waker is made of.
#[derive(Clone, Copy)]
struct Polled {
    key: TaskKey,
    waker: (*const (), &'static RawWakerVTable),
}

/// Names a task of one executor, by its place, counted from one on. One that has ended may have given
/// its name to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TaskKey(NonZeroU32);

impl TaskKey {
    /// The largest number is nobody's.
    pub fn new(number: u32) -> Option<Self> {
        NonZeroU32::new(number).filter(|number| *number != NonZeroU32::MAX).map(Self)
    }

    pub fn get(self) -> u32 {
        self.0.get()
    }
}

#[derive(Default)]
struct Tasks {
    slots: Slots<Slot>,
    /// Emptied lists, for the next round.
    spare: Vec<usize>,
    spare_far: Vec<Arc<TaskWaker>>,
}

/// A place for a task, in a cache line of its own.
#[repr(align(64))]
struct Slot {
    state: State,
    /// Whether it stands in the list of near ones.
    listed: bool,
}

enum State {
    Free,
    Waiting(Task, Waker),
    /// Being polled; true if it was aborted meanwhile.
    Polling(bool),
}

/// The tasks that were woken from afar. Shared with the wakers, which other threads may hold.
struct Far {
    list: Mutex<Vec<Arc<TaskWaker>>>,
    /// Whether there is something in it.
    any: AtomicBool,
    bell: Sender,
}

impl Far {
    fn list(&self) -> MutexGuard<'_, Vec<Arc<TaskWaker>>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, waker: Arc<TaskWaker>) {
        let mut list = self.list();
        list.push(waker);
        self.any.store(true, Ordering::Release);
        drop(list);
        self.ring();
    }

    fn ring(&self) {
        // A loop that is gone has no tasks left to poll.
        let _ = self.bell.send();
    }

    /// Does something with the executor if its loop is the one that runs on this thread. Returns
    /// whether it is.
    fn if_near(&self, action: impl FnOnce(&Executor)) -> bool {
        let near = with_current(|core| {
            let is_near = std::ptr::eq(&*core.executor.far, self);
            if is_near {
                action(&core.executor);
            }
            is_near
        });
        near == Some(true)
    }
}

struct TaskWaker {
    far: Arc<Far>,
    key: usize,
    /// Whether it stands in the list of far ones.
    listed: AtomicBool,
}

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let near = self.far.if_near(|executor| executor.list(self.key));
        if !near && !self.listed.swap(true, Ordering::AcqRel) {
            self.far.add(self.clone());
        }
    }
}

impl Executor {
    pub fn new(bell: Sender) -> Self {
        Self {
            tasks: RefCell::default(),
            count: Cell::new(0),
            first: Cell::new(None),
            near: RefCell::default(),
            far: Arc::new(Far { list: Mutex::default(), any: AtomicBool::new(false), bell }),
            polled: Cell::new(None),
            running: Cell::new(false),
            main: RefCell::default(),
        }
    }

    /// How many tasks keep the loop alive.
    pub fn alive(&self) -> usize {
        self.count.get() + usize::from(self.main.borrow().is_some())
    }

    /// Whether the future of a `block_on` is to be polled.
    #[inline]
    pub fn main_is_woken(&self) -> bool {
        self.main.borrow().as_ref().is_some_and(|main| main.is_woken())
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
        let key = tasks.slots.take(|_| Slot { state: State::Free, listed: false });
        let listed = AtomicBool::new(false);
        let waker = Arc::new(TaskWaker { far: self.far.clone(), key, listed });
        tasks.slots[key].state = State::Waiting(task, waker.into());
        drop(tasks);
        self.count.set(self.count.get() + 1);
        self.list(key);
        // Outside of a run nobody would look.
        if !self.running.get() {
            self.far.ring();
        }
        key
    }

    /// The task that is being polled, if it is its own waker that `context` has. Who knows the task
    /// needs no waker.
    pub fn task_of(&self, context: &Context<'_>) -> Option<TaskKey> {
        let Polled { key, waker: (data, table) } = self.polled.get()?;
        let waker = context.waker();
        (waker.data() == data && std::ptr::eq(waker.vtable(), table)).then_some(key)
    }

    /// Wakes a task, on the loop's own thread.
    pub fn wake(&self, task: TaskKey) {
        self.list(task.get() as usize - 1);
        // Outside of a run nobody would look.
        if !self.running.get() {
            self.far.ring();
        }
    }

    /// Polls a task now, on the loop's own thread. No other must have been woken before it.
    #[inline]
    pub fn poll(&self, task: TaskKey) {
        self.poll_task(task.get() as usize - 1);
    }

    /// Has a task polled soon.
    fn list(&self, key: usize) {
        if !std::mem::replace(&mut self.tasks.borrow_mut().slots[key].listed, true) {
            match self.first.get() {
                None => self.first.set(Some(key)),
                Some(_) => self.near.borrow_mut().push(key),
            }
        }
    }

    /// Ends a task without polling it again.
    pub fn abort(&self, key: usize) {
        let mut tasks = self.tasks.borrow_mut();
        match &mut tasks.slots[key].state {
            State::Free => {}
            State::Polling(aborted) => *aborted = true,
            State::Waiting(..) => {
                drop(tasks);
                drop(self.end(key));
            }
        }
    }

    /// Whether a task is to be polled.
    #[inline]
    pub fn has_woken(&self) -> bool {
        self.first.get().is_some() || self.far.any.load(Ordering::Acquire)
    }

    /// Polls the tasks that are woken now. Those woken meanwhile have to wait for the next
    /// callback, or, if there is none, for the next iteration.
    pub fn poll_woken(&self) {
        if let Some(first) = self.first.take() {
            let others = !self.near.borrow().is_empty();
            let near = if others { self.take_near() } else { Vec::new() };
            self.poll_task(first);
            if others {
                self.poll_near(near);
            }
        }
        if self.far.any.load(Ordering::Acquire) {
            self.poll_far();
        }
    }

    fn take_near(&self) -> Vec<usize> {
        let spare = std::mem::take(&mut self.tasks.borrow_mut().spare);
        self.near.replace(spare)
    }

    fn poll_near(&self, mut near: Vec<usize>) {
        for key in near.drain(..) {
            self.poll_task(key);
        }
        self.tasks.borrow_mut().spare = near;
    }

    #[cold]
    fn poll_far(&self) {
        let mut far = std::mem::take(&mut self.tasks.borrow_mut().spare_far);
        let mut list = self.far.list();
        std::mem::swap(&mut *list, &mut far);
        self.far.any.store(false, Ordering::Relaxed);
        drop(list);
        for waker in far.drain(..) {
            // Whoever finds it listed relies on the poll that follows: it has to see what they did.
            waker.listed.swap(false, Ordering::AcqRel);
            self.poll_task(waker.key);
        }
        self.tasks.borrow_mut().spare_far = far;
    }

    #[inline(always)]
    fn poll_task(&self, key: usize) {
        let mut tasks = self.tasks.borrow_mut();
        let slot = &mut tasks.slots[key];
        slot.listed = false;
        // A late wake of a task that has ended finds nothing, or a newer task, which does not
        // mind being polled once too often.
        let (mut task, waker) = match std::mem::replace(&mut slot.state, State::Polling(false)) {
            State::Waiting(task, waker) => (task, waker),
            other => {
                slot.state = other;
                return;
            }
        };
        drop(tasks);
        let name = u32::try_from(key + 1).ok().and_then(TaskKey::new);
        let parts = (waker.data(), waker.vtable());
        self.polled.set(name.map(|key| Polled { key, waker: parts }));
        let poll = task.as_mut().poll(&mut Context::from_waker(&waker));
        self.polled.set(None);
        let mut tasks = self.tasks.borrow_mut();
        let slot = &mut tasks.slots[key];
        let aborted = matches!(slot.state, State::Polling(true));
        if poll.is_pending() && !aborted {
            slot.state = State::Waiting(task, waker);
        } else {
            drop(tasks);
            self.end(key);
            drop(task);
        }
    }

    /// Frees a slot; the caller drops what was in it, with no borrow held.
    fn end(&self, key: usize) -> State {
        let mut tasks = self.tasks.borrow_mut();
        tasks.slots.free(key);
        self.count.set(self.count.get() - 1);
        std::mem::replace(&mut tasks.slots[key].state, State::Free)
    }

    /// Makes room for the future of a `block_on`.
    pub fn enter_main(&self) -> Main<'_> {
        let signal = Arc::new(MainWaker { far: self.far.clone(), set: AtomicBool::new(true) });
        self.main.replace(Some(signal.clone()));
        Main { executor: self, waker: Waker::from(signal.clone()), signal }
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

    /// Whether the future is woken.
    pub fn is_woken(&self) -> bool {
        self.signal.is_woken()
    }

    /// Whether the future was woken since this was asked last.
    pub fn take_woken(&self) -> bool {
        // Whoever finds it set relies on the poll that follows: it has to see what they did.
        self.is_woken() && self.signal.set.swap(false, Ordering::AcqRel)
    }
}

impl Drop for Main<'_> {
    fn drop(&mut self) {
        self.executor.main.replace(None);
    }
}

struct MainWaker {
    far: Arc<Far>,
    set: AtomicBool,
}

impl MainWaker {
    fn is_woken(&self) -> bool {
        self.set.load(Ordering::Acquire)
    }
}

impl Wake for MainWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        // The loop's own thread looks before it waits.
        let near = self.far.if_near(|_| self.set.store(true, Ordering::Release));
        if !near && !self.set.swap(true, Ordering::AcqRel) {
            self.far.ring();
        }
    }
}
