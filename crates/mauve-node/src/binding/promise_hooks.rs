//! Reports the engine's promise events to JavaScript, for `internal/async_context`.

use std::cell::RefCell;

use rquickjs::promise::PromiseHookType;
use rquickjs::{Ctx, Function, Object, Persistent, Result, Value};

use super::define;

thread_local! {
    /// The hook of the script; `None` until it uses `AsyncLocalStorage`.
    static HOOK: RefCell<Option<Persistent<Function<'static>>>> = const { RefCell::new(None) };
}

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "setPromiseHook", set_promise_hook)?;
    Ok(())
}

/// Sets the hook, which is called with a promise and the name of the event:
/// - `"init"` when a promise without a parent is created,
/// - `"resolve"` before the reactions of a promise run,
/// - `"before"` and `"after"` a job that calls `then` of a foreign thenable.
fn set_promise_hook<'js>(ctx: Ctx<'js>, hook: Function<'js>) {
    HOOK.set(Some(Persistent::save(&ctx, hook)));
}

/// The promise hook of the engine.
pub(crate) fn on_promise_event<'js>(
    ctx: Ctx<'js>,
    event: PromiseHookType,
    promise: Value<'js>,
    parent: Value<'js>,
) {
    let name = match event {
        PromiseHookType::Init if parent.is_undefined() => "init",
        PromiseHookType::Init => return,
        PromiseHookType::Resolve => "resolve",
        PromiseHookType::Before => "before",
        PromiseHookType::After => "after",
    };
    let Some(hook) = HOOK.with_borrow(Clone::clone) else { return };
    let called = hook.restore(&ctx).and_then(|hook| hook.call::<_, ()>((promise, name)));
    if called.is_err() {
        // The hook fails only if the engine is out of stack or memory. The script gets that error
        // itself.
        ctx.catch();
    }
}
