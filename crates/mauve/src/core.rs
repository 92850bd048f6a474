//! What a loop is made of, apart from its callbacks.
//!
//! The engine sits in a `RefCell` that is borrowed for the length of one operation and never
//! while code of the user runs, including the drop of a closure or a future.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use mauve_core::pool::Pool;
use mauve_core::{Batch, Completion, Engine, HandleId, Mode, Step, Token};
use mauve_sys::Result;
use mauve_sys::driver::Platform;
use mauve_sys::fork::PerProcess;

use crate::net::{Reader, Sockets};
use crate::task::{Executor, Futures, News, TaskKey};

static POOL: PerProcess<Pool> = PerProcess::new();

/// The engine, the tasks, and the futures that wait for completions.
pub(crate) struct Core {
    engine: RefCell<Engine<Platform>>,
    pub futures: Futures,
    pub sockets: Sockets,
    pub executor: Executor,
    /// Children that nobody waits for, by the keys of their futures.
    orphans: RefCell<HashMap<usize, HandleId>>,
    /// Where streams read into; out while a callback looks at it.
    buffer: Cell<Box<[u8]>>,
    /// An idle handle that keeps the loop from waiting while there are tasks to be polled.
    restless: HandleId,
    is_restless: Cell<bool>,
    pub closed: Cell<bool>,
}

impl Core {
    pub fn new() -> Result<Self> {
        let mut engine = Engine::new(Platform::new()?, pool().clone())?;
        // The bell by which other threads announce woken tasks. It is no reason to stay alive.
        let bell = engine.open_async(BELL);
        engine.set_referenced(bell, false);
        engine.hide(bell);
        let executor = Executor::new(engine.sender(bell));
        let restless = engine.open_idle(BELL);
        engine.set_referenced(restless, false);
        engine.hide(restless);
        Ok(Self {
            engine: RefCell::new(engine),
            futures: Futures::default(),
            sockets: Sockets::default(),
            executor,
            orphans: RefCell::default(),
            buffer: Cell::default(),
            restless,
            is_restless: Cell::new(false),
            closed: Cell::new(false),
        })
    }

    /// Continues the run until there is a callback to run, or the run is over.
    pub fn next(&self, mode: Mode) -> Result<Step> {
        self.engine_with_tasks(|engine| engine.next(mode))
    }

    /// The next completion of a batch, unless [`next`](Self::next) has to be asked before.
    #[inline(always)]
    pub fn next_in(&self, batch: Batch) -> Option<Completion> {
        self.engine(|engine| batch.next(engine))
    }

    /// Whether another callback may follow at once on the one that was run last. That is not so if
    /// a task is polled before.
    #[inline]
    pub fn follow_on(&self) -> bool {
        !self.executor.has_woken() && !self.executor.main_is_woken()
    }

    /// Polls the tasks that are woken. If there are others then, the loop does not wait.
    #[inline]
    pub fn poll_tasks(&self) {
        if self.executor.has_woken() {
            self.executor.poll_woken();
            self.set_restless(self.executor.has_woken());
        } else {
            self.set_restless(false);
        }
    }

    /// Polls a task that is woken by what has just happened, and those that were woken before.
    #[inline]
    pub fn poll_task(&self, task: TaskKey) {
        if self.executor.has_woken() {
            self.executor.wake(task);
            self.poll_tasks();
        } else {
            self.executor.poll(task);
            self.set_restless(self.executor.has_woken());
        }
    }

    /// Keeps the loop from waiting, or does not.
    #[inline]
    pub fn set_restless(&self, on: bool) {
        if self.is_restless.get() != on {
            self.change_restless(on);
        }
    }

    #[cold]
    fn change_restless(&self, on: bool) {
        self.is_restless.set(on);
        self.engine(|engine| {
            let mut idle = engine.hook(self.restless).expect("it is never closed");
            if on {
                idle.start().expect("it is never closed");
            } else {
                idle.stop();
            }
        });
    }

    /// Delivers a completion to a future. Returns the task that waits for it, if it is known: it is
    /// to be [polled](Self::poll_task).
    #[inline]
    pub fn complete_future(&self, key: usize, completion: &Completion) -> Option<TaskKey> {
        let news = match *completion {
            Completion::Work { .. } => {
                self.engine(|engine| engine.take_carried()).map_or(News::Over, News::Work)
            }
            Completion::Read { result, .. } => News::Read(result),
            Completion::Exit { exit, .. } => News::Exit(exit),
            Completion::Timer(_) => News::Due,
            _ => News::Over,
        };
        let task = self.futures.complete(key, news);
        if let Completion::Exit { .. } = completion {
            self.close_orphan(key);
        }
        task
    }

    #[cold]
    fn close_orphan(&self, key: usize) {
        if let Some(id) = self.orphans.borrow_mut().remove(&key) {
            self.engine(|engine| engine.close_handle(id));
        }
    }

    /// Sees a child to its end that nobody waits for any more.
    pub fn adopt(&self, key: usize, id: HandleId) {
        self.orphans.borrow_mut().insert(key, id);
    }

    /// Does one operation on the engine. What is corked leaves before it.
    pub fn engine<R>(&self, operation: impl FnOnce(&mut Engine<Platform>) -> R) -> R {
        self.engine_for_write(|engine| {
            if engine.is_corked() {
                engine.flush_cork();
            }
            operation(engine)
        })
    }

