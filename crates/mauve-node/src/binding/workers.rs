//! Threads of `worker_threads`: each has a loop and an engine of its own.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};

use mauve::Async;
use mauve_core::wakeups::AsyncSender;
use mauve_quickjs::BlockedWaits;
use rquickjs::{Ctx, Function, Object, Persistent, Result};

use super::messaging::{self, PortEnd};
use super::{define, throw};
use crate::flags::CommandLine;
use crate::host::{self, Options, current};

/// What a new worker gets: its number, and its ends of two channels, for messages of the script and of the modules.
pub(crate) struct WorkerStart {
    thread_id: u32,
    ports: Vec<PortEnd>,
    stop: Arc<Stop>,
}

/// How a worker is ended from another thread.
#[derive(Default)]
pub(crate) struct Stop {
    is_requested: AtomicBool,
    code: AtomicI32,
}

impl Stop {
    pub fn is_requested(&self) -> bool {
        self.is_requested.load(Ordering::Acquire)
    }

    /// Requests the end. The first code counts.
    fn request(&self, code: i32) {
        if !self.is_requested.swap(true, Ordering::AcqRel) {
            self.code.store(code, Ordering::Release);
        }
    }
}

/// A worker that this thread has started.
struct Started {
    stop: Arc<Stop>,
    /// Wakes the loop of the worker, and ends what blocks it. Set when it has a loop.
    worker: Arc<std::sync::Mutex<Option<(AsyncSender, BlockedWaits)>>>,
    on_exit: Async,
}

thread_local! {
    static WORKERS: RefCell<HashMap<u32, Started>> = RefCell::default();
    /// In a worker: its start, until the modules take it.
    static START: Cell<Option<WorkerStart>> = const { Cell::new(None) };
}

/// JavaScript uses at most five eighths of it.
const STACK_SIZE: usize = 8 << 20;

static LAST_THREAD: AtomicU32 = AtomicU32::new(0);

pub(super) fn fill<'js>(object: &Object<'js>) -> Result<()> {
    define(
        object,
        "start",
        |ctx: Ctx<'js>,
         words: Option<Vec<String>>,
         ports: Vec<u32>,
         name: String,
         callback: Persistent<Function<'static>>| {
            let ports = ports.into_iter().filter_map(messaging::remove).collect();
            start(&ctx, words, ports, name, callback)
        },
    )?;
    define(object, "checkFlags", |words: Vec<String>| {
        words.into_iter().find(|word| CommandLine::parse(vec![word.clone()]).is_err())
    })?;
    define(object, "setRef", |id: u32, on: bool| {
        WORKERS.with_borrow(|workers| match workers.get(&id) {
            Some(worker) if on => worker.on_exit.ref_(),
            Some(worker) => worker.on_exit.unref(),
            None => {}
        })
    })?;
    define(object, "terminate", |id: u32| {
        WORKERS.with_borrow(|workers| {
            if let Some(worker) = workers.get(&id) {
                worker.stop.request(1);
                let lock = worker.worker.lock().unwrap_or_else(|lock| lock.into_inner());
                if let Some((sender, waits)) = &*lock {
                    let _ = sender.send();
                    waits.interrupt();
                }
            }
        })
    })?;
    define(object, "take", || {
        START.take().map(|start| {
            let ports = start.ports.into_iter().map(messaging::add);
            std::iter::once(start.thread_id).chain(ports).collect::<Vec<u32>>()
        })
    })?;
    define(object, "exit", |ctx: Ctx<'js>, code: i32| -> Result<()> {
        if let Some(stop) = &current().stop {
            stop.request(code);
        }
        Err(mauve_quickjs::throw_uncatchable(&ctx))
    })
}

/// Starts a thread. Returns its number. Calls back with the exit code when it has ended.
fn start(
    ctx: &Ctx<'_>,
    words: Option<Vec<String>>,
    ports: Vec<PortEnd>,
    name: String,
    callback: Persistent<Function<'static>>,
) -> Result<u32> {
    let thread_id = LAST_THREAD.fetch_add(1, Ordering::Relaxed) + 1;
    let stop = Arc::<Stop>::default();
    let result = Arc::new(AtomicI32::new(0));
    let code = result.clone();
    let on_exit = Async::new(&current().lp, move |(), on_exit: &Async| {
        on_exit.close();
        WORKERS.with_borrow_mut(|workers| workers.remove(&thread_id));
        let code = code.load(Ordering::Acquire);
        current().call_back(&callback, |_, args| args.push_arg(code));
    });
    // JavaScript has checked the words.
    let line = match words {
        Some(words) => CommandLine::parse(words).unwrap_or_default(),
        None => {
            let CommandLine { flags, exec_argv, .. } = current().options.line.clone();
            CommandLine { flags, exec_argv, ..CommandLine::default() }
        }
    };
    let options = Options { argv0: current().options.argv0.clone(), line, ..Options::default() };
    let worker = Arc::<std::sync::Mutex<Option<(AsyncSender, BlockedWaits)>>>::default();
    let (sender, own) = (on_exit.sender(), worker.clone());
    let begin = WorkerStart { thread_id, ports, stop: stop.clone() };
    let spawned = std::thread::Builder::new().name(name).stack_size(STACK_SIZE).spawn(move || {
        let stop = begin.stop.clone();
        START.set(Some(begin));
        let code = host::run_worker(options, stop.clone(), |sender, waits| {
            *own.lock().unwrap_or_else(|lock| lock.into_inner()) = Some((sender, waits));
        });
        START.take();
        super::waits::close_all();
        messaging::close_all();
        let code = if stop.is_requested() { stop.code.load(Ordering::Acquire) } else { code };
        result.store(code, Ordering::Release);
        let _ = sender.send();
    });
    if let Err(error) = spawned {
        on_exit.close();
        let errno = mauve::Errno::from_raw(error.raw_os_error().unwrap_or(libc::EAGAIN));
        return throw(ctx, errno);
    }
    WORKERS.with_borrow_mut(|workers| workers.insert(thread_id, Started { stop, worker, on_exit }));
    Ok(thread_id)
}
