//! Timers, immediates and ticks.

use std::cell::Cell;

use mauve_quickjs::{Local, NativeCall, SavedAtom, SavedValue, native_function};
use rquickjs::function::Rest;
use rquickjs::{Ctx, Function, Object, Result, Value};

use super::define;
use crate::host::{Call, current};
use crate::queue::{ImmediateKey, TimerKey};

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "start", start)?;
    define(object, "stop", |key: u64| current().stop_timer(TimerKey(key)))?;
    define(object, "refresh", |key: u64| current().refresh_timer(TimerKey(key)))?;
    define(object, "setRef", |key: u64, on: bool| current().set_timer_ref(TimerKey(key), on))?;
    define(object, "setImmediate", set_immediate)?;
    define(object, "clearImmediate", |key: u64| current().clear_immediate(ImmediateKey(key)))?;
    define(object, "hasImmediate", |key: u64| current().has_immediate(ImmediateKey(key)))?;
    define(object, "setImmediateRef", |key: u64, on: bool| {
        current().set_immediate_ref(ImmediateKey(key), on);
    })?;
    define(object, "nextTick", push_tick)?;
    define(object, "createNextTick", create_next_tick)?;
    object.set("hasTicks", native_function(object.ctx(), c"hasTicks", 0, has_ticks)?)?;
    define(object, "observeTicks", || OBSERVED.set(true))?;
    define(object, "now", || current().now())?;
    Ok(())
}

fn start<'js>(
    this: Object<'js>,
    function: Function<'js>,
    duration: f64,
    args: Rest<Value<'js>>,
) -> u64 {
    let call = Call::new(function, Some(this), args.0);
    current().start_timer(call, duration as u64).0
}

fn set_immediate<'js>(this: Object<'js>, function: Function<'js>, args: Rest<Value<'js>>) -> u64 {
    current().add_immediate(Call::new(function, Some(this), args.0)).0
}

fn push_tick<'js>(function: Function<'js>, args: Rest<Value<'js>>) {
    current().next_tick(Call::new(function, None, args.0));
}

thread_local! {
    static TICKS: Cell<Option<&'static Ticks>> = const { Cell::new(None) };
    /// Whether each call passes through it.
    static OBSERVED: Cell<bool> = const { Cell::new(false) };
}

struct Ticks {
    /// `process.nextTick` in JavaScript, for all cases.
    general: SavedValue,
    /// The name of the function, and what it was at first. Programs may replace it.
    name: SavedAtom,
    original: SavedValue,
}

/// Creates `process.nextTick`, which calls `general` for an invalid callback, and for all after
/// `observeTicks`.
fn create_next_tick<'js>(ctx: Ctx<'js>, general: Value<'js>) -> Result<Function<'js>> {
    let function = native_function(&ctx, c"nextTick", 1, next_tick)?;
    let saved = |value: &Value<'js>| SavedValue::new(&Local::new(&ctx, value));
    TICKS.set(Some(Box::leak(Box::new(Ticks {
        general: saved(&general),
        name: SavedAtom::new(&ctx, "nextTick")?,
        original: saved(function.as_value()),
    }))));
    Ok(function)
}

/// Calls `process.nextTick(function, arg)`.
pub(super) fn schedule<'a, 'js>(
    process: &Local<'a, 'js>,
    function: &Local<'a, 'js>,
    arg: &Local<'a, 'js>,
) -> Result<()> {
    let (ctx, ticks) = (function.ctx(), TICKS.get().expect("set by createNextTick"));
    let next_tick = process.get_saved(&ticks.name)?;
    if !OBSERVED.get() && next_tick.is_same_object(&ticks.original.get(ctx)?) {
        current().next_tick(Call::with_argument(function, arg));
    } else {
        next_tick.call(process, &[function, arg])?;
    }
    Ok(())
}

fn next_tick<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    let ctx = call.ctx();
    if OBSERVED.get() || !call.arg(0).is_function() {
        let general = TICKS.get().expect("set by createNextTick").general.get(ctx)?;
        return call.forward(&general, &call.this(), 0);
    }
    current().next_tick(Call::of_first_argument(call));
    Ok(Local::undefined(ctx))
}

/// Whether a tick is pending, or programs observe ticks.
pub(super) fn has_pending() -> bool {
    OBSERVED.get() || current().has_ticks()
}

/// `hasTicks()` for [`has_pending`].
fn has_ticks<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    Ok(Local::boolean(call.ctx(), has_pending()))
}
