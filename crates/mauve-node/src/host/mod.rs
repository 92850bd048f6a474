//! The JavaScript host: one script, one engine, one loop.
//!
//! Every call from the loop into JavaScript goes through [`enter`](Host::enter),
//! [`call_back`](Host::call_back), `run_timers` or `run_immediates`: they call, report exceptions
//! and drain the queues. The bindings get their host with [`current`]. They start operations and
//! never call JavaScript themselves.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use mauve::{Async, Check, Idle, Loop, RunMode, Timer};
use mauve_core::wakeups::AsyncSender;
use mauve_quickjs::{BlockedWaits, InterruptHandler};
use mauve_trace::simulation;
use rquickjs::{Context, Ctx, Runtime};

use crate::binding::waits;
use crate::binding::workers::Stop;
use crate::flags::CommandLine;
use crate::queue::{Immediates, TickQueue, Timers};

pub(crate) mod cjs_exports;
mod drain;
mod hooks;
mod interrupt;
mod module;
pub(crate) mod module_syntax;
mod phase_lines;
mod random;
pub(crate) mod scan;
pub(crate) mod text;
mod timers;
pub(crate) mod traced_calls;
pub(crate) mod views;

pub(crate) use hooks::Hooks;
pub(crate) use interrupt::interruptible;
/// A deferred call of a function of the script.
pub(crate) use mauve_quickjs::DeferredCall as Call;
pub(crate) use module::{compile_function, evaluate_now, run_module, run_script};

use hooks::Rejection;
use phase_lines::Trace;

/// What to run, and how.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The first word of the command line (`process.argv0`).
    pub argv0: String,
    /// Node's options, the script, and its arguments. Without a script and code, the REPL starts.
    pub line: CommandLine,
    /// Whether to trace on standard error what runs in which phase.
    pub phases: bool,
}

/// The state of a running script.
pub(crate) struct Host {
    pub lp: Loop,
    pub options: Options,
    /// How the thread of a worker is ended.
    pub stop: Option<Arc<Stop>>,
    /// Removed before the context is dropped.
    _interrupt: InterruptHandler,
    context: Context,
    ticks: RefCell<TickQueue<Call>>,
    timers: RefCell<Timers<Call>>,
    immediates: RefCell<Immediates<Call>>,
    /// The timer of the loop that serves all timers of the script.
    timer: Timer,
    /// Active while immediates are queued, so that the loop does not block.
    immediate_idle: Idle,
    hooks: OnceCell<Hooks>,
    rejections: RefCell<Vec<Rejection>>,
    trace: Option<Trace>,
    /// The loop's time at the start, from which the script's clock counts.
    origin: u64,
    /// Whether the evaluation of the main module has not settled.
    pub unsettled: Cell<bool>,
    /// When the loop started to run, in milliseconds of the script's clock; negative before that.
    pub loop_start: Cell<f64>,
}

thread_local! {
    static CURRENT: RefCell<Option<Rc<Host>>> = const { RefCell::new(None) };
}

/// The host of the script that runs on this thread.
pub(crate) fn current() -> Rc<Host> {
    CURRENT.with_borrow(|host| host.clone()).expect("only a running script calls bindings")
}

/// Runs a script until the loop has no more work, and returns the exit code. A script may also exit
/// the process itself.
///
/// # Errors
/// If there are no descriptors or no memory left for a loop and an engine.
pub fn run(options: Options) -> Result<i32, Box<dyn std::error::Error>> {
    // As in Node, SIGINT ends a script even if the parent process ignores it.
    mauve_sys::signal::reset_ignored();
    crate::binding::add_inherited();
    let host = Host::new(options, None)?;
    // The engine is leaked: dropping it takes time at exit, and the queues still hold functions of
    // it.
    std::mem::forget(host.clone());
    CURRENT.set(Some(host.clone()));
    host.lp.set_notes(Box::new(|| current().describe_functions()));
    host.run()
}

/// Runs the script of a worker on its own thread. Passes to `ready` a sender that wakes its loop, and what blocks it.
/// Returns the exit code.
pub(crate) fn run_worker(
    options: Options,
    stop: Arc<Stop>,
    ready: impl FnOnce(AsyncSender, BlockedWaits),
) -> i32 {
    let Ok(host) = Host::new(options, Some(stop)) else { return 1 };
    // The queues and the tables of this thread still have functions of the engine when they are dropped.
    std::mem::forget(host.context.clone());
    CURRENT.set(Some(host.clone()));
    let wakeup = Async::new(&host.lp, |(), _| current().lp.stop());
    wakeup.unref();
    ready(wakeup.sender(), host.with(BlockedWaits::of));
    let code = host.run().unwrap_or(1);
    CURRENT.set(None);
    code
}

