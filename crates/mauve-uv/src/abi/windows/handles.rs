//! The loop and the handles on Windows.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

use mauve_core::IdleTime;
use mauve_core::probe::LoopProbe;
use mauve_core::wakeups::{Node, WakeupQueue};
use mauve_sys::descriptor::RawDescriptor;

use crate::abi::callbacks::*;
use crate::abi::handles::{HasDescriptor, NO_SYSTEM_CALLS, handle};
use crate::abi::{UV_NAMED_PIPE, UV_TTY, UV_UDP, uv_handle_t, uv_handle_type, uv_mutex_t};
use crate::ffi::Handle;
use crate::state::LoopState;

#[repr(C)]
pub struct uv_loop_t {
    pub data: *mut c_void,
    /// Additional references that the program adds by hand. The engine has the count of the loop.
    pub(crate) active_handles: c_uint,
    _handle_queue: [usize; 2],
    _active_reqs: usize,
    pub(crate) state: *mut LoopState,
    _stop_flag: c_uint,
    _iocp: usize,
    /// The time of the loop after it was closed, for `uv_now`.
    pub(crate) closed_time: u64,
    /// Options of `uv_loop_configure` that are none of the engine.
    pub(crate) flags: usize,
    /// Always -1, as `uv_backend_fd`.
    pub(crate) backend_fd: c_int,
    /// Read by other threads, which must not access `state`.
    pub(crate) idle_time: *const IdleTime,
    /// Which thread runs the loop. Read by other threads too.
    pub(crate) probe: *const LoopProbe,
    /// Check value: this is a loop that was initialised at this address.
    pub(crate) seal: u64,
    _rest: [usize; 12],
    _wq_mutex: uv_mutex_t,
    /// Not used. Its address identifies the internal async handle in `uv_print_all_handles`.
    pub(crate) wq_async: uv_async_t,
}

handle! { pub struct uv_timer_t: NO_SYSTEM_CALLS { timer_cb: uv_timer_cb, rest: [usize; 7], } }
handle! { pub struct uv_idle_t: NO_SYSTEM_CALLS { idle_cb: uv_idle_cb, rest: [usize; 2], } }
handle! { pub struct uv_prepare_t: NO_SYSTEM_CALLS { prepare_cb: uv_prepare_cb, rest: [usize; 2], } }
handle! { pub struct uv_check_t: NO_SYSTEM_CALLS { check_cb: uv_check_cb, rest: [usize; 2], } }
handle! { pub struct uv_async_t {
    /// The wake-up queue of the loop, for senders on other threads.
    wakeups: *const WakeupQueue,
    /// The node of the handle in that queue.
    node: *const Node,
    rest: [usize; 12],
    async_cb: uv_async_cb,
    /// Value of the node when the handle is already notified, so that a send has no effect.
    notified_state: u32,
} }
handle! { pub struct uv_poll_t {
    poll_cb: uv_poll_cb,
    /// Programs read it.
    socket: usize,
    rest: [usize; 38],
} }
handle! { pub struct uv_signal_t {
    signal_cb: uv_signal_cb,
    /// The signal that is watched, or zero. Programs read it.
    signum: c_int,
    rest: [usize; 19],
} }

handle! { pub struct uv_process_t {
    exit_cb: uv_exit_cb,
    /// Programs read it.
    pid: c_int,
    status: c_int,
    rest: [usize; 17],
    /// Programs read it.
    process_handle: usize,
    more: usize,
} }

handle! { pub struct uv_fs_event_t {
    path: *mut c_char,
    rest: [usize; 16],
    cb: uv_fs_event_cb,
    more: [usize; 4],
} }

handle! { pub struct uv_udp_t {
    send_queue_size: usize,
    send_queue_count: usize,
    /// Programs read it.
    socket: usize,
    rest: [usize; 34],
    recv_cb: uv_udp_recv_cb,
    alloc_cb: uv_alloc_cb,
    more: [usize; 2],
} }

/// Declares a stream type: the fields of `uv_stream_t`, and then its own.
macro_rules! stream {
    (pub struct $name:ident {
        $($(#[$field_doc:meta])* $vis:vis $field:ident: $type:ty,)*
    }) => {
        // `stream.rs` disables cancellation where it is necessary.
        handle! { pub struct $name: NO_SYSTEM_CALLS {
            write_queue_size: usize,
            alloc_cb: uv_alloc_cb,
            read_cb: uv_read_cb,
            unused: usize,
            connection_cb: uv_connection_cb,
            unused_too: [usize; 17],
            $($(#[$field_doc])* $field: $type,)*
        } }
    };
}

stream! { pub struct uv_stream_t {} }
stream! { pub struct uv_tcp_t {
    /// Programs read it.
    socket: usize,
    rest: [usize; 5],
} }
stream! { pub struct uv_pipe_t {
    /// Whether the pipe can pass sockets. Programs read it.
    ipc: c_int,
    /// Programs read it.
    handle: usize,
    _name: usize,
    /// The name that a pipe is bound to.
    pipe_fname: *mut c_char,
    rest: [usize; 34],
} }
stream! { pub struct uv_tty_t {
    /// Programs read it.
    handle: usize,
    rest: [usize; 8],
} }

impl uv_loop_t {
    /// The address of an unused field, which stands for the internal async handle when handles are printed.
    /// There is no internal signal handle.
    pub(crate) fn internal_handles(&self) -> (u64, u64) {
        ((&raw const self.wq_async) as usize as u64, 0)
    }
}

impl HasDescriptor for uv_stream_t {
    unsafe fn descriptor_field(handle: *mut Self) -> *mut RawDescriptor {
        // SAFETY: the caller promises a valid handle, and its type determines the struct.
        unsafe {
            match (*handle).r#type {
                UV_NAMED_PIPE => &raw mut (*handle.cast::<uv_pipe_t>()).handle,
                UV_TTY => &raw mut (*handle.cast::<uv_tty_t>()).handle,
                _ => &raw mut (*handle.cast::<uv_tcp_t>()).socket,
            }
        }
    }
}

impl HasDescriptor for uv_udp_t {
    #[inline(always)]
    unsafe fn descriptor_field(handle: *mut Self) -> *mut RawDescriptor {
        // SAFETY: the caller promises a valid handle.
        unsafe { &raw mut (*handle).socket }
    }
}

impl HasDescriptor for uv_poll_t {
    #[inline(always)]
    unsafe fn descriptor_field(handle: *mut Self) -> *mut RawDescriptor {
        // SAFETY: the caller promises a valid handle.
        unsafe { &raw mut (*handle).socket }
    }
}

/// The descriptor field of a stream or UDP handle, as another thread may see it, which changes it when it closes
/// the handle.
///
/// # Safety
/// The pointer is that of an initialised handle of such a type.
pub(crate) unsafe fn load_descriptor(handle: *mut uv_handle_t) -> RawDescriptor {
    // SAFETY: the type determines the struct, whose field is aligned.
    unsafe {
        let field = match (*handle).r#type {
            UV_UDP => uv_udp_t::descriptor_field(handle.cast()),
            _ => uv_stream_t::descriptor_field(handle.cast()),
        };
        AtomicUsize::from_ptr(field).load(Ordering::Relaxed)
    }
}
