//! Timers, immediates and ticks.

use rquickjs::function::Rest;
use rquickjs::{Function, Object, Result, Value};

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
