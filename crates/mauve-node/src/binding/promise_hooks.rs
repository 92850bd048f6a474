//! Reports the engine's promise events to JavaScript, for `internal/async_context`.

use std::cell::RefCell;

use mauve_quickjs::set_promise_hook;
use rquickjs::promise::PromiseHookType;
use rquickjs::{Ctx, Function, Object, Persistent, Result, Value};

use super::define;

thread_local! {
    /// The hooks of the script; `None` until it uses `AsyncLocalStorage` or an async hook.
    static HOOKS: RefCell<Option<Hooks>> = const { RefCell::new(None) };
}

#[derive(Clone)]
struct Hooks {
    on_event: Persistent<Function<'static>>,
    after_job: Persistent<Function<'static>>,
}

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "setPromiseHook", set_hooks)?;
    Ok(())
}

/// Sets two hooks. `after_job` is called after each promise job, and again after the last one.
/// `on_event` is called with an event, a promise and its parent:
/// - 0 when a promise is created; `then` passes the promise it was called on as the parent,
/// - 1 before the reactions of a fulfilled promise are queued,
/// - 2 before a job that calls `then` of a foreign thenable.
///
/// The engine gets its hook here, because it slows down all promises.
fn set_hooks<'js>(ctx: Ctx<'js>, on_event: Function<'js>, after_job: Function<'js>) {
    set_promise_hook(&ctx, Some(on_promise_event));
    let on_event = Persistent::save(&ctx, on_event);
    HOOKS.set(Some(Hooks { on_event, after_job: Persistent::save(&ctx, after_job) }));
}

/// Reports the end of a promise job.
pub(crate) fn after_job(ctx: &Ctx<'_>) {
    let Some(hooks) = HOOKS.with_borrow(Clone::clone) else { return };
    ignore_failure(ctx, hooks.after_job.restore(ctx).and_then(|hook| hook.call::<_, ()>(())));
}

/// A hook fails only if the engine is out of stack or memory. The script gets that error itself.
fn ignore_failure(ctx: &Ctx<'_>, called: Result<()>) {
    if called.is_err() {
        ctx.catch();
    }
}

/// The promise hook of the engine.
fn on_promise_event<'js>(
    ctx: Ctx<'js>,
    event: PromiseHookType,
    promise: Value<'js>,
    parent: Value<'js>,
) {
    let Some(hooks) = HOOKS.with_borrow(Clone::clone) else { return };
    let number = match event {
        PromiseHookType::Init => 0,
        PromiseHookType::Resolve => 1,
        PromiseHookType::Before => 2,
        PromiseHookType::After => return,
    };
    let hook = hooks.on_event.restore(&ctx);
    ignore_failure(&ctx, hook.and_then(|hook| hook.call::<_, ()>((number, promise, parent))));
}
