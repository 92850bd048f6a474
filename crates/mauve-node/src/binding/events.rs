//! Methods of `EventEmitter`, for the most frequent cases: no listener of an event, or one.

use std::cell::RefCell;

use mauve_quickjs::{Kind, Local, LocalAtom, NativeCall, SavedAtom, native_function};
use rquickjs::{Ctx, Function, Object, Persistent, Result};

use super::define;

thread_local! {
    static STATE: RefCell<Option<State>> = const { RefCell::new(None) };
}

/// Names of properties, and the functions for the other cases.
struct State {
    events: SavedAtom,
    count: SavedAtom,
    error: SavedAtom,
    new_listener: SavedAtom,
    remove_listener: SavedAtom,
    emit: Persistent<Function<'static>>,
    capture: Persistent<Function<'static>>,
    add: Persistent<Function<'static>>,
    remove: Persistent<Function<'static>>,
}

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "createMethods", create)
}

/// Creates `emit`, `addListener` and `removeListener`, from the same functions in JavaScript. `capture` gets
/// the emitter, what its listener has returned, and the arguments of `emit`.
fn create<'js>(
    ctx: Ctx<'js>,
    emit: Persistent<Function<'static>>,
    capture: Persistent<Function<'static>>,
    add: Persistent<Function<'static>>,
    remove: Persistent<Function<'static>>,
) -> Result<Object<'js>> {
    let name = |text| SavedAtom::new(&ctx, text);
    STATE.set(Some(State {
        events: name("_events")?,
        count: name("_eventsCount")?,
        error: name("error")?,
        new_listener: name("newListener")?,
        remove_listener: name("removeListener")?,
        emit,
        capture,
        add,
        remove,
    }));
    let methods = Object::new(ctx.clone())?;
    methods.set("emit", native_function(&ctx, c"emit", 1, emit_event)?)?;
    methods.set("addListener", native_function(&ctx, c"addListener", 2, add_listener)?)?;
    methods.set("removeListener", native_function(&ctx, c"removeListener", 2, remove_listener)?)?;
    Ok(methods)
}

fn emit_event<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    let (ctx, this) = (call.ctx(), call.this());
    let Some(listener) = find_listener(call, &this)? else {
        let general = saved(ctx, |state| &state.emit)?;
        return call.forward(&general, &this, 0);
    };
    if listener.kind() == Kind::Undefined {
        return Ok(Local::boolean(ctx, false));
    }
    let result = call.forward(&listener, &this, 1)?;
    if result.kind() != Kind::Undefined {
        let args: Vec<_> = (0..call.count()).map(|index| call.arg(index)).collect();
        let all: Vec<_> = [&this, &result].into_iter().chain(&args).collect();
        saved(ctx, |state| &state.capture)?.call(&this, &all)?;
    }
    Ok(Local::boolean(ctx, true))
}

/// The listener, or `undefined` if there is none. Returns `None` for several listeners, and for 'error',
/// which needs one.
fn find_listener<'a, 'js>(
    call: &NativeCall<'a, 'js>,
    this: &Local<'a, 'js>,
) -> Result<Option<Local<'a, 'js>>> {
    let name = call.arg(0);
    if this.kind() != Kind::Object || !is_name(&name) {
        return Ok(None);
    }
    let name = LocalAtom::of(&name)?;
    let table = STATE.with_borrow(|state| match state {
        Some(state) if !state.error.is(&name) => this.get_saved(&state.events).map(Some),
        _ => Ok(None),
    })?;
    let Some(table) = table else { return Ok(None) };
    let listener = match table.kind() {
        Kind::Object => table.get(&name)?,
        _ => return Ok(None),
    };
    let is_plain = listener.kind() == Kind::Undefined || listener.is_function();
    Ok(is_plain.then_some(listener))
}

fn saved<'a, 'js>(
    ctx: &'a Ctx<'js>,
    function: impl FnOnce(&State) -> &Persistent<Function<'static>>,
) -> Result<Local<'a, 'js>> {
    let function = STATE.with_borrow(|state| state.as_ref().map(|state| function(state).clone()));
    let function = function.expect("set when the function was created").restore(ctx)?;
    Ok(Local::new(ctx, &function.into_value()))
}

fn add_listener<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    let this = call.this();
    if add_first(call, &this)? {
        return Ok(this);
    }
    call.forward(&saved(call.ctx(), |state| &state.add)?, &this, 0)
}

/// Adds a listener of an event that has none. Returns whether it did.
fn add_first<'a, 'js>(call: &NativeCall<'a, 'js>, this: &Local<'a, 'js>) -> Result<bool> {
    let (ctx, name, listener) = (call.ctx(), call.arg(0), call.arg(1));
    if this.kind() != Kind::Object || !is_name(&name) || !listener.is_function() {
        return Ok(false);
    }
    let name = LocalAtom::of(&name)?;
    STATE.with_borrow(|state| {
        let Some(state) = state else { return Ok(false) };
        let table = match this.get_saved(&state.events)? {
            table if table.kind() == Kind::Object => table,
            table if table.kind() == Kind::Undefined => {
                let table = Local::table(ctx)?;
                table.set(&name, listener)?;
                this.set_saved(&state.events, table)?;
                this.set_saved(&state.count, Local::number(ctx, 1.0))?;
                return Ok(true);
            }
            _ => return Ok(false),
        };
        let Kind::Int(count) = this.get_saved(&state.count)?.kind() else { return Ok(false) };
        let is_free = table.get_saved(&state.new_listener)?.kind() == Kind::Undefined
            && table.get(&name)?.kind() == Kind::Undefined;
        if is_free {
            table.set(&name, listener)?;
            this.set_saved(&state.count, Local::number(ctx, f64::from(count + 1)))?;
        }
        Ok(is_free)
    })
}

fn remove_listener<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    let this = call.this();
    if remove_only(call, &this)? {
        return Ok(this);
    }
    call.forward(&saved(call.ctx(), |state| &state.remove)?, &this, 0)
}

/// Removes the only listener of an event. Returns whether it did, or there was none.
fn remove_only<'a, 'js>(call: &NativeCall<'a, 'js>, this: &Local<'a, 'js>) -> Result<bool> {
    let (ctx, name, listener) = (call.ctx(), call.arg(0), call.arg(1));
    if this.kind() != Kind::Object || !is_name(&name) || !listener.is_function() {
        return Ok(false);
    }
    let name = LocalAtom::of(&name)?;
    STATE.with_borrow(|state| {
        let Some(state) = state else { return Ok(false) };
        let table = this.get_saved(&state.events)?;
        if table.kind() != Kind::Object {
            return Ok(false);
        }
        let existing = table.get(&name)?;
        if existing.kind() == Kind::Undefined {
            return Ok(true);
        }
        let Kind::Int(count) = this.get_saved(&state.count)?.kind() else { return Ok(false) };
        let is_only = existing.is_same_object(&listener)
            && table.get_saved(&state.remove_listener)?.kind() == Kind::Undefined;
        if is_only && count == 1 {
            this.set_saved(&state.events, Local::table(ctx)?)?;
            this.set_saved(&state.count, Local::number(ctx, 0.0))?;
        } else if is_only {
            this.set_saved(&state.count, Local::number(ctx, f64::from(count - 1)))?;
            table.delete(&name)?;
        }
        Ok(is_only)
    })
}

fn is_name(value: &Local<'_, '_>) -> bool {
    matches!(value.kind(), Kind::String | Kind::Symbol)
}
