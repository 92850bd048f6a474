//! The state of a loop: the engine, the executor, and the targets of completions. It does not depend on
//! the type of the callbacks' state.
//!
//! The engine is in a `RefCell`. It is borrowed for one operation at a time, and never while user
//! code runs, which includes the drop of a closure or a future.

use std::any::TypeId;
use std::cell::{Cell, OnceCell, RefCell, RefMut};
use std::collections::HashMap;
use std::io;
use std::rc::Rc;
use std::sync::Arc;

use mauve_core::pool::Pool;
use mauve_core::{Completion, Engine, HandleId, Mode, Step, WorkCompletion};
use mauve_sys::driver::{Interest, Platform};
use mauve_sys::{Errno, Result};

use crate::home::Home;
use crate::metrics::RunTime;
use crate::process::orphans;
use crate::running::Running;
use crate::targets::{BorrowedTargets, NO_TARGET, Outcome, ReadableWake, Report, Targets};
use crate::task::{Executor, TaskKey};
use crate::time::{ClockPair, SpareTimers, VirtualClock};

pub(crate) struct Core {
    /// For values that are `Send`.
    pub home: Home,
    /// `None` after the loop was closed or dropped.
    engine: RefCell<Option<Engine<Platform>>>,
    pub targets: Targets,
    pub executor: Executor,
    pub run_time: RunTime,
    /// Running children whose `Child` was dropped, and dropped connections with unsent bytes, by the
    /// keys of their futures.
    orphans: RefCell<HashMap<usize, HandleId>>,
    /// Writes to files and standard streams that were accepted.
    pub writes: Arc<Running>,
    /// Jobs of `spawn_blocking`.
    pub jobs: Arc<Running>,
    /// The read buffer of callbacks. Taken while a callback uses it.
    buffer: Cell<Box<[u8]>>,
    /// An idle handle. While it is started, the loop polls with a timeout of zero, because tasks
    /// are woken.
    no_wait_idle: HandleId,
    no_wait: Cell<bool>,
    /// The virtual clock, if the loop has one.
    pub clock: OnceCell<VirtualClock>,
    /// For the deadlines of sleeps.
    pub clock_pair: Cell<Option<ClockPair>>,
    pub spare_timers: SpareTimers,
    /// The type of the state that the callbacks get.
    pub state_type: TypeId,
}

impl Core {
    fn new(state_type: TypeId) -> Result<Self> {
        mauve_trace::install();
        orphans::reap();
        let mut driver = Platform::new()?;
        driver.disable_cancellation();
        let mut engine = Engine::new(driver, Pool::of_process())?;
        engine.accept_in_bursts(true);
        // Other threads notify the loop of woken tasks through this handle. Like the idle handle
        // below, it does not keep the loop alive.
        let clock = engine.virtual_clock().map(|clock| VirtualClock::of_engine(clock.clone()));
        let notifier = engine.open_async(NO_TARGET);
        engine.set_referenced(notifier, false);
        engine.hide(notifier);
        let executor =
            Executor::new(engine.sender(notifier), engine.probe(), engine.trace_number());
        let no_wait_idle = engine.open_idle(NO_TARGET);
        engine.set_referenced(no_wait_idle, false);
        engine.hide(no_wait_idle);
        Ok(Self {
            home: Home::new(),
            engine: RefCell::new(Some(engine)),
            targets: Targets::default(),
            executor,
            run_time: RunTime::default(),
            orphans: RefCell::default(),
            writes: Arc::default(),
            jobs: Arc::default(),
            buffer: Cell::default(),
            no_wait_idle,
            no_wait: Cell::new(false),
            clock: clock.map_or_else(OnceCell::new, OnceCell::from),
            clock_pair: Cell::default(),
            spare_timers: SpareTimers::default(),
            state_type,
        })
    }

