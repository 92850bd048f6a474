//! `uv_async_*`.

use std::ffi::c_int;
use std::sync::Arc;

use mauve_core::HandleId;

use crate::abi::callbacks::uv_async_cb;
use crate::abi::*;
use crate::check;
use crate::ffi::Ptr;

#[unsafe(no_mangle)]
pub extern "C" fn uv_async_init(
    of: Ptr<uv_loop_t>,
    handle: Ptr<uv_async_t>,
    callback: uv_async_cb,
) -> c_int {
    let (id, signals) = of.engine("uv_async_init", |engine| {
        (engine.open_async(handle.token()), Arc::as_ptr(engine.signals()))
    });
    handle.initialise(UV_ASYNC, of, id);
    handle.with(|handle| {
        handle.async_cb = callback;
        handle.signals = signals;
    });
    0
}

/// Runs on any thread and in signal handlers. It reads two words of the handle that never change
/// between initialising and closing it, and touches nothing else but the signal queue, whose
/// memory is never freed. A closed handle is recognised by the queue.
#[unsafe(no_mangle)]
pub extern "C" fn uv_async_send(handle: Ptr<uv_async_t>) -> c_int {
    if check::on() {
        check::handles::sent(handle.address());
    }
    let handle = handle.raw();
    // SAFETY: the program vouches for the struct. Plain reads through the raw pointer: another
    // thread may be writing other fields of it.
    let (id, signals) = unsafe { ((*handle).id, (*handle).signals) };
    // SAFETY: queues of the C ABI are kept for ever, see `state::Channel`.
    if let (Some(signals), Some(id)) = (unsafe { signals.as_ref() }, HandleId::from_bits(id)) {
        // A closed handle has nobody left to call.
        let _ = signals.send(id);
    }
    0
}
