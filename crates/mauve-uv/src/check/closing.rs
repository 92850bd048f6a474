//! Calls that are misuse on a closing handle.

/// Calls that start an operation. Queries, and calls that stop something, are allowed.
const START_CALLS: &[&str] = &[
    "uv_timer_start",
    "uv_timer_again",
    "uv_idle_start",
    "uv_prepare_start",
    "uv_check_start",
    "uv_poll_start",
    "uv_signal_start",
    "uv_signal_start_oneshot",
    "uv_fs_event_start",
    "uv_fs_poll_start",
    "uv_listen",
    "uv_accept",
    "uv_read_start",
    "uv_write",
    "uv_try_write",
    "uv_shutdown",
    "uv_tcp_open",
    "uv_tcp_bind",
    "uv_tcp_connect",
    "uv_pipe_open",
    "uv_pipe_bind",
    "uv_pipe_connect",
    "uv_udp_open",
    "uv_udp_bind",
    "uv_udp_connect",
    "uv_udp_send",
    "uv_udp_try_send",
    "uv_udp_try_send2",
    "uv_udp_recv_start",
];

pub(crate) fn starts_operation(call: &str) -> bool {
    START_CALLS.contains(&call)
}
