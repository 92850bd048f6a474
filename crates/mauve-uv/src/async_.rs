//! `uv_async_*`.

use std::ffi::c_int;
use std::sync::Arc;

use mauve_core::HandleId;
use mauve_core::wakeups::notified_state;

use crate::abi::callbacks::uv_async_cb;
use crate::abi::*;
use crate::check;
use crate::ffi::Ptr;

#[unsafe(no_mangle)]
pub extern "C" fn uv_async_init(
    loop_: Ptr<uv_loop_t>,
    handle: Ptr<uv_async_t>,
    callback: uv_async_cb,
) -> c_int {
    let (mut queue, mut node, mut state) = (std::ptr::null(), std::ptr::null(), 0);
    handle.open(UV_ASYNC, loop_, "uv_async_init", |engine, token| {
        let id = engine.open_async(token);
        let wakeups = engine.wakeups();
        queue = Arc::as_ptr(wakeups);
        node = wakeups.node_of(id).map_or(std::ptr::null(), std::ptr::from_ref);
        state = notified_state(id);
        id
    });
    handle.with(|handle| {
        handle.async_cb = callback;
        (handle.wakeups, handle.node, handle.notified_state) = (queue, node, state);
    });
    0
}

/// Thread-safe and async-signal-safe. It reads fields of the handle that do not change while it is
/// open, and otherwise uses only the wake-up queue, whose memory is never freed. The queue detects
/// a closed handle.
#[unsafe(no_mangle)]
pub extern "C" fn uv_async_send(handle: Ptr<uv_async_t>) -> c_int {
    if !check::is_enabled() {
        let sent = handle.raw();
        // SAFETY: the program guarantees a valid struct. Reads single fields through the raw
        // pointer, because another thread may write other fields.
        let (node, state) = unsafe { ((*sent).node, (*sent).notified_state) };
        // SAFETY: nodes of the C ABI are never freed, see `state::Channel`.
        if unsafe { node.as_ref() }.is_some_and(|node| node.is_notified(state)) {
            return 0;
        }
    }
    send(handle)
}

/// The slow path. It is not rare, but `#[cold]` moves it out of the fast path of `uv_async_send`.
#[cold]
#[inline(never)]
fn send(handle: Ptr<uv_async_t>) -> c_int {
    if check::is_enabled() {
        check::handles::on_async_send(handle.address());
    }
    let handle = handle.raw();
    // SAFETY: the program guarantees a valid struct. Reads single fields through the raw pointer,
    // because another thread may write other fields.
    let (id, queue) = unsafe { ((*handle).id, (*handle).wakeups) };
    // SAFETY: queues of the C ABI are never freed, see `state::Channel`.
    if let (Some(queue), Some(id)) = (unsafe { queue.as_ref() }, HandleId::from_bits(id)) {
        // The error means that the handle is closed, which has no effect.
        let _ = queue.send(id);
    }
    0
}
