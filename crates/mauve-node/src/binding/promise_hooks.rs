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

/// Has `listener` called with promises and a word of what happens to them: "made", of those that
/// do not come from another one; "settled", before those who wait for it go on; "before" and
/// "after" a job that asks a foreign thenable on its behalf.
fn on_promise<'js>(ctx: Ctx<'js>, listener: Function<'js>) {
    LISTENER.set(Some(Persistent::save(&ctx, listener)));
}

/// The engine calls this whenever it makes or settles a promise.
pub(crate) fn note_promise<'js>(
    ctx: Ctx<'js>,
    event: PromiseHookType,
    promise: Value<'js>,
    parent: Value<'js>,
) {
    let word = match event {
        PromiseHookType::Init if parent.is_undefined() => "made",
        PromiseHookType::Init => return,
        PromiseHookType::Resolve => "settled",
        PromiseHookType::Before => "before",
        PromiseHookType::After => "after",
    };
    let Some(listener) = LISTENER.with_borrow(Clone::clone) else { return };
    let told = listener.restore(&ctx).and_then(|it| it.call::<_, ()>((promise, word)));
    if told.is_err() {
        // Only an engine without stack or memory fails here; the script meets that itself.
        ctx.catch();
    }
}
