//! `uv_timer_*`.

use std::ffi::c_int;

use mauve_core::Engine;
use mauve_core::handle::timer::TimerMut;
use mauve_sys::Errno;
use mauve_sys::driver::Platform;

use crate::abi::callbacks::uv_timer_cb;
use crate::abi::*;
use crate::check;
use crate::ffi::{Ptr, negative};

#[unsafe(no_mangle)]
pub extern "C" fn uv_timer_init(loop_: Ptr<uv_loop_t>, timer: Ptr<uv_timer_t>) -> c_int {
    timer.open(UV_TIMER, loop_, "uv_timer_init", Engine::open_timer);
    timer.with(|timer| timer.timer_cb = None);
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_timer_start(
    timer: Ptr<uv_timer_t>,
    callback: uv_timer_cb,
    timeout: u64,
    repeat: u64,
) -> c_int {
    check::arguments::require_callback(callback, "uv_timer_start");
    if callback.is_none() {
        return negative(Errno::EINVAL);
    }
    let closed = Err(Errno::EINVAL);
    match with_or(timer, "uv_timer_start", closed, |mut timer| timer.start(timeout, repeat)) {
        Ok(()) => {
            timer.with(|timer| timer.timer_cb = callback);
            0
        }
        Err(error) => negative(error),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_timer_stop(timer: Ptr<uv_timer_t>) -> c_int {
    with_or(timer, "uv_timer_stop", (), |mut timer| timer.stop());
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_timer_again(timer: Ptr<uv_timer_t>) -> c_int {
    // libuv ignores that a closing timer cannot be started.
    let _ = with_or(timer, "uv_timer_again", Ok(()), |mut timer| timer.again());
    match timer.with(|timer| timer.timer_cb) {
        Some(_) => 0,
        None => negative(Errno::EINVAL),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_timer_set_repeat(timer: Ptr<uv_timer_t>, repeat: u64) {
    with_or(timer, "uv_timer_set_repeat", (), |mut timer| timer.set_repeat(repeat));
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_timer_get_repeat(timer: Ptr<uv_timer_t>) -> u64 {
    with_or(timer, "uv_timer_get_repeat", 0, |timer| timer.repeat())
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_timer_get_due_in(timer: Ptr<uv_timer_t>) -> u64 {
    with_or(timer, "uv_timer_get_due_in", 0, |timer| timer.due_in())
}

#[inline]
fn with_or<R>(
    timer: Ptr<uv_timer_t>,
    call: &str,
    closed: R,
    action: impl FnOnce(TimerMut<'_, Platform>) -> R,
) -> R {
    timer.with_engine_or(call, closed, |id, engine| engine.timer(id).map(action))
}