    /// As [`new`](Self::new). Traces have the names of callbacks, and `mauve why` lists the tasks.
    pub fn new_shared(state_type: TypeId) -> Result<Rc<Self>> {
        let core = Rc::new(Self::new(state_type)?);
        Home::register(&core);
        let weak = Rc::downgrade(&core);
        let tasks = move || weak.upgrade().map(|core| core.executor.items()).unwrap_or_default();
        let weak = Rc::downgrade(&core);
        let name_of = move |kind, token| {
            weak.upgrade().map(|core| core.targets.name_of(kind, token)).unwrap_or_default()
        };
        core.engine(|engine| {
            engine.set_host_items(Box::new(tasks));
            engine.set_callback_names(Box::new(name_of));
        });
        Ok(core)
    }

    /// Continues the run until the next callback, or its end. Inlined, as the wait is: a return that
    /// follows a system call is predicted badly.
    #[inline(always)]
    pub fn next(&self, mode: Mode) -> Result<Step> {
        let tasks = self.executor.alive();
        // Not `engine_with_tasks`, which would copy the result.
        let mut engine = self.engine.borrow_mut();
        let engine = engine.as_mut().expect(CLOSED);
        engine.set_host_references(tasks);
        let step = engine.next(mode);
        if let Ok(step) = &step {
            engine.trace_step(step);
        }
        step
    }

    /// Whether a task or the future of a `block_on` is to be polled before the next callback.
    #[inline]
    pub fn has_woken_tasks(&self) -> bool {
        self.executor.has_woken() || self.executor.block_on_is_woken()
    }

    /// Polls the tasks that are woken. If that wakes others, the loop does not wait.
    #[inline]
    pub fn poll_tasks(&self) {
        if self.executor.has_woken() {
            self.executor.poll_woken();
        }
        self.update_no_wait();
    }

    /// Polls the tasks that have yielded, after those that are woken. Called in the idle phase.
    pub fn poll_yielded(&self) {
        self.executor.resume_yielded();
        self.poll_tasks();
    }

    /// Wakes a task and polls it. If others were woken earlier, they are polled first.
    #[inline(always)]
    pub fn poll_task(&self, task: TaskKey) {
        if self.executor.has_woken() {
            self.executor.wake(task);
            self.poll_tasks();
        } else {
            self.executor.poll(task);
            self.update_no_wait();
        }
    }

    /// Makes the loop poll with a timeout of zero while there are tasks to poll.
    #[inline]
    fn update_no_wait(&self) {
        self.set_no_wait(self.executor.has_woken() || self.executor.has_yielded());
    }

    /// Sets whether the loop polls with a timeout of zero.
    #[inline]
    pub fn set_no_wait(&self, on: bool) {
        if self.no_wait.get() != on {
            self.change_no_wait(on);
        }
    }

    #[cold]
    fn change_no_wait(&self, on: bool) {
        self.no_wait.set(on);
        self.engine(|engine| {
            let mut idle = engine.hook(self.no_wait_idle).expect("it is never closed");
            if on {
                idle.start().expect("it is never closed");
            } else {
                idle.stop();
            }
        });
    }

    /// Delivers a completion to a future. Returns the task to [poll](Self::poll_task), if the
    /// future belongs to one.
    #[inline]
    pub fn complete_future(
        &self,
        targets: BorrowedTargets<'_>,
        key: usize,
        report: Report<'_>,
    ) -> Option<TaskKey> {
        let outcome = match report {
            Report::Work(WorkCompletion::Read { result, .. }) => Outcome::Read(*result),
            Report::Work(_) => {
                self.engine(|engine| engine.take_carried()).map_or(Outcome::Finished, Outcome::Work)
            }
            Report::Event(Completion::Exit { exit, .. }) => Outcome::Exit(*exit),
            Report::Event(Completion::Signal { .. }) => Outcome::Signal,
            Report::Event(_) => Outcome::Finished,
            Report::Hook(..) => Outcome::Timer,
        };
        let task = Targets::complete_future(targets, key, outcome);
        if let Report::Event(Completion::Exit { .. } | Completion::Shutdown { .. }) = report {
            self.close_orphan(key);
            orphans::reap();
        }
        task
    }

    #[cold]
    fn close_orphan(&self, key: usize) {
        if let Some(id) = self.orphans.borrow_mut().remove(&key) {
            self.try_engine(|engine| engine.close_handle(id));
        }
    }

    /// Keeps a handle whose last reference was dropped, until the child exits or the connection is
    /// shut down.
    pub fn add_orphan(&self, key: usize, id: HandleId) {
        self.orphans.borrow_mut().insert(key, id);
    }

