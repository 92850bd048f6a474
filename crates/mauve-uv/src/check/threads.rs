//! One thread at a time.
//!
//! A loop may change hands between its runs; many programs set a loop up on one thread, run it on
//! another and close it on a third. But while a thread runs it, no other may use it. If the
//! running thread is asleep in the poller the engine is in the middle of something, so a call from
//! elsewhere would damage it: that is told without `MAUVE_CHECK`, too, except for questions and
//! `uv_stop`, which programs have been seen to ask from anywhere and which do no harm.

use mauve_core::probe::LoopProbe;
use mauve_sys::thread::current_tid;

use crate::abi::uv_loop_t;
use crate::ffi::{Ptr, misuse};

/// Calls that change nothing, or only a flag.
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

/// Somebody uses a loop while a thread waits in it.
#[cold]
pub(crate) fn disturbed(of: Ptr<uv_loop_t>, probe: &LoopProbe, call: &str) {
    if super::on() || !HARMLESS.contains(&call) {
        must_be_runner(of, probe, call);
    }
}

/// Somebody uses a loop.
pub(super) fn used(of: Ptr<uv_loop_t>, call: &str) {
    if let Some(probe) = of.probe() {
        must_be_runner(of, probe, call);
    }
}

fn must_be_runner(of: Ptr<uv_loop_t>, probe: &LoopProbe, call: &str) {
    // A signal handler on the loop's own thread is let pass: it interrupts a system call.
    if probe.other_runner().is_some() {
        // A thread that was cancelled in the loop may be on its way out.
        mauve_sys::clock::sleep(std::time::Duration::from_millis(20));
    }
    if let Some(runner) = probe.other_runner() {
        let (loop_, here) = (of.address(), current_tid());
        let rule = "only uv_async_send may be called from another thread";
        misuse(
            call,
            format_args!("the loop at {loop_:#x} runs on thread {runner}, this is {here}: {rule}"),
        );
    }
}
