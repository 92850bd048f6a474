//! `uv_async_*`.

use std::ffi::c_int;
use std::sync::Arc;

use mauve_core::HandleId;
use mauve_core::wakeups::notified_word;

use crate::abi::callbacks::uv_async_cb;
use crate::abi::*;
use crate::check;
use crate::ffi::Ptr;

#[export]
pub extern "C" fn uv_async_init(
    of: Ptr<uv_loop_t>,
    handle: Ptr<uv_async_t>,
    callback: uv_async_cb,
) -> c_int {
    let (id, queue, node) = of.engine("uv_async_init", |engine| {
        let id = engine.open_async(handle.token());
        let queue = engine.wakeups();
        let node = queue.node_of(id).map_or(std::ptr::null(), std::ptr::from_ref);
        (id, Arc::as_ptr(queue), node)
    });
    handle.initialise(UV_ASYNC, of, id);
    handle.with(|handle| {
        handle.async_cb = callback;
        handle.wakeups = queue;
        handle.node = node;
        handle.notified_word = notified_word(id);
    });
    0
}

/// Runs on any thread and in signal handlers. It reads a few words of the handle that never change
/// between initialising and closing it, and touches nothing else but the wake-up queue, whose
/// memory is never freed. The queue recognises a closed handle.
#[export]
pub extern "C" fn uv_async_send(handle: Ptr<uv_async_t>) -> c_int {
    if !check::on() {
        let sent = handle.raw();
        // SAFETY: the program vouches for the struct. Plain reads through the raw pointer: another
        // thread may be writing other fields of it.
        let (node, word) = unsafe { ((*sent).node, (*sent).notified_word) };
        // SAFETY: nodes of the C ABI are kept for ever, see `state::Channel`.
        if unsafe { node.as_ref() }.is_some_and(|node| node.is_notified(word)) {
            return 0;
        }
    }
    send(handle)
}

/// Not rare, but so much dearer than the other path that the latter is laid out straight.
#[cold]
#[inline(never)]
fn send(handle: Ptr<uv_async_t>) -> c_int {
    if check::on() {
        check::handles::sent(handle.address());
    }
    let handle = handle.raw();
    // SAFETY: as in `uv_async_send`.
    let (id, queue) = unsafe { ((*handle).id, (*handle).wakeups) };
    // SAFETY: queues of the C ABI are kept for ever, see `state::Channel`.
    if let (Some(queue), Some(id)) = (unsafe { queue.as_ref() }, HandleId::from_bits(id)) {
        // A closed handle has no callback left to run.
        let _ = queue.send(id);
    }
    0
}
