//! `uv_metrics_*`.

use std::ffi::c_int;

use crate::abi::*;
use crate::ffi::Ptr;

#[export]
pub extern "C" fn uv_metrics_info(of: Ptr<uv_loop_t>, metrics: Ptr<uv_metrics_t>) -> c_int {
    let counters = of.engine("uv_metrics_info", |engine| engine.metrics());
    metrics.with(|metrics| {
        metrics.loop_count = counters.iterations;
        metrics.events = counters.events;
        metrics.events_waiting = counters.events_waiting;
    });
    0
}

/// Runs on any thread: reads one pointer of the loop that never changes while it is open.
#[export]
pub extern "C" fn uv_metrics_idle_time(of: Ptr<uv_loop_t>) -> u64 {
    // SAFETY: the program vouches for the struct, and keeps the loop open during this call.
    let idle_time = unsafe { (*of.raw()).idle_time.as_ref() };
    idle_time.map_or(0, |idle_time| idle_time.at(mauve_sys::clock::hrtime()))
}
