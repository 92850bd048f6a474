//! `uv_metrics_*`.

use std::ffi::c_int;

use crate::abi::*;
use crate::ffi::Ptr;

#[unsafe(no_mangle)]
pub extern "C" fn uv_metrics_info(loop_: Ptr<uv_loop_t>, metrics: Ptr<uv_metrics_t>) -> c_int {
    let counters = loop_.quick_engine("uv_metrics_info", |engine| engine.metrics());
    metrics.with(|metrics| {
        metrics.loop_count = counters.iterations;
        metrics.events = counters.events;
        metrics.events_waiting = counters.events_waiting;
    });
    0
}

/// Thread-safe: reads one pointer of the loop that does not change while it is open.
#[unsafe(no_mangle)]
pub extern "C" fn uv_metrics_idle_time(loop_: Ptr<uv_loop_t>) -> u64 {
    // SAFETY: the program guarantees a valid struct, and keeps the loop open during this call.
    let idle_time = unsafe { (*loop_.raw()).idle_time.as_ref() };
    idle_time.map_or(0, |idle_time| idle_time.at(mauve_sys::clock::hrtime()))
}