    /// Performs an operation on the engine.
    ///
    /// # Panics
    /// Panics if the loop is closed.
    pub fn engine<R>(&self, operation: impl FnOnce(&mut Engine<Platform>) -> R) -> R {
        self.try_engine(operation).expect(CLOSED)
    }

    /// As [`engine`](Self::engine). `EINVAL` if the loop is closed.
    pub fn engine_result<R>(
        &self,
        operation: impl FnOnce(&mut Engine<Platform>) -> Result<R>,
    ) -> Result<R> {
        self.try_engine(operation).unwrap_or(Err(Errno::EINVAL))
    }

    /// As [`engine`](Self::engine). `None` if the loop is closed.
    #[inline]
    pub fn try_engine<R>(&self, operation: impl FnOnce(&mut Engine<Platform>) -> R) -> Option<R> {
        self.engine.borrow_mut().as_mut().map(operation)
    }

    /// Borrows the engine. `EINVAL` if the loop is closed. For operations with a system call: a closure
    /// may become a function, and a return that follows a system call is predicted badly.
    #[inline(always)]
    pub fn borrow_engine(&self) -> Result<RefMut<'_, Engine<Platform>>> {
        RefMut::filter_map(self.engine.borrow_mut(), Option::as_mut).map_err(|_| Errno::EINVAL)
    }

    pub fn is_closed(&self) -> bool {
        self.engine.borrow().is_none()
    }

    /// # Panics
    /// Panics if the loop is closed.
    pub fn assert_open(&self) {
        assert!(!self.is_closed(), "{CLOSED}");
    }

    /// Drops the engine: closes the descriptors of its handles.
    pub fn close_engine(&self) {
        let engine = self.engine.take();
        if let Some(mut engine) = engine {
            orphans::adopt(engine.take_children(|token| self.targets.is_future(token)));
            drop(engine);
            self.targets.close(&self.executor);
        }
    }

    /// As [`try_engine`](Self::try_engine), for an operation that depends on whether the loop is
    /// alive. Tasks keep it alive, and the engine has to be given their number.
    pub fn engine_with_tasks<R>(
        &self,
        operation: impl FnOnce(&mut Engine<Platform>) -> R,
    ) -> Option<R> {
        let tasks = self.executor.alive();
        self.try_engine(|engine| {
            engine.set_host_references(tasks);
            operation(engine)
        })
    }
}

impl Core {
    /// Fails if another loop runs on this thread. Its task would wait for ever, because this loop reports
    /// no event meanwhile. `what` is what the task waits for.
    #[inline]
    pub fn check_current(&self, what: &str) -> io::Result<()> {
        let is_own = |current: &Self| std::ptr::eq(current, self);
        if with_current(is_own).unwrap_or(true) { Ok(()) } else { self.other_current(what) }
    }

    /// [`check_current`](Self::check_current) for a future without an error of its own.
    ///
    /// # Panics
    /// Panics if another loop runs on this thread.
    #[inline]
    pub fn assert_current(&self, what: &str) {
        self.check_current(what).unwrap_or_else(|error| panic!("{error}"));
    }

    #[cold]
    fn other_current(&self, what: &str) -> io::Result<()> {
        let Some(own) = self.number() else { return Ok(()) };
        Err(io::Error::other(awaited_elsewhere(what, own)))
    }

    /// The number of the loop in traces. `None` if it is closed.
    fn number(&self) -> Option<u16> {
        self.try_engine(|engine| engine.trace_number())
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        self.home.unregister();
    }
}

/// The message for what belongs to the loop `own`, and is awaited in the one that runs on this thread.
#[cold]
pub(crate) fn awaited_elsewhere(what: &str, own: u16) -> String {
    let current = with_current(Core::number).flatten().unwrap_or_default();
    format!("{what} of loop {own} is awaited in loop {current}, which runs on the same thread")
}

/// The message of a panic.
const CLOSED: &str = "this loop is closed";

/// Size of the read buffer.
const BUFFER_SIZE: usize = 64 * 1024;

