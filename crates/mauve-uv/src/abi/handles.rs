//! The loop and the handles.

use std::ffi::{c_int, c_uint, c_void};

use mauve_core::IdleTime;
use mauve_core::probe::LoopProbe;
use mauve_core::wakeups::{Node, WakeupQueue};

use super::callbacks::*;
use super::uv_handle_type;
use crate::state::LoopState;

#[repr(C)]
pub struct uv_loop_t {
    pub data: *mut c_void,
    /// What the program counted in by hand; the loop's own count is in the engine.
    pub(crate) active_handles: c_uint,
    _handle_queue: [usize; 2],
    _active_reqs: usize,
    pub(crate) state: *mut LoopState,
    _stop_flag: c_uint,
    _flags: usize,
    /// A copy for programs that look here instead of calling `uv_backend_fd`.
    pub(crate) backend_fd: c_int,
    /// Read by other threads, which must not touch `state`.
    pub(crate) idle_time: *const IdleTime,
    /// Whether a thread runs the loop: read by other threads, too.
    pub(crate) probe: *const LoopProbe,
    /// Proves that this is a loop of ours, at this address.
    pub(crate) seal: u64,
    _queues: [usize; 5],
    // The locks are as large as the platform's C library has them.
    _wq_mutex: libc::pthread_mutex_t,
    /// Never used, but its address stands for the loop's own async handle in a listing.
    pub(crate) wq_async: uv_async_t,
    _cloexec_lock: libc::pthread_rwlock_t,
    _middle: [usize; 32],
    /// Likewise, of the loop's own signal handle.
    pub(crate) child_watcher: uv_signal_t,
    _rest: [usize; 10],
}

/// The part of streams, datagram sockets and polls where programs look for the descriptor.
#[repr(C)]
pub struct uv__io_t {
    _rest: [usize; 6],
    /// A copy: the descriptor is the engine's. Negative if there is none.
    pub(crate) fd: c_int,
}

/// Declares a handle type: what all handles begin with, and the rest.
macro_rules! handle {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[repr(C)]
        pub struct $name {
            pub data: *mut c_void,
            pub r#loop: *mut uv_loop_t,
            pub r#type: uv_handle_type,
            pub(crate) close_cb: uv_close_cb,
            /// The engine's name for this handle.
            pub(crate) id: u64,
            /// Proves that `id` was written by us, at this address.
            pub(crate) seal: u64,
            _u: [usize; 4],
            _next_closing: usize,
            pub(crate) flags: c_uint,
            $($(#[$field_doc])* pub(crate) $field: $type,)*
        }
    };
}

handle! { uv_handle_t {} }
handle! { uv_timer_t { timer_cb: uv_timer_cb, rest: [usize; 6], } }
handle! { uv_idle_t { idle_cb: uv_idle_cb, rest: [usize; 2], } }
handle! { uv_prepare_t { prepare_cb: uv_prepare_cb, rest: [usize; 2], } }
handle! { uv_check_t { check_cb: uv_check_cb, rest: [usize; 2], } }
handle! { uv_async_t {
    async_cb: uv_async_cb,
    /// The queue to send through: other threads must not touch the loop.
    wakeups: *const WakeupQueue,
    /// The handle's place in that queue.
    node: *const Node,
    /// What stands there when a send would change nothing.
    notified_word: u32,
} }
handle! { uv_poll_t { poll_cb: uv_poll_cb, io_watcher: uv__io_t, } }
handle! { uv_signal_t {
    signal_cb: uv_signal_cb,
    /// What is watched for, or zero. Programs read it.
    signum: c_int,
    rest: [usize; 5],
} }

handle! { uv_process_t {
    exit_cb: uv_exit_cb,
    /// Programs read it.
    pid: c_int,
    rest: [usize; 2],
    /// Programs read it, too.
    status: c_int,
} }

handle! { uv_fs_event_t { path: *mut std::ffi::c_char, cb: uv_fs_event_cb, rest: [usize; 3], } }
handle! { uv_fs_poll_t { poll_cb: uv_fs_poll_cb, } }

handle! { uv_udp_t {
    send_queue_size: usize,
    send_queue_count: usize,
    alloc_cb: uv_alloc_cb,
    recv_cb: uv_udp_recv_cb,
    io_watcher: uv__io_t,
    rest: [usize; 4],
} }

/// Declares a stream type: what all streams begin with, and the rest.
macro_rules! stream {
    ($name:ident { $($(#[$field_doc:meta])* $vis:vis $field:ident: $type:ty,)* }) => {
        handle! { $name {
            write_queue_size: usize,
            alloc_cb: uv_alloc_cb,
            read_cb: uv_read_cb,
            unused: [usize; 2],
            io_watcher: uv__io_t,
            unused_queues: [usize; 4],
            connection_cb: uv_connection_cb,
            unused_too: [usize; 2],
            $($(#[$field_doc])* $field: $type,)*
        } }
    };
}

stream! { uv_stream_t {} }
stream! { uv_tcp_t {} }
stream! { uv_pipe_t {
    /// Whether descriptors travel over this pipe. Programs read it.
    ipc: c_int,
    /// The path that a pipe is bound to.
    pipe_fname: *mut std::ffi::c_char,
} }
stream! { uv_tty_t { termios: [u32; 15], mode: c_int, } }
