//! Tells the asynchronous contexts of promises that the engine makes by itself.

use std::cell::RefCell;

use rquickjs::promise::PromiseHookType;
use rquickjs::{Ctx, Function, Object, Persistent, Result, Value};

use super::functions;

thread_local! {
    /// The script's function that is told; none before it uses contexts.
    static LISTENER: RefCell<Option<Persistent<Function<'static>>>> = const { RefCell::new(None) };
}

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    functions!(object, { "onPromise" => on_promise });
    Ok(())
}

/// Has `listener` called for every promise that does not come from another one.
fn on_promise<'js>(ctx: Ctx<'js>, listener: Function<'js>) {
    LISTENER.set(Some(Persistent::save(&ctx, listener)));
}

/// The engine calls this whenever it makes or settles a promise.
pub(crate) fn note_promise<'js>(
    ctx: Ctx<'js>,
    event: PromiseHookType,
    _promise: Value<'js>,
    parent: Value<'js>,
) {
    if event != PromiseHookType::Init || !parent.is_undefined() {
        return;
    }
    let Some(listener) = LISTENER.with_borrow(Clone::clone) else { return };
    let told = listener.restore(&ctx).and_then(|listener| listener.call::<_, ()>(()));
    if told.is_err() {
        // Only an engine without stack or memory fails here; the script meets that itself.
        ctx.catch();
    }
}
