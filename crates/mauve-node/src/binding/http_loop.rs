//! The methods of the iterator of `internal/http/body_loop`.
//!
//! They do what the asynchronous generator of a Readable does, with the same promise jobs in the same order.
//! Only a loop uses the iterator, which has these consequences:
//! - A call follows when the promise of the last one has been settled, so there is no queue of calls.
//! - The iterator itself is the result of all calls.

use std::cell::Cell;

use mauve_quickjs::{
    Kind, Local, NativeCall, SavedValue, enqueue_job, native_function, new_promise,
};
use rquickjs::{Ctx, Object, Result, Value};

use super::{define, http_body, names};

thread_local! {
    static STATE: Cell<Option<&'static State>> = const { Cell::new(None) };
}

struct State {
    names: Names,
    /// The functions `step` and `complete`, for jobs.
    step: SavedValue,
    complete: SavedValue,
    /// `readChunk(message)` returns a chunk or null.
    read_chunk: SavedValue,
    /// `close(loop)` ends the iteration of a message that is not closed.
    close: SavedValue,
    /// `aggregateTwoErrors(first, second)`.
    aggregate: SavedValue,
}

names! {
    done: "done",
    error: "error",
    is_done: "isDone",
    is_waiting: "isWaiting",
    message: "message",
    reject: "reject",
    resolve: "resolve",
    value: "value",
}

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "createLoopMethods", create)
}

/// Creates `next`, `return` and `fire`. `fire` ends the wait for a chunk or the end.
fn create<'js>(
    ctx: Ctx<'js>,
    read_chunk: Value<'js>,
    close: Value<'js>,
    aggregate: Value<'js>,
) -> Result<Object<'js>> {
    let saved = |value: &Value<'js>| SavedValue::new(&Local::new(&ctx, value));
    STATE.set(Some(Box::leak(Box::new(State {
        names: Names::new(&ctx)?,
        step: saved(native_function(&ctx, c"step", 1, step)?.as_value()),
        complete: saved(native_function(&ctx, c"complete", 1, complete)?.as_value()),
        read_chunk: saved(&read_chunk),
        close: saved(&close),
        aggregate: saved(&aggregate),
    }))));
    let methods = Object::new(ctx.clone())?;
    methods.set("next", native_function(&ctx, c"next", 0, next)?)?;
    methods.set("return", native_function(&ctx, c"return", 0, return_)?)?;
    methods.set("fire", native_function(&ctx, c"fire", 0, fire)?)?;
    Ok(methods)
}

fn state() -> &'static State {
    STATE.get().expect("set by createLoopMethods")
}

fn next<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    let (iterator, state) = (call.this(), state());
    let promise = state.begin(&iterator)?;
    state.step(&iterator)?;
    Ok(promise)
}

fn return_<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    let (iterator, state) = (call.this(), state());
    let promise = state.begin(&iterator)?;
    enqueue_job(&state.complete.get(call.ctx())?, &iterator)?;
    Ok(promise)
}

fn fire<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    let (ctx, iterator, state) = (call.ctx(), call.this(), state());
    if iterator.get_saved(&state.names.is_waiting)?.is_truthy() {
        iterator.set_saved(&state.names.is_waiting, Local::boolean(ctx, false))?;
        enqueue_job(&state.step.get(ctx)?, &iterator)?;
    }
    Ok(Local::undefined(ctx))
}

fn step<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    state().step(&call.arg(0))?;
    Ok(Local::undefined(call.ctx()))
}

fn complete<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    state().complete(&call.arg(0), false)?;
    Ok(Local::undefined(call.ctx()))
}

impl State {
    /// Creates the promise of a call.
    fn begin<'a, 'js>(&self, iterator: &Local<'a, 'js>) -> Result<Local<'a, 'js>> {
        let [promise, resolve, reject] = new_promise(iterator.ctx())?;
        iterator.set_saved(&self.names.resolve, resolve)?;
        iterator.set_saved(&self.names.reject, reject)?;
        Ok(promise)
    }

    /// Reads until there is nothing to read.
    fn step(&self, iterator: &Local<'_, '_>) -> Result<()> {
        let (ctx, names) = (iterator.ctx(), &self.names);
        let message = iterator.get_saved(&names.message)?;
        let undefined = Local::undefined(ctx);
        let Ok(chunk) = self.read_chunk.get(ctx)?.call(&undefined, &[&message]) else {
            let thrown = Local::new(ctx, &ctx.catch());
            let first = iterator.get_saved(&names.error)?;
            let error = self.aggregate.get(ctx)?.call(&undefined, &[&first, &thrown])?;
            iterator.set_saved(&names.error, error)?;
            return self.complete(iterator, true);
        };
        if chunk.kind() != Kind::Null {
            iterator.set_saved(&names.value, chunk)?;
            iterator.set_saved(&names.done, Local::boolean(ctx, false))?;
            enqueue_job(&iterator.get_saved(&names.resolve)?, iterator)
        } else if iterator.get_saved(&names.error)?.is_truthy() {
            self.complete(iterator, true)
        } else if iterator.get_saved(&names.is_done)?.is_truthy() {
            self.complete(iterator, false)
        } else {
            Ok(iterator.set_saved(&names.is_waiting, Local::boolean(ctx, true))?)
        }
    }

    fn complete(&self, iterator: &Local<'_, '_>, has_failed: bool) -> Result<()> {
        let (ctx, names) = (iterator.ctx(), &self.names);
        let undefined = Local::undefined(ctx);
        let is_closed = http_body::is_closed(&iterator.get_saved(&names.message)?)?;
        let closed = match is_closed {
            true => Ok(Local::undefined(ctx)),
            false => self.close.get(ctx)?.call(&undefined, &[iterator]),
        };
        let error = match closed {
            Err(_) => Some(Local::new(ctx, &ctx.catch())),
            Ok(_) if has_failed => Some(iterator.get_saved(&names.error)?),
            Ok(_) => None,
        };
        if let Some(error) = error {
            iterator.get_saved(&names.reject)?.call(&undefined, &[&error])?;
        } else {
            iterator.set_saved(&names.value, Local::undefined(ctx))?;
            iterator.set_saved(&names.done, Local::boolean(ctx, true))?;
            iterator.get_saved(&names.resolve)?.call(&undefined, &[iterator])?;
        }
        Ok(())
    }
}
