//! Methods of `EventEmitter`, for the most frequent cases: no listener of an event, one or two.
//!
//! They use the properties `_events`, `_eventsCount` and `_maxListeners`. These are no private names: Node's
//! emitters have them, and programs read and replace them, so the listeners cannot be stored elsewhere. In
//! JavaScript the methods take three times as long: 4,000 more instructions per request of 'hello world', and
//! 20,000 more of `req.pipe(res)`, a tenth.

use std::cell::{Cell, RefCell};

use mauve_quickjs::{Kind, Local, LocalAtom, NativeCall, SavedAtom, native_function};
use rquickjs::{Ctx, Function, Object, Persistent, Result};

use super::define;

thread_local! {
    static STATE: RefCell<Option<State>> = const { RefCell::new(None) };
    /// `EventEmitter.defaultMaxListeners`, or infinity for 0.
    static DEFAULT_LIMIT: Cell<f64> = const { Cell::new(10.0) };
}

/// Names of properties, and the functions for the other cases.
struct State {
    events: SavedAtom,
    count: SavedAtom,
    error: SavedAtom,
    length: SavedAtom,
    listener: SavedAtom,
    max_listeners: SavedAtom,
    new_listener: SavedAtom,
    remove_listener: SavedAtom,
    emit: Persistent<Function<'static>>,
    capture: Persistent<Function<'static>>,
    add: Persistent<Function<'static>>,
    remove: Persistent<Function<'static>>,
}

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "setDefaultLimit", |limit: f64| {
        DEFAULT_LIMIT.set(if limit == 0.0 { f64::INFINITY } else { limit });
    })?;
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
        length: name("length")?,
        listener: name("listener")?,
        max_listeners: name("_maxListeners")?,
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
    let Some(listener) = find_listeners(call, &this)? else {
        let general = saved(ctx, |state| &state.emit)?;
        return call.forward(&general, &this, 0);
    };
    if listener.kind() == Kind::Undefined {
        return Ok(Local::boolean(ctx, false));
    }
    if listener.is_array() {
        // Listeners that are added or removed during emit() do not affect it.
        let count = STATE.with_borrow(|state| match state {
            Some(state) => listener.get(&state.length.get(ctx)?)?.to_number(),
            None => Ok(0.0),
        })? as u32;
        let snapshot: Vec<_> = (0..count)
            .map(|index| listener.element(index))
            .collect::<std::result::Result<_, _>>()?;
        for listener in &snapshot {
            call_listener(call, &this, listener)?;
        }
    } else {
        call_listener(call, &this, &listener)?;
    }
    Ok(Local::boolean(ctx, true))
}

fn call_listener<'a, 'js>(
    call: &NativeCall<'a, 'js>,
    this: &Local<'a, 'js>,
    listener: &Local<'a, 'js>,
) -> Result<()> {
    let result = call.forward(listener, this, 1)?;
    if result.kind() != Kind::Undefined {
        let args: Vec<_> = (0..call.count()).map(|index| call.arg(index)).collect();
        let all: Vec<_> = [this, &result].into_iter().chain(&args).collect();
        saved(call.ctx(), |state| &state.capture)?.call(this, &all)?;
    }
    Ok(())
}

/// The listener, an array of several, or `undefined` if there is none. Returns `None` for 'error', which needs
/// one.
fn find_listeners<'a, 'js>(
    call: &NativeCall<'a, 'js>,
    this: &Local<'a, 'js>,
) -> Result<Option<Local<'a, 'js>>> {
    let name = call.arg(0);
    if this.kind() != Kind::Object || !is_name(&name) {
        return Ok(None);
    }
    let (ctx, name) = (call.ctx(), LocalAtom::of(&name)?);
    let table = STATE.with_borrow(|state| match state {
        Some(state) if state.error.get(ctx)? != name => this.get(&state.events.get(ctx)?).map(Some),
        _ => Ok(None),
    })?;
    let Some(table) = table else { return Ok(None) };
    let listener = match table.kind() {
        Kind::Object => table.get(&name)?,
        _ => return Ok(None),
    };
    let is_known =
        listener.kind() == Kind::Undefined || listener.is_function() || listener.is_array();
    Ok(is_known.then_some(listener))
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
    if add_first_or_second(call, &this)? {
        return Ok(this);
    }
    call.forward(&saved(call.ctx(), |state| &state.add)?, &this, 0)
}

