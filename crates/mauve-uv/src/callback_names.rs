//! Names of C callbacks in traces: their functions.

use mauve_core::Token;
use mauve_core::trace::{CallbackKind, CallbackName};

use crate::abi::*;

/// The function that the callback of a completion is. Called before the callback, while the program
/// keeps the struct.
pub(crate) fn name_of(kind: CallbackKind, token: Token) -> CallbackName {
    // Reads one field of the struct at the token's address. It holds a function or null.
    macro_rules! function {
        ($token:expr, $type:ty, $field:ident) => {{
            let pointer = $token.0 as usize as *const $type;
            // SAFETY: the program keeps the struct until its last callback. This reads a field and
            // creates no reference.
            let callback = unsafe { (&raw const (*pointer).$field).read() };
            callback.map_or(CallbackName::Unknown, |f| CallbackName::Function(f as usize as u64))
        }};
    }
    match kind {
        CallbackKind::Timer => function!(token, uv_timer_t, timer_cb),
        CallbackKind::Idle => function!(token, uv_idle_t, idle_cb),
        CallbackKind::Prepare => function!(token, uv_prepare_t, prepare_cb),
        CallbackKind::Check => function!(token, uv_check_t, check_cb),
        CallbackKind::Async => function!(token, uv_async_t, async_cb),
        CallbackKind::Poll => function!(token, uv_poll_t, poll_cb),
        CallbackKind::Read => function!(token, uv_stream_t, read_cb),
        CallbackKind::Connection => function!(token, uv_stream_t, connection_cb),
        CallbackKind::Connect => function!(token, uv_connect_t, cb),
        CallbackKind::Write => function!(token, uv_write_t, cb),
        CallbackKind::Shutdown => function!(token, uv_shutdown_t, cb),
        CallbackKind::Receive => function!(token, uv_udp_t, recv_cb),
        CallbackKind::Send => function!(token, uv_udp_send_t, cb),
        CallbackKind::Signal => function!(token, uv_signal_t, signal_cb),
        CallbackKind::Exit => function!(token, uv_process_t, exit_cb),
        CallbackKind::FsEvent => function!(token, uv_fs_event_t, cb),
        CallbackKind::FsPoll => function!(token, uv_fs_poll_t, poll_cb),
        CallbackKind::Work => match request_type(token) {
            UV_WORK => function!(token, uv_work_t, after_work_cb),
            UV_FS => function!(token, uv_fs_t, cb),
            UV_GETADDRINFO => function!(token, uv_getaddrinfo_t, cb),
            UV_GETNAMEINFO => function!(token, uv_getnameinfo_t, getnameinfo_cb),
            UV_RANDOM => function!(token, uv_random_t, cb),
            _ => CallbackName::Unknown,
        },
        CallbackKind::Close if token == Token::ABANDONED => CallbackName::Unknown,
        CallbackKind::Close => function!(token, uv_handle_t, close_cb),
        // Not of this host.
        CallbackKind::Writable
        | CallbackKind::Task
        | CallbackKind::Script
        | CallbackKind::Function
        | CallbackKind::Tick
        | CallbackKind::Microtask
        | CallbackKind::Immediate
        | CallbackKind::Timeout => CallbackName::Unknown,
    }
}

fn request_type(token: Token) -> uv_req_type {
    let request = token.0 as usize as *const uv_req_t;
    // SAFETY: the request is active, so the struct is valid. Pool threads do not write this field.
    unsafe { (&raw const (*request).r#type).read() }
}

/// The function that a pool thread runs for a request.
pub(crate) fn job_name(request: *const uv_req_t) -> CallbackName {
    // SAFETY: as in `request_type`.
    if unsafe { (&raw const (*request).r#type).read() } != UV_WORK {
        return CallbackName::Unknown;
    }
    // SAFETY: a `uv_work_t` by its type. Nothing writes this field while the request is active.
    let callback = unsafe { (&raw const (*request.cast::<uv_work_t>()).work_cb).read() };
    callback.map_or(CallbackName::Unknown, |f| CallbackName::Function(f as usize as u64))
}
