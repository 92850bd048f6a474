//! Timers, immediates and ticks.

use std::cell::{Cell, RefCell};
use std::ffi::CStr;

use mauve_quickjs::{Local, NativeCall, NativeFunction, native_function};
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
    define(object, "nextTick", next_tick)?;
    define(object, "createNextTick", create_next_tick)?;
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

fn next_tick<'js>(function: Function<'js>, args: Rest<Value<'js>>) {
    current().next_tick(Call::new(function, None, args.0));
}

thread_local! {
    /// `process.nextTick` in JavaScript, for all cases.
    static GENERAL: RefCell<Option<Persistent<Function<'static>>>> = const { RefCell::new(None) };
    /// Whether each call passes through it.
    static OBSERVED: Cell<bool> = const { Cell::new(false) };
}

/// Creates `process.nextTick`, which calls `general` for an invalid callback, and for all after
/// `observeTicks`.
fn create_next_tick<'js>(
    ctx: Ctx<'js>,
    general: Persistent<Function<'static>>,
) -> Result<Function<'js>> {
    GENERAL.set(Some(general));
    native_function::<NextTick>(&ctx)
}

struct NextTick;

impl NativeFunction for NextTick {
    const NAME: &'static CStr = c"nextTick";
    const LENGTH: u8 = 1;

    fn call<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
        let ctx = call.ctx();
        if OBSERVED.get() || !call.arg(0).is_function() {
            let general = GENERAL.with_borrow(Clone::clone).expect("set by createNextTick");
            let general = Local::new(ctx, &general.restore(ctx)?.into_value());
            return call.forward(&general, &call.this(), 0);
        }
        let function = call.arg(0).to_value().get()?;
        let args = (1..call.count()).map(|index| call.arg(index).to_value());
        current().next_tick(Call::new(function, None, args));
        Ok(Local::undefined(ctx))
    }
}
