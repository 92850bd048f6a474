//! `uv_signal_*`.

use std::ffi::c_int;

use mauve_core::{Engine, HandleId};
use mauve_sys::Errno;
use mauve_sys::signal::{Delivery, MAX, numbers};

use crate::abi::callbacks::uv_signal_cb;
use crate::abi::*;
use crate::check;
use crate::ffi::{Ptr, negative};

#[unsafe(no_mangle)]
pub extern "C" fn uv_signal_init(loop_: Ptr<uv_loop_t>, signal: Ptr<uv_signal_t>) -> c_int {
    match signal.try_open(UV_SIGNAL, loop_, "uv_signal_init", Engine::open_signal) {
        Ok(()) => {
            signal.with(|signal| (signal.signal_cb, signal.signum) = (None, 0));
            0
        }
        Err(error) => negative(error),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_signal_start(
    signal: Ptr<uv_signal_t>,
    callback: uv_signal_cb,
    number: c_int,
) -> c_int {
    start(signal, callback, number, Delivery::Persistent, "uv_signal_start")
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_signal_start_oneshot(
    signal: Ptr<uv_signal_t>,
    callback: uv_signal_cb,
    number: c_int,
) -> c_int {
    start(signal, callback, number, Delivery::OneShot, "uv_signal_start_oneshot")
}

fn start(
    signal: Ptr<uv_signal_t>,
    callback: uv_signal_cb,
    number: c_int,
    delivery: Delivery,
    call: &str,
) -> c_int {
    check::arguments::require_callback(callback, call);
    let is_valid = (1..=MAX).contains(&number);
    if (!is_valid || matches!(number, numbers::SIGKILL | numbers::SIGSTOP)) && signal.is_tolerated()
    {
        return negative(Errno::EINVAL);
    }
    let started = signal.with_engine(call, |id, engine| {
        if engine.status(id)?.closing {
            return None;
        }
        Some(engine.signal(id)?.start(number, delivery))
    });
    publish(signal);
    match started {
        Ok(()) => {
            signal.with(|signal| signal.signal_cb = callback);
            0
        }
        Err(error) => negative(error),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_signal_stop(signal: Ptr<uv_signal_t>) -> c_int {
    let stop = |id, engine: &mut mauve_core::Engine<_>| {
        engine.signal(id)?.stop();
        Some(true)
    };
    if signal.with_engine_or("uv_signal_stop", false, stop) {
        publish(signal);
    }
    0
}

/// Updates the field `signum`, which programs read.
pub(crate) fn publish(signal: Ptr<uv_signal_t>) {
    let watched = |id: HandleId, engine: &mut mauve_core::Engine<_>| {
        Some(engine.signal(id)?.watched().unwrap_or(0))
    };
    let number = signal.with_engine("uv_signal", watched);
    signal.with(|signal| signal.signum = number);
}
