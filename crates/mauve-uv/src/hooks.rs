//! `uv_idle_*`, `uv_prepare_*` and `uv_check_*`. The code calls these handles hooks: each runs a
//! callback once per iteration, in its phase.

use std::ffi::c_int;

use mauve_core::Engine;
use mauve_sys::Errno;

use crate::abi::callbacks::{uv_check_cb, uv_idle_cb, uv_prepare_cb};
use crate::abi::*;
use crate::check;
use crate::ffi::{Handle, Ptr, negative};

#[unsafe(no_mangle)]
pub extern "C" fn uv_idle_init(loop_: Ptr<uv_loop_t>, idle: Ptr<uv_idle_t>) -> c_int {
    idle.open(UV_IDLE, loop_, "uv_idle_init", Engine::open_idle);
    idle.with(|idle| idle.idle_cb = None);
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_idle_start(idle: Ptr<uv_idle_t>, callback: uv_idle_cb) -> c_int {
    start(idle, "uv_idle_start", callback, |idle, callback| idle.idle_cb = callback)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_idle_stop(idle: Ptr<uv_idle_t>) -> c_int {
    stop(idle, "uv_idle_stop")
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_prepare_init(loop_: Ptr<uv_loop_t>, prepare: Ptr<uv_prepare_t>) -> c_int {
    prepare.open(UV_PREPARE, loop_, "uv_prepare_init", Engine::open_prepare);
    prepare.with(|prepare| prepare.prepare_cb = None);
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_prepare_start(prepare: Ptr<uv_prepare_t>, callback: uv_prepare_cb) -> c_int {
    start(prepare, "uv_prepare_start", callback, |prepare, callback| prepare.prepare_cb = callback)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_prepare_stop(prepare: Ptr<uv_prepare_t>) -> c_int {
    stop(prepare, "uv_prepare_stop")
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_check_init(loop_: Ptr<uv_loop_t>, check: Ptr<uv_check_t>) -> c_int {
    check.open(UV_CHECK, loop_, "uv_check_init", Engine::open_check);
    check.with(|check| check.check_cb = None);
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_check_start(check: Ptr<uv_check_t>, callback: uv_check_cb) -> c_int {
    start(check, "uv_check_start", callback, |check, callback| check.check_cb = callback)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_check_stop(check: Ptr<uv_check_t>) -> c_int {
    stop(check, "uv_check_stop")
}

/// Starts a handle. An active one keeps its callback, even if a null one is passed.
fn start<T: Handle, F>(
    hook: Ptr<T>,
    call: &str,
    callback: Option<F>,
    store: impl FnOnce(&mut T, Option<F>),
) -> c_int {
    check::arguments::require_callback(callback.as_ref(), call);
    if callback.is_none() && hook.is_tolerated() {
        return negative(Errno::EINVAL);
    }
    let started = hook.with_engine(call, |id, engine| {
        if callback.is_none() && !engine.status(id)?.active {
            return Some(Err(Errno::EINVAL));
        }
        Some(engine.hook(id)?.start())
    });
    match started {
        Ok(true) => {
            hook.with(|hook| store(hook, callback));
            0
        }
        Ok(false) => 0,
        Err(error) => negative(error),
    }
}

fn stop<T: Handle>(hook: Ptr<T>, call: &str) -> c_int {
    hook.with_engine_or(call, (), |id, engine| engine.hook(id).map(|mut hook| hook.stop()));
    0
}
