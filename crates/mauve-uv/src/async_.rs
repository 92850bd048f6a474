//! `uv_async_*`.

use std::ffi::c_int;
use std::sync::Arc;

use crate::abi::callbacks::uv_async_cb;
use crate::abi::*;
use crate::check;
use crate::ffi::Ptr;
use mauve_core::HandleId;
use mauve_core::signals::full_word;

#[export]
pub extern "C" fn uv_async_init(
    of: Ptr<uv_loop_t>,
    handle: Ptr<uv_async_t>,
    callback: uv_async_cb,
) -> c_int {
    let (id, signals, node) = of.engine("uv_async_init", |engine| {
        let id = engine.open_async(handle.token());
        let signals = engine.signals();
        let node = signals.node_of(id).map_or(std::ptr::null(), std::ptr::from_ref);
        (id, Arc::as_ptr(signals), node)
    });
    handle.initialise(UV_ASYNC, of, id);
    handle.with(|handle| {
        handle.async_cb = callback;
        handle.signals = signals;
        handle.node = node;
        handle.full_word = full_word(id);
    });
    0
}

/// Sends that are merged are cheap if the system helps. It is asked when the library is loaded: the
/// process has one thread then, and that is the one time when asking takes none.
#[used]
#[unsafe(link_section = ".init_array")]
static OFFER: extern "C" fn() = offer_barrier;

extern "C" fn offer_barrier() {
    mauve_sys::barrier::offer();
}

/// Runs on any thread and in signal handlers. It reads a few words of the handle that never change
/// between initialising and closing it, and touches nothing else but the signal queue, whose
/// memory is never freed. A closed handle is recognised by the queue.
#[export]
pub extern "C" fn uv_async_send(handle: Ptr<uv_async_t>) -> c_int {
    if !check::on() {
        let sent = handle.raw();
        // SAFETY: the program vouches for the struct. Plain reads through the raw pointer: another
        // thread may be writing other fields of it.
        let (node, full_word) = unsafe { ((*sent).node, (*sent).full_word) };
        // SAFETY: nodes of the C ABI are kept for ever, see `state::Channel`.
        if unsafe { node.as_ref() }.is_some_and(|node| node.is_full(full_word)) {
            return 0;
        }
    }
    send(handle)
}

/// Not rare, but so much dearer than the other way that the latter is laid out straight.
#[cold]
#[inline(never)]
fn send(handle: Ptr<uv_async_t>) -> c_int {
    if check::on() {
        check::handles::sent(handle.address());
    }
    let handle = handle.raw();
    // SAFETY: as in `uv_async_send`.
    let (id, signals) = unsafe { ((*handle).id, (*handle).signals) };
    // SAFETY: queues of the C ABI are kept for ever, see `state::Channel`.
    if let (Some(signals), Some(id)) = (unsafe { signals.as_ref() }, HandleId::from_bits(id)) {
        // A closed handle has nobody left to call.
        let _ = signals.send(id);
    }
    0
}
