//! Checks that only one thread at a time uses a loop.
//!
//! Threads may take turns between runs: many programs set up a loop on one thread, run it on
//! another and close it on a third. But while a thread runs it, no other thread may use it. libuv
//! tolerates such calls as long as they do not overlap with those of the loop's thread, and so do we
//! (`mauve_core::gate`). `MAUVE_CHECK` reports them. A second `uv_run` is always an error.

use mauve_core::probe::LoopProbe;
use mauve_sys::thread::current_tid;

use crate::abi::uv_loop_t;
use crate::ffi::{Ptr, abort_misuse};

/// A loop is used.
pub(super) fn on_use(loop_: Ptr<uv_loop_t>, call: &str) {
    if let Some(probe) = loop_.probe() {
        require_loop_thread(loop_, probe, call);
    }
}

/// Aborts if another thread runs the loop.
#[cold]
pub(crate) fn require_loop_thread(loop_: Ptr<uv_loop_t>, probe: &LoopProbe, call: &str) {
    // A signal handler on the loop thread is allowed: it interrupts a system call.
    if probe.other_runner().is_some() {
        // A cancelled thread may still be unwinding out of the loop.
        mauve_sys::clock::sleep(std::time::Duration::from_millis(20));
    }
    if let Some(runner) = probe.other_runner() {
        let (address, here) = (loop_.address(), current_tid());
        let rule = "only uv_async_send may be called from another thread";
        abort_misuse(
            call,
            format_args!(
                "the loop at {address:#x} runs on thread {runner}, this is {here}: {rule}"
            ),
        );
    }
}
