//! Timers, immediates and ticks.

use std::cell::{Cell, RefCell};

use mauve_quickjs::{Local, NativeCall, native_function};
use rquickjs::function::Rest;
use rquickjs::{Ctx, Function, Object, Persistent, Result, Value};

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
    object
        .set("pendingTicks", native_function(object.ctx(), c"pendingTicks", 0, pending_ticks)?)?;
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
    static NEXT_TICK: RefCell<Option<Persistent<Function<'static>>>> = const { RefCell::new(None) };
    /// Whether each call passes through it.
    static OBSERVED: Cell<bool> = const { Cell::new(false) };
}

/// Creates `process.nextTick`, which calls `general` for an invalid callback, and for all after
/// `observeTicks`.
fn create_next_tick<'js>(
    ctx: Ctx<'js>,
    general: Persistent<Function<'static>>,
) -> Result<Function<'js>> {
    NEXT_TICK.set(Some(general));
    native_function(&ctx, c"nextTick", 1, next_tick)
}

fn next_tick<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    let ctx = call.ctx();
    if OBSERVED.get() || !call.arg(0).is_function() {
        let general = NEXT_TICK.with_borrow(Clone::clone).expect("set by createNextTick");
        let general = Local::new(ctx, general.restore(ctx)?.as_value());
        return call.forward(&general, &call.this(), 0);
    }
    current().next_tick(Call::of_first_argument(call));
    Ok(Local::undefined(ctx))
}

/// `pendingTicks()`: how many ticks are pending; infinity if programs observe ticks.
fn pending_ticks<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    let count = if OBSERVED.get() { f64::INFINITY } else { current().pending_ticks() as f64 };
    Ok(Local::number(call.ctx(), count))
}
