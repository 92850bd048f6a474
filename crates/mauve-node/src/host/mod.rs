//! The JavaScript host: one script, one engine, one loop.
//!
//! The loop calls back into Rust, and every way from there into JavaScript leads through
//! [`enter`](Host::enter): it calls, reports what is thrown, and drains the queues. Functions that
//! JavaScript calls find their host with [`current`]; they start things and never call back.

use std::cell::{Cell, OnceCell, RefCell};
use std::path::PathBuf;
use std::rc::Rc;

use mauve::{Check, Idle, Loop, RunMode, Timer};
use rquickjs::{Context, Ctx, Runtime};

use crate::queue::{Immediates, Layer, Timers};

mod call;
mod clock;
mod drain;
mod hooks;
mod module;
pub(crate) mod text;
mod trace;
pub(crate) mod views;

pub(crate) use call::Call;
pub(crate) use hooks::Hooks;
pub(crate) use module::{compile_function, declare_module, run_script};

use hooks::Rejection;
use trace::Trace;
use views::ViewMethods;

/// What is to be run, and how.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The script; `None` for a prompt that reads and runs lines.
    pub script: Option<PathBuf>,
    /// What the script gets as its arguments.
    pub args: Vec<String>,
    /// A program given as text, run instead of a script.
    pub eval: Option<String>,
    /// Whether the value of `eval` is printed.
    pub print: bool,
    /// Whether to tell on standard error what runs in which phase.
    pub phases: bool,
}

/// Everything that belongs to a running script.
pub(crate) struct Host {
    pub lp: Loop,
    pub options: Options,
    context: Context,
    layer: RefCell<Layer<Call>>,
    timers: RefCell<Timers<Call>>,
    immediates: RefCell<Immediates<Call>>,
    /// The loop's timer for all of the script's.
    clock: Timer,
    /// Has the loop get to the check phase at once while immediates wait.
    hurry: Idle,
    hooks: OnceCell<Hooks>,
    view_methods: OnceCell<ViewMethods>,
    rejections: RefCell<Vec<Rejection>>,
    trace: Option<Trace>,
    /// The time at which the loop began, which the script's clock counts from.
    origin: u64,
    /// Whether a module that the script awaits at its top level is still not done.
    pub unsettled: Cell<bool>,
    /// When the loop began to run, in milliseconds of the script's clock; negative before that.
    pub loop_start: Cell<f64>,
}

thread_local! {
    static CURRENT: RefCell<Option<Rc<Host>>> = const { RefCell::new(None) };
}

/// The host of the script that runs on this thread.
pub(crate) fn current() -> Rc<Host> {
    CURRENT.with_borrow(|host| host.clone()).expect("bindings are called by a script that runs")
}

/// Runs a script to its end, and returns the exit code. A script may also end the process itself.
///
/// # Errors
/// When the machine has no descriptors or no memory left for a loop and an engine.
pub fn run(options: Options) -> Result<i32, Box<dyn std::error::Error>> {
    // As in Node, an interrupt ends a script even if whoever started it ignores interrupts.
    mauve_sys::signal::reset_ignored();
    crate::binding::keep_inherited();
    let host = Host::new(options)?;
    // The engine is never taken apart: that costs time which nobody has at the end of a script,
    // and the queues hold functions of it to the last.
    std::mem::forget(host.clone());
    CURRENT.set(Some(host.clone()));
    host.run()
}

/// What JavaScript may use of the stack; the rest is for the functions it calls. Of the system's
/// usual limit, eight mebibytes, these are five.
fn stack_size() -> usize {
    const MOST: u64 = 5 << 20;
    let limit = rustix::process::getrlimit(rustix::process::Resource::Stack).current;
    limit.map_or(MOST, |limit| (limit / 8 * 5).min(MOST)) as usize
}

/// When the engine looks for garbage first: late enough for a short script never to pay for it.
const FIRST_COLLECTION: usize = 32 << 20;

impl Host {
    fn new(options: Options) -> Result<Rc<Self>, Box<dyn std::error::Error>> {
        let lp: Loop = Loop::new()?;
        let runtime = Runtime::new()?;
        runtime.set_max_stack_size(stack_size());
        runtime.set_gc_threshold(FIRST_COLLECTION);
        runtime.set_loader(module::Imports, module::Imports);
        runtime.set_host_promise_rejection_tracker(Some(Box::new(hooks::note_rejection)));
        runtime.set_promise_hook(Some(Box::new(crate::binding::promise_hooks::on_promise_event)));
        let context = Context::full(&runtime)?;
        let clock = Timer::new(&lp);
        clock.unref();
        let check = Check::new(&lp);
        check.start(|(), _| current().run_immediates())?;
        check.unref();
        let hurry = Idle::new(&lp);
        let trace = options.phases.then(Trace::default);
        let origin = lp.now().as_millis() as u64;
        Ok(Rc::new(Self {
            lp,
            options,
            context,
            layer: RefCell::default(),
            timers: RefCell::default(),
            immediates: RefCell::default(),
            clock,
            hurry,
            hooks: OnceCell::new(),
            view_methods: OnceCell::new(),
            rejections: RefCell::default(),
            trace,
            origin,
            unsettled: Cell::new(false),
            loop_start: Cell::new(-1.0),
        }))
    }

    /// The script's life: it is loaded, the loop runs until nothing is left, and the script may
    /// then have second thoughts.
    fn run(&self) -> Result<i32, Box<dyn std::error::Error>> {
        let start = |ctx: &Ctx<'_>| {
            self.view_methods(ctx)?;
            module::bootstrap(ctx)
        };
        self.with(|ctx| start(ctx).map_err(|error| described(ctx, error)))?;
        if let (Some(trace), Some(script)) = (&self.trace, &self.options.script) {
            trace.script(&script.display().to_string());
        }
        self.enter(|ctx| self.hooks().start(ctx));
        self.loop_start.set(crate::binding::uptime());
        loop {
            self.lp.run(RunMode::Default)?;
            if self.lp.is_alive() {
                continue;
            }
            self.enter(|ctx| self.hooks().before_exit(ctx));
            if !self.lp.is_alive() {
                break;
            }
        }
        let code = self.with(|ctx| self.hooks().exit(ctx).map_err(|error| described(ctx, error)));
        // A script may end while it has the terminal in another mode.
        let _ = mauve::tty_reset_mode();
        Ok(code?)
    }

    /// Does something with the engine.
    fn with<R>(&self, work: impl FnOnce(&Ctx<'_>) -> R) -> R {
        self.context.with(|ctx| work(&ctx))
    }

    pub fn hooks(&self) -> &Hooks {
        self.hooks.get().expect("set first of all, by the bootstrap module")
    }

    /// The methods of views. First called before the script starts.
    fn view_methods(&self, ctx: &Ctx<'_>) -> rquickjs::Result<&ViewMethods> {
        if let Some(methods) = self.view_methods.get() {
            return Ok(methods);
        }
        let methods = ViewMethods::new(ctx)?;
        Ok(self.view_methods.get_or_init(|| methods))
    }

    pub fn set_hooks(&self, hooks: Hooks) {
        // The bootstrap module runs once.
        let _ = self.hooks.set(hooks);
    }
}

/// An error in words, for where no script can be told of it.
fn described(ctx: &Ctx<'_>, error: rquickjs::Error) -> String {
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
