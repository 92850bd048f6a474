//! Checks that only one thread at a time uses a loop.
//!
//! Threads may take turns between runs: many programs set up a loop on one thread, run it on
//! another and close it on a third. But while a thread runs it, no other thread may use it. While
//! that thread waits in the poll phase, a call from another thread would corrupt the engine. So
//! this aborts without `MAUVE_CHECK` too, except for queries and `uv_stop`, which some programs
//! call from any thread and which are harmless.

use mauve_core::probe::LoopProbe;
use mauve_sys::thread::current_tid;

use crate::abi::uv_loop_t;
use crate::ffi::{Ptr, abort_misuse};

/// Calls that change nothing, or only set a flag.
const HARMLESS: &[&str] = &[
    "uv_stop",
    "uv_now",
    "uv_loop_alive",
    "uv_loop_fork",
    "uv_backend_fd",
    "uv_backend_timeout",
    "uv_metrics_info",
    "uv_print_all_handles",
    "uv_is_active",
    "uv_is_closing",
    "uv_has_ref",
    "uv_fileno",
    "uv_timer_get_repeat",
    "uv_timer_get_due_in",
    "uv_tcp_getsockname",
    "uv_tcp_getpeername",
    "uv_udp_getsockname",
    "uv_udp_getpeername",
    "uv_pipe_getsockname",
    "uv_pipe_getpeername",
    "uv_is_readable",
    "uv_is_writable",
];

/// A loop is used while a thread waits in its poll phase.
#[cold]
pub(crate) fn on_use_while_waiting(loop_: Ptr<uv_loop_t>, probe: &LoopProbe, call: &str) {
    if super::is_enabled() || !HARMLESS.contains(&call) {
        require_loop_thread(loop_, probe, call);
    }
}

/// A loop is used.
pub(super) fn on_use(loop_: Ptr<uv_loop_t>, call: &str) {
    if let Some(probe) = loop_.probe() {
        require_loop_thread(loop_, probe, call);
    }
}

fn require_loop_thread(loop_: Ptr<uv_loop_t>, probe: &LoopProbe, call: &str) {
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
