//! The state of a loop that does not depend on its callbacks' type: the engine, the executor, and
//! the tables of futures and sockets.
//!
//! The engine is in a `RefCell`. It is borrowed for one operation at a time, and never while user
//! code runs, which includes the drop of a closure or a future.

use std::any::Any;
use std::cell::{Cell, RefCell, RefMut};
use std::collections::HashMap;
use std::rc::{Rc, Weak};

use mauve_core::pool::Pool;
use mauve_core::trace::{self, CallbackKind};
use mauve_core::{Batch, Completion, Engine, HandleId, Mode, Step, Token};
use mauve_sys::driver::{Interest, Platform};
use mauve_sys::fork::PerProcess;
use mauve_sys::{Errno, Result};

use crate::callbacks::Callbacks;
use crate::metrics::RunTime;
use crate::net::{ReadableWake, Sockets};
use crate::process::orphans;
use crate::task::{Executor, Futures, Outcome, TaskKey};

static POOL: PerProcess<Pool> = PerProcess::new();

pub(crate) struct Core {
    /// `None` after the loop was closed or dropped.
    engine: RefCell<Option<Engine<Platform>>>,
    pub futures: Futures,
    pub sockets: Sockets,
    pub executor: Executor,
    pub run_time: RunTime,
    /// Running children whose `Child` was dropped, and dropped connections with unsent bytes, by the
    /// keys of their futures.
    orphans: RefCell<HashMap<usize, HandleId>>,
    /// The read buffer of callbacks. Taken while a callback uses it.
    buffer: Cell<Box<[u8]>>,
    /// An idle handle. While it is started, the loop polls with a timeout of zero, because tasks
    /// are woken.
    no_wait_idle: HandleId,
    no_wait: Cell<bool>,
    /// The callbacks of the loop, whatever its state's type.
    callbacks: Weak<dyn Any>,
}

impl Core {
    fn new(callbacks: Weak<dyn Any>) -> Result<Self> {
        mauve_trace::install();
        orphans::reap();
        let mut driver = Platform::new()?;
        driver.disable_cancellation();
        let mut engine = Engine::new(driver, pool().clone())?;
        engine.accept_in_bursts(true);
        // Other threads notify the loop of woken tasks through this handle. Like the idle handle
        // below, it does not keep the loop alive.
        let notifier = engine.open_async(NO_CALLBACK);
        engine.set_referenced(notifier, false);
        engine.hide(notifier);
        let executor = Executor::new(engine.sender(notifier), engine.probe());
        let no_wait_idle = engine.open_idle(NO_CALLBACK);
        engine.set_referenced(no_wait_idle, false);
        engine.hide(no_wait_idle);
        Ok(Self {
            engine: RefCell::new(Some(engine)),
            futures: Futures::default(),
            sockets: Sockets::default(),
            executor,
            run_time: RunTime::default(),
            orphans: RefCell::default(),
            buffer: Cell::default(),
            no_wait_idle,
            no_wait: Cell::new(false),
            callbacks,
        })
    }

    /// As [`new`](Self::new). The tasks are listed by `mauve why`.
    pub fn new_shared(callbacks: Weak<dyn Any>) -> Result<Rc<Self>> {
        let core = Rc::new(Self::new(callbacks)?);
        let weak = Rc::downgrade(&core);
        let tasks = move || weak.upgrade().map(|core| core.executor.items()).unwrap_or_default();
        core.engine(|engine| engine.set_host_items(Box::new(tasks)));
        Ok(core)
    }

