//! Timers, immediates and ticks.

use std::cell::Cell;

use mauve_quickjs::{Local, NativeCall, SavedValue, native_function};
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
    /// `process.nextTick` in JavaScript, for all cases.
    static NEXT_TICK: Cell<Option<&'static SavedValue>> = const { Cell::new(None) };
    /// Whether each call passes through it.
    static OBSERVED: Cell<bool> = const { Cell::new(false) };
}

/// Creates `process.nextTick`, which calls `general` for an invalid callback, and for all after
/// `observeTicks`.
fn create_next_tick<'js>(ctx: Ctx<'js>, general: Value<'js>) -> Result<Function<'js>> {
    NEXT_TICK.set(Some(Box::leak(Box::new(SavedValue::new(&Local::new(&ctx, &general))))));
    native_function(&ctx, c"nextTick", 1, next_tick)
}

fn next_tick<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    let ctx = call.ctx();
    if OBSERVED.get() || !call.arg(0).is_function() {
        let general = NEXT_TICK.get().expect("set by createNextTick").get(ctx)?;
        return call.forward(&general, &call.this(), 0);
    }
    current().next_tick(Call::of_first_argument(call));
    Ok(Local::undefined(ctx))
}

/// `hasTicks()`: whether a tick is pending, or programs observe ticks.
fn has_ticks<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    Ok(Local::boolean(call.ctx(), OBSERVED.get() || current().has_ticks()))
}
