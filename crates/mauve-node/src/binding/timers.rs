//! Timers, immediates, ticks.

use rquickjs::function::Rest;
use rquickjs::{Function, Object, Result, Value};

use super::functions;
use crate::host::{Call, current};
use crate::queue::{ImmediateKey, TimerKey};

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    functions!(object, {
        "start" => start,
        "stop" => |key: u64| current().stop_timer(TimerKey(key)),
        "refresh" => |key: u64| current().refresh_timer(TimerKey(key)),
        "reference" => |key: u64, on: bool| current().set_timer_ref(TimerKey(key), on),
        "setImmediate" => set_immediate,
        "clearImmediate" => |key: u64| current().clear_immediate(ImmediateKey(key)),
        "hasImmediate" => |key: u64| current().has_immediate(ImmediateKey(key)),
        "referenceImmediate" => |key: u64, on: bool| {
            current().set_immediate_ref(ImmediateKey(key), on);
        },
        "nextTick" => next_tick,
        "now" => || current().now(),
    });
    Ok(())
}

fn start<'js>(
    this: Object<'js>,
    function: Function<'js>,
    duration: f64,
    repeats: bool,
    args: Rest<Value<'js>>,
) -> u64 {
    let call = Call::new(function, Some(this), args.0);
    current().start_timer(call, duration as u64, repeats).0
}

fn set_immediate<'js>(this: Object<'js>, function: Function<'js>, args: Rest<Value<'js>>) -> u64 {
    current().add_immediate(Call::new(function, Some(this), args.0)).0
}

fn next_tick<'js>(function: Function<'js>, args: Rest<Value<'js>>) {
    current().next_tick(Call::new(function, None, args.0));
}