    /// The callbacks, if their state is of the type `S`.
    pub fn callbacks<S: 'static>(&self) -> Option<Rc<Callbacks<S>>> {
        self.callbacks.upgrade()?.downcast().ok()
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
        if trace::is_on()
            && let Ok(Step::Call(completion)) = &step
        {
            engine.trace_callback(CallbackKind::of(completion), completion.token());
        }
        step
    }

    /// The next completion of a batch. `None` if the host has to call [`next`](Self::next).
    #[inline(always)]
    pub fn next_in(&self, batch: Batch) -> Option<Completion> {
        self.engine(|engine| {
            let completion = batch.next(engine);
            if trace::is_on()
                && let Some(completion) = completion
            {
                engine.trace_callback(CallbackKind::of(&completion), completion.token());
            }
            completion
        })
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
    pub fn complete_future(&self, key: usize, completion: &Completion) -> Option<TaskKey> {
        let outcome = match *completion {
            Completion::Work { .. } => {
                self.engine(|engine| engine.take_carried()).map_or(Outcome::Finished, Outcome::Work)
            }
            Completion::Read { result, .. } => Outcome::Read(result),
            Completion::Exit { exit, .. } => Outcome::Exit(exit),
            Completion::Timer(_) => Outcome::Timer,
            Completion::Signal { .. } => Outcome::Signal,
            _ => Outcome::Finished,
        };
        let task = self.futures.complete(key, outcome);
        if let Completion::Exit { .. } | Completion::Shutdown { .. } = completion {
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

    /// Drops the engine: closes the descriptors of its handles.
    pub fn close_engine(&self) {
        let engine = self.engine.take();
        if let Some(mut engine) = engine {
            let is_future = |token| matches!(completion_target(token), CompletionTarget::Future(_));
            orphans::adopt(engine.take_children(is_future));
            drop(engine);
            self.sockets.close(&self.executor);
            self.futures.close();
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

    /// Delivers a completion to a socket of a task. Returns the task to [poll](Self::poll_task), if
    /// one waits for it.
    #[inline(always)]
    pub fn complete_socket(&self, key: usize, completion: &Completion) -> Option<TaskKey> {
        if let Completion::Readable(_) | Completion::Receivable(_) = completion {
            match self.sockets.readable(key, &self.executor) {
                ReadableWake::Task(task) => return Some(task),
                ReadableWake::Woken => {}
                ReadableWake::NoReader(id) => self.engine(|engine| stop_reading(engine, id)),
            }
        } else {
            self.complete_socket_cold(key, completion);
        }
        None
    }

    #[inline(never)]
    fn complete_socket_cold(&self, key: usize, completion: &Completion) {
        match completion {
            Completion::Close(_) => self.sockets.release(key),
            Completion::Poll { result, .. } => {
                if let Some((id, interest)) = self.sockets.polled(key, *result, &self.executor) {
                    self.engine(|engine| set_poll_interest(engine, id, interest));
                }
            }
            _ => self.sockets.complete(key, completion, &self.executor),
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
    try_current().expect(
        "no loop runs on this thread: call this function from a task or a callback, or use the \
         method of `Loop`",
    )
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

/// The upper bits of a token say what its key belongs to: a future, a socket of a task, or a
/// request with a callback. Without any of them the key belongs to a handle with callbacks.
const FUTURE: u64 = 1 << 63;
const SOCKET: u64 = 1 << 62;
const REQUEST: u64 = 1 << 61;

/// The token of what has no callback: the executor's own handles, and writes without one.
pub(crate) const NO_CALLBACK: Token = Token(u64::MAX);

/// What a completion is delivered to, with its key.
pub(crate) enum CompletionTarget {
    Handle(usize),
    Request(usize),
    Future(usize),
    Socket(usize),
    NoCallback,
}

pub(crate) fn handle_token(key: usize) -> Token {
    Token(key as u64)
}

pub(crate) fn request_token(key: usize) -> Token {
    Token(key as u64 | REQUEST)
}

pub(crate) fn future_token(key: usize) -> Token {
    Token(key as u64 | FUTURE)
}

pub(crate) fn socket_token(key: usize) -> Token {
    Token(key as u64 | SOCKET)
}

/// Whether a token belongs to a handle with callbacks.
pub(crate) fn is_handle(token: Token) -> bool {
    token.0 & (FUTURE | SOCKET | REQUEST) == 0
}

#[inline]
pub(crate) fn completion_target(token: Token) -> CompletionTarget {
    let key = (token.0 & !(FUTURE | SOCKET | REQUEST)) as usize;
    match token.0 & (FUTURE | SOCKET | REQUEST) {
        0 => CompletionTarget::Handle(key),
        REQUEST => CompletionTarget::Request(key),
        SOCKET => CompletionTarget::Socket(key),
        FUTURE => CompletionTarget::Future(key),
        _ => CompletionTarget::NoCallback,
    }
}

/// Maximum number of threads of this process's pool: `UV_THREADPOOL_SIZE`, or four.
/// [`spawn_blocking`](crate::spawn_blocking) has as many again.
pub fn thread_pool_size() -> usize {
    pool().size()
}

fn pool() -> &'static Pool {
    POOL.get_or_init(Pool::default)
}
