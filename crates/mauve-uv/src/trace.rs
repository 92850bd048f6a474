//! Names of C callbacks in traces: their functions.

use mauve_core::trace::CallbackName;
use mauve_core::{Completion, Token};

use crate::abi::*;

/// The function that the callback of a completion is. Called before the callback, while the program
/// keeps the struct.
pub(crate) fn name_of(completion: &Completion) -> CallbackName {
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
    match *completion {
        Completion::Timer(token) => function!(token, uv_timer_t, timer_cb),
        Completion::Idle(token) => function!(token, uv_idle_t, idle_cb),
        Completion::Prepare(token) => function!(token, uv_prepare_t, prepare_cb),
        Completion::Check(token) => function!(token, uv_check_t, check_cb),
        Completion::Async(token) => function!(token, uv_async_t, async_cb),
        Completion::Poll { token, .. } => function!(token, uv_poll_t, poll_cb),
        Completion::Readable(token)
        | Completion::ReadEnd(token)
        | Completion::ReadFailed { token, .. } => function!(token, uv_stream_t, read_cb),
        Completion::Connection { token, .. } => function!(token, uv_stream_t, connection_cb),
        Completion::Connect { token, .. } => function!(token, uv_connect_t, cb),
        Completion::Write { token, .. } => function!(token, uv_write_t, cb),
        Completion::Shutdown { token, .. } => function!(token, uv_shutdown_t, cb),
        Completion::Receivable(token) => function!(token, uv_udp_t, recv_cb),
        Completion::Sent { token, .. } => function!(token, uv_udp_send_t, cb),
        Completion::Signal { token, .. } => function!(token, uv_signal_t, signal_cb),
        Completion::Exit { token, .. } => function!(token, uv_process_t, exit_cb),
        Completion::FsEvent { token, .. } => function!(token, uv_fs_event_t, cb),
        Completion::FsPoll { token, .. } => function!(token, uv_fs_poll_t, poll_cb),
        Completion::Read { token, .. } => function!(token, uv_fs_t, cb),
        Completion::Work { token, .. } => match request_type(token) {
            UV_WORK => function!(token, uv_work_t, after_work_cb),
            UV_FS => function!(token, uv_fs_t, cb),
            UV_GETADDRINFO => function!(token, uv_getaddrinfo_t, cb),
            UV_GETNAMEINFO => function!(token, uv_getnameinfo_t, getnameinfo_cb),
            UV_RANDOM => function!(token, uv_random_t, cb),
            _ => CallbackName::Unknown,
        },
        Completion::Close(Token::ABANDONED) => CallbackName::Unknown,
        Completion::Close(token) => function!(token, uv_handle_t, close_cb),
        Completion::Writable(_) | Completion::Progress { .. } | Completion::Stopped(_) => {
            CallbackName::Unknown
        }
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