/// Adds a listener of an event that has none or one. Returns whether it did.
fn add_first_or_second<'a, 'js>(call: &NativeCall<'a, 'js>, this: &Local<'a, 'js>) -> Result<bool> {
    let (ctx, name, listener) = (call.ctx(), call.arg(0), call.arg(1));
    if this.kind() != Kind::Object || !is_name(&name) || !listener.is_function() {
        return Ok(false);
    }
    let name = LocalAtom::of(&name)?;
    STATE.with_borrow(|state| {
        let Some(state) = state else { return Ok(false) };
        let table = match this.get(&state.events.get(ctx)?)? {
            table if table.kind() == Kind::Object => table,
            table if table.kind() == Kind::Undefined => {
                let table = Local::table(ctx)?;
                table.set(&name, listener)?;
                this.set(&state.events.get(ctx)?, table)?;
                this.set(&state.count.get(ctx)?, Local::number(ctx, 1.0))?;
                return Ok(true);
            }
            _ => return Ok(false),
        };
        let Kind::Int(count) = this.get(&state.count.get(ctx)?)?.kind() else { return Ok(false) };
        if table.get(&state.new_listener.get(ctx)?)?.kind() != Kind::Undefined {
            return Ok(false);
        }
        let existing = table.get(&name)?;
        if existing.kind() == Kind::Undefined {
            table.set(&name, listener)?;
            this.set(&state.count.get(ctx)?, Local::number(ctx, f64::from(count + 1)))?;
            return Ok(true);
        }
        // Two are no leak, unless the emitter has a limit of its own.
        let is_second = existing.is_function()
            && DEFAULT_LIMIT.get() >= 2.0
            && this.get(&state.max_listeners.get(ctx)?)?.kind() == Kind::Undefined;
        if is_second {
            table.set(&name, Local::array(&[&existing, &listener])?)?;
        }
        Ok(is_second)
    })
}

fn remove_listener<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    let this = call.this();
    if remove_one(call, &this)? {
        return Ok(this);
    }
    call.forward(&saved(call.ctx(), |state| &state.remove)?, &this, 0)
}

/// Removes one of at most two listeners of an event. Returns whether it did, or there was none.
fn remove_one<'a, 'js>(call: &NativeCall<'a, 'js>, this: &Local<'a, 'js>) -> Result<bool> {
    let (ctx, name, listener) = (call.ctx(), call.arg(0), call.arg(1));
    if this.kind() != Kind::Object || !is_name(&name) || !listener.is_function() {
        return Ok(false);
    }
    let name = LocalAtom::of(&name)?;
    STATE.with_borrow(|state| {
        let Some(state) = state else { return Ok(false) };
        let table = this.get(&state.events.get(ctx)?)?;
        if table.kind() != Kind::Object {
            return Ok(false);
        }
        let existing = table.get(&name)?;
        if existing.kind() == Kind::Undefined {
            return Ok(true);
        }
        if table.get(&state.remove_listener.get(ctx)?)?.kind() != Kind::Undefined {
            return Ok(false);
        }
        if existing.is_array() {
            return state.remove_of_two(&table, &name, &existing, &listener);
        }
        let Kind::Int(count) = this.get(&state.count.get(ctx)?)?.kind() else { return Ok(false) };
        let is_only = existing.is_same_object(&listener);
        if is_only && count == 1 {
            this.set(&state.events.get(ctx)?, Local::table(ctx)?)?;
            this.set(&state.count.get(ctx)?, Local::number(ctx, 0.0))?;
        } else if is_only {
            this.set(&state.count.get(ctx)?, Local::number(ctx, f64::from(count - 1)))?;
            table.delete(&name)?;
        }
        Ok(is_only)
    })
}

impl State {
    /// Removes one of two listeners, the last one that matches.
    fn remove_of_two<'a, 'js>(
        &self,
        table: &Local<'a, 'js>,
        name: &LocalAtom<'a, 'js>,
        list: &Local<'a, 'js>,
        listener: &Local<'a, 'js>,
    ) -> Result<bool> {
        if list.get(&self.length.get(list.ctx())?)?.kind() != Kind::Int(2) {
            return Ok(false);
        }
        let matches = |entry: &Local<'a, 'js>| {
            let is = entry.is_same_object(listener);
            Ok::<_, rquickjs::Error>(
                is || entry.get(&self.listener.get(list.ctx())?)?.is_same_object(listener),
            )
        };
        let (first, second) = (list.element(0)?, list.element(1)?);
        if matches(&second)? {
            table.set(name, first)?;
        } else if matches(&first)? {
            table.set(name, second)?;
        }
        Ok(true)
    }
}

fn is_name(value: &Local<'_, '_>) -> bool {
    matches!(value.kind(), Kind::String | Kind::Symbol)
}
