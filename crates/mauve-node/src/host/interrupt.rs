//! The stack of the JavaScript that runs, for the watchdog, for samples of a trace and for `mauve why`.
//!
//! QuickJS calls an interrupt handler regularly while it executes JavaScript. If the stack was requested,
//! the handler creates an error, whose stack names the functions that run.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Once};

use mauve::signal::SignalKind;
use mauve::{Loop, RunMode, Signal};
use mauve_core::probe::LoopProbe;
use mauve_quickjs::InterruptHandler;
use mauve_trace::generated::script_frame;
use mauve_trace::watchdog;
use rquickjs::function::Constructor;
use rquickjs::{Context, Ctx, Exception, Function, Object, Persistent, Result, Value};

use crate::binding::workers::Stop;

/// The most functions that are reported.
const MAX_FRAMES: usize = 20;

/// Provides the stack of the running JavaScript until the returned handler is dropped.
pub(super) fn provide_stack(
    context: &Context,
    probe: &'static LoopProbe,
    stop: Option<Arc<Stop>>,
) -> Result<InterruptHandler> {
    // The script may replace the global one.
    let error = context.with(|ctx| {
        let error: Constructor<'_> = ctx.globals().get("Error")?;
        Ok::<_, rquickjs::Error>(Persistent::save(&ctx, error))
    })?;
    let inner = watchdog::provide_inner_stack(probe);
    let report = RefCell::new(String::new());
    Ok(InterruptHandler::set(context, move |ctx| {
        if inner.is_requested() {
            inner.answer(stack(ctx, error.clone()).unwrap_or_default());
        }
        if probe.is_queried() {
            let functions = stack(ctx, error.clone()).unwrap_or_default();
            *report.borrow_mut() = report_of(&functions);
            probe.publish_report(&report.borrow());
        }
        match &stop {
            Some(stop) => stop.is_requested(),
            // Workers are not interrupted.
            None => INTERRUPTED.load(Ordering::Relaxed),
        }
    }))
}

/// Whether an evaluation of the prompt runs, and whether Ctrl-C was pressed since it began.
static IS_RUNNING: AtomicBool = AtomicBool::new(false);
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Calls a function, which `SIGINT` ends with an error.
pub(crate) fn interruptible<'js>(ctx: Ctx<'js>, work: Function<'js>) -> Result<Value<'js>> {
    static WATCHER: Once = Once::new();
    // The loop of the script cannot handle the signal while the script runs.
    WATCHER.call_once(|| {
        let (ready, is_ready) = channel();
        drop(std::thread::Builder::new().spawn(move || watch(ready)));
        // Without a thread, it fails at once.
        let _ = is_ready.recv();
    });
    INTERRUPTED.store(false, Ordering::Relaxed);
    IS_RUNNING.store(true, Ordering::Relaxed);
    let result = work.call(());
    IS_RUNNING.store(false, Ordering::Relaxed);
    if INTERRUPTED.swap(false, Ordering::Relaxed) && result.is_err() {
        // The error that no script can catch.
        ctx.catch();
        return Err(Exception::throw_message(&ctx, "Script execution was interrupted by `SIGINT`"));
    }
    result
}

/// Watches the signal on a loop of its own, until the process ends. A signal that comes before `ready` would be lost.
fn watch(ready: Sender<()>) -> mauve::Result<()> {
    let lp: Loop = Loop::new()?;
    let signal = Signal::new(&lp)?;
    signal.start(SignalKind::interrupt(), |(), _, _| {
        if IS_RUNNING.load(Ordering::Relaxed) {
            INTERRUPTED.store(true, Ordering::Relaxed);
        }
    })?;
    // The one who waits for it does not leave before.
    let _ = ready.send(());
    lp.run(RunMode::Default)?;
    Ok(())
}

/// The report for `mauve why` while JavaScript runs.
fn report_of(functions: &[String]) -> String {
    let mut text =
        "does not wait; its handles can be listed when this callback returns:\n".to_owned();
    for function in functions {
        let name = script_frame(function);
        // The functions that have called the program's are those of this crate.
        if name.file.as_ref().is_none_or(|file| !file.starts_with("node:")) {
            text += &format!("    {name}\n");
        }
    }
    text
}

/// The functions that run, the innermost first, each as `name (file:line:column)`.
fn stack(ctx: &Ctx<'_>, error: Persistent<Constructor<'static>>) -> Result<Vec<String>> {
    const PREPARE: &str = "prepareStackTrace";
    let error = error.restore(ctx)?;
    // It formats stacks, and may be a function of the script.
    let prepare: Value<'_> = error.get(PREPARE)?;
    error.set(PREPARE, Value::new_undefined(ctx.clone()))?;
    let created = error.construct::<_, Object<'_>>(());
    error.set(PREPARE, prepare)?;
    let stack: String = created?.get("stack")?;
    let frames = stack.lines().map(str::trim).filter_map(|line| line.strip_prefix("at "));
    Ok(frames.take(MAX_FRAMES).map(str::to_owned).collect())
}