    /// As [`engine`](Self::engine), for a write: it may join what is corked.
    pub fn engine_for_write<R>(&self, write: impl FnOnce(&mut Engine<Platform>) -> R) -> R {
        assert!(!self.closed.get(), "this loop is closed");
        write(&mut self.engine.borrow_mut())
    }

    /// As [`engine`](Self::engine), for an operation that depends on what keeps the loop alive:
    /// tasks do, and the engine knows nothing of them.
    pub fn engine_with_tasks<R>(&self, operation: impl FnOnce(&mut Engine<Platform>) -> R) -> R {
        let tasks = self.executor.alive();
        self.engine(|engine| {
            engine.set_host_references(tasks);
            operation(engine)
        })
    }
}

/// How much is read at once.
const BUFFER_SIZE: usize = 64 * 1024;

impl Core {
    pub fn take_buffer(&self) -> Box<[u8]> {
        let buffer = self.buffer.take();
        if buffer.is_empty() { vec![0; BUFFER_SIZE].into() } else { buffer }
    }

    pub fn put_buffer_back(&self, buffer: Box<[u8]>) {
        self.buffer.set(buffer);
    }

    /// Delivers a completion to the task that has the socket. Returns the task that waits for it, if
    /// it is known: it is to be [polled](Self::poll_task).
    #[inline]
    pub fn complete_socket(&self, key: usize, completion: &Completion) -> Option<TaskKey> {
        if let Completion::Readable(_) | Completion::Receivable(_) = completion {
            match self.sockets.readable(key, &self.executor) {
                Reader::Task(task) => return Some(task),
                Reader::Woken => {}
                // They still have to take what was there before.
                Reader::Nobody(id) => self.engine(|engine| stop_watching(engine, id)),
            }
        } else {
            self.complete_rarely(key, completion);
        }
        None
    }

    #[inline(never)]
    fn complete_rarely(&self, key: usize, completion: &Completion) {
        match completion {
            Completion::Close(_) => self.sockets.release(key),
            Completion::Write { result, .. } => {
                if let Some(id) = self.sockets.written(key, *result, &self.executor) {
                    self.engine(|engine| engine.close_handle(id));
                }
            }
            _ => self.sockets.complete(key, completion, &self.executor),
        }
    }
}

/// Has the system no longer tell of what nobody takes.
#[cold]
fn stop_watching(engine: &mut Engine<Platform>, id: HandleId) {
    if let Some(mut stream) = engine.stream(id) {
        stream.stop_reading();
    } else if let Some(mut udp) = engine.udp(id) {
        udp.stop_receiving();
    }
}

thread_local! {
    /// The loop that runs on this thread, for the free functions of the task module.
    static CURRENT: RefCell<Vec<Rc<Core>>> = const { RefCell::new(Vec::new()) };
}

/// The loop that is running on this thread.
pub(crate) fn current() -> Rc<Core> {
    CURRENT.with_borrow(|current| current.last().cloned()).expect(
        "this function works on the loop that runs on the current thread, and none does: call it \
         from a task or a callback, or use the method of `Loop`",
    )
}

/// Does something with the loop that is running on this thread, if there is one.
pub(crate) fn with_current<R>(action: impl FnOnce(&Core) -> R) -> Option<R> {
    let run = |current: &RefCell<Vec<Rc<Core>>>| current.borrow().last().map(|core| action(core));
    // At the end of a thread there may be wakers left, and no loop.
    CURRENT.try_with(run).ok().flatten()
}

/// While this exists, a loop is the current one.
pub(crate) struct Current(());

impl Current {
    pub fn set(core: Rc<Core>) -> Self {
        CURRENT.with_borrow_mut(|current| current.push(core));
        Self(())
    }
}

impl Drop for Current {
    fn drop(&mut self) {
        let last = CURRENT.with_borrow_mut(Vec::pop);
        // Perhaps the last name of the loop: it goes with no borrow held.
        drop(last);
    }
}

/// Tokens with the first bit belong to a future, with the second to a task's socket, with the third
/// to a request with a callback, the others to a handle with callbacks.
const FUTURE: u64 = 1 << 63;
const SOCKET: u64 = 1 << 62;
const REQUEST: u64 = 1 << 61;

/// The token of the handles by which the executor has itself called.
const BELL: Token = Token(u64::MAX);

/// Whom a completion is for.
pub(crate) enum Receiver {
    Callback(usize),
    Request(usize),
    Future(usize),
    Socket(usize),
    Executor,
}

pub(crate) fn callback_token(key: usize) -> Token {
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
pub(crate) fn is_callback(token: Token) -> bool {
    token.0 & (FUTURE | SOCKET | REQUEST) == 0
}

#[inline]
pub(crate) fn receiver(token: Token) -> Receiver {
    let key = (token.0 & !(FUTURE | SOCKET | REQUEST)) as usize;
    match token.0 & (FUTURE | SOCKET | REQUEST) {
        0 => Receiver::Callback(key),
        REQUEST => Receiver::Request(key),
        SOCKET => Receiver::Socket(key),
        FUTURE => Receiver::Future(key),
        _ => Receiver::Executor,
    }
}

/// How many threads the pool of this process has at most: `UV_THREADPOOL_SIZE`, or four.
pub fn pool_size() -> usize {
    pool().size()
}

fn pool() -> &'static Pool {
    POOL.get_or_make(Pool::default)
}
