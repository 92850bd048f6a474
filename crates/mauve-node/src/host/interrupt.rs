//! The stack of the JavaScript that runs, for the watchdog.
//!
//! QuickJS calls an interrupt handler regularly while it executes JavaScript. If the watchdog has
//! requested the stack, the handler creates an error, whose stack names the functions that run.

use mauve_core::probe::LoopProbe;
use mauve_quickjs::InterruptHandler;
use mauve_trace::watchdog;
use rquickjs::function::Constructor;
use rquickjs::{Context, Ctx, Object, Persistent, Result, Value};

/// The most functions that are reported.
const MAX_FRAMES: usize = 20;

/// Provides the stack of the running JavaScript to the watchdog, if it is on for this loop, until the
/// returned handler is dropped.
pub(super) fn provide_stack(
    context: &Context,
    probe: &'static LoopProbe,
) -> Result<Option<InterruptHandler>> {
    if !watchdog::is_watched(probe) {
        return Ok(None);
    }
    // The script may replace the global one.
    let error = context.with(|ctx| {
        let error: Constructor<'_> = ctx.globals().get("Error")?;
        Ok::<_, rquickjs::Error>(Persistent::save(&ctx, error))
    })?;
    let inner = watchdog::provide_inner_stack(probe);
    Ok(Some(InterruptHandler::set(context, move |ctx| {
        if inner.is_requested() {
            inner.answer(stack(ctx, error.clone()).unwrap_or_default());
        }
    })))
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