impl Core {
    /// Takes the read buffer. A nested call gets a new one.
    pub fn take_buffer(&self) -> Box<[u8]> {
        let buffer = self.buffer.take();
        if buffer.is_empty() { vec![0; BUFFER_SIZE].into() } else { buffer }
    }

    pub fn return_buffer(&self, buffer: Box<[u8]>) {
        self.buffer.set(buffer);
    }

    /// Delivers a completion to a socket of tasks, except in the common case, which
    /// `SocketTarget::wake_only_reader` handles.
    #[inline(never)]
    pub fn complete_socket(&self, key: usize, completion: &Completion) {
        let Self { targets, executor, .. } = self;
        match completion {
            Completion::Readable(_) | Completion::Receivable(_) => {
                if let ReadableWake::NoReader(id) = targets.readable(key, executor) {
                    self.engine(|engine| stop_reading(engine, id));
                }
            }
            Completion::Close(_) => drop(targets.remove(key)),
            Completion::Poll { result, .. } => {
                if let Some((id, interest)) = targets.polled(key, *result, executor) {
                    self.engine(|engine| set_poll_interest(engine, id, interest));
                }
            }
            _ => targets.complete_socket(key, completion, executor),
        }
    }
}

/// Stops watching a socket for readability, since no task waits for it. The data stays in the
/// socket.
#[cold]
fn stop_reading(engine: &mut Engine<Platform>, id: HandleId) {
    if let Some(mut stream) = engine.stream(id) {
        stream.stop_reading();
    } else if let Some(mut udp) = engine.udp(id) {
        udp.stop_receiving();
    }
}

/// Polls a descriptor for the tasks that still wait for it.
fn set_poll_interest(engine: &mut Engine<Platform>, id: HandleId, interest: Interest) {
    if let Some(mut poll) = engine.poll(id) {
        // It fails only if the handle is closing. An empty interest stops it.
        let _ = poll.start(interest);
    }
}

thread_local! {
    /// The loops that run on this thread, innermost last. For free functions such as `spawn`.
    static CURRENT: RefCell<Vec<Rc<Core>>> = const { RefCell::new(Vec::new()) };
}

/// The loop that runs on this thread, if there is one.
pub(crate) fn try_current() -> Option<Rc<Core>> {
    let last = |current: &RefCell<Vec<Rc<Core>>>| current.borrow().last().cloned();
    // The thread may be exiting: a thread-local of the program may own a loop.
    CURRENT.try_with(last).ok().flatten()
}

/// The loop that runs on this thread.
#[track_caller]
pub(crate) fn current() -> Rc<Core> {
    try_current().expect(NO_LOOP)
}

/// The message of a panic.
const NO_LOOP: &str = "no loop runs on this thread: call this function from a task or a callback, or use \
                       the method of `Loop`";

/// Calls `action` with the loop that runs on this thread.
#[track_caller]
pub(crate) fn on_current<R>(action: impl FnOnce(&Core) -> R) -> R {
    with_current(action).expect(NO_LOOP)
}

/// Calls `action` with the loop that runs on this thread, if there is one.
pub(crate) fn with_current<R>(action: impl FnOnce(&Core) -> R) -> Option<R> {
    let run = |current: &RefCell<Vec<Rc<Core>>>| current.borrow().last().map(|core| action(core));
    // Wakers may outlive the thread-local at thread exit.
    CURRENT.try_with(run).ok().flatten()
}

/// Makes a loop the current one of this thread until dropped. Does nothing while the thread exits.
pub(crate) struct CurrentGuard(());

impl CurrentGuard {
    pub fn set(core: Rc<Core>) -> Self {
        let _ = CURRENT.try_with(|current| current.borrow_mut().push(core));
        Self(())
    }
}

impl Drop for CurrentGuard {
    fn drop(&mut self) {
        let last = CURRENT.try_with(|current| current.borrow_mut().pop());
        // This may be the last reference to the loop: drop it with no borrow held.
        drop(last);
    }
}

/// Maximum number of threads of this process's pool: `UV_THREADPOOL_SIZE`, or four. The threads of
/// [`spawn_blocking`](crate::spawn_blocking) are not counted.
pub fn thread_pool_size() -> usize {
    Pool::of_process().size()
}