/// The stack size of JavaScript: five eighths of the limit, at most 5 MiB (the common limit is 8
/// MiB). The rest is for native functions.
fn stack_size() -> usize {
    const MAX: u64 = 5 << 20;
    let limit = rustix::process::getrlimit(rustix::process::Resource::Stack).current;
    limit.map_or(MAX, |limit| (limit / 8 * 5).min(MAX)) as usize
}

/// The heap size of the first garbage collection. Short scripts end before they reach it.
const FIRST_GC_THRESHOLD: usize = 192 << 20;

impl Host {
    fn new(
        options: Options,
        stop: Option<Arc<Stop>>,
    ) -> Result<Rc<Self>, Box<dyn std::error::Error>> {
        let lp: Loop = Loop::new()?;
        lp.accept_singly();
        // Also links the corrected engine.
        assert_ne!(mauve_quickjs::corrections(), 0, "the engine has no corrections");
        let runtime = Runtime::new()?;
        runtime.set_max_stack_size(stack_size());
        runtime.set_gc_threshold(FIRST_GC_THRESHOLD);
        runtime.set_loader(module::EsmLoader, module::EsmLoader);
        runtime.set_host_promise_rejection_tracker(Some(Box::new(hooks::on_rejection)));
        let context = Context::full(&runtime)?;
        context.with(|ctx| mauve_quickjs::enable_shared_memory(&ctx));
        waits::enable();
        if let Some(seed) = simulation::random_seed() {
            random::seed(&context, seed)?;
        }
        let interrupt = interrupt::provide_stack(&context, lp.probe(), stop.clone())?;
        let timer = Timer::new(&lp);
        timer.unref();
        let check = Check::new(&lp);
        check.start(|(), _| current().run_immediates())?;
        check.unref();
        let immediate_idle = Idle::new(&lp);
        let trace = options.phases.then(Trace::default);
        let origin = lp.now().as_millis() as u64;
        Ok(Rc::new(Self {
            lp,
            options,
            stop,
            _interrupt: interrupt,
            context,
            ticks: RefCell::default(),
            timers: RefCell::default(),
            immediates: RefCell::default(),
            timer,
            immediate_idle,
            hooks: OnceCell::new(),
            rejections: RefCell::default(),
            trace,
            origin,
            unsettled: Cell::new(false),
            loop_start: Cell::new(-1.0),
        }))
    }

    /// Loads the script and runs the loop until it has no more work. A listener of 'beforeExit' may
    /// add some.
    fn run(&self) -> Result<i32, Box<dyn std::error::Error>> {
        let start = |ctx: &Ctx<'_>| {
            crate::json::install(ctx)?;
            module::bootstrap(ctx)
        };
        self.with(|ctx| start(ctx).map_err(|error| error_text(ctx, error)))?;
        if let (Some(trace), Some(script)) = (&self.trace, self.options.line.rest.first()) {
            trace.script(script);
        }
        let recorded = self.begin_recorded_script();
        self.enter(|ctx| self.hooks().start(ctx));
        self.end_recorded(recorded);
        self.loop_start.set(crate::binding::uptime());
        while !self.is_ending() {
            self.lp.run(RunMode::Default)?;
            waits::settle();
            if self.lp.is_alive() {
                continue;
            }
            self.call_then_drain(|ctx| self.hooks().before_exit(ctx));
            if !self.lp.is_alive() {
                break;
            }
        }
        if self.is_ending() {
            return Ok(0);
        }
        self.call_then_drain(|ctx| self.hooks().exit(ctx));
        let code =
            self.with(|ctx| self.hooks().exit_code(ctx).map_err(|error| error_text(ctx, error)));
        // The script may have left the terminal in raw mode.
        let _ = mauve::restore_terminal();
        Ok(code?)
    }

    /// Calls `work` with the context of the engine.
    fn with<R>(&self, work: impl FnOnce(&Ctx<'_>) -> R) -> R {
        self.context.with(|ctx| work(&ctx))
    }

    /// Whether this is a worker that ends at once: no more JavaScript runs.
    pub fn is_ending(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.is_requested())
    }

    pub fn hooks(&self) -> &Hooks {
        self.hooks.get().expect("the bootstrap module has set them")
    }

    pub fn set_hooks(&self, hooks: Hooks) {
        // The bootstrap module runs once.
        let _ = self.hooks.set(hooks);
    }
}

/// The text of an error that cannot be reported to the script.
fn error_text(ctx: &Ctx<'_>, error: rquickjs::Error) -> String {
    if !error.is_exception() {
        return error.to_string();
    }
    let thrown = ctx.catch();
    match thrown.as_exception() {
        Some(exception) => format!(
            "{}\n{}",
            exception.message().unwrap_or_default(),
            exception.stack().unwrap_or_default()
        ),
        None => format!("{thrown:?}"),
    }
}
