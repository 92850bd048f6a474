//! The loop and the handles on Unix.

use std::ffi::{c_int, c_uint, c_void};
use std::sync::atomic::{AtomicI32, Ordering};

use mauve_core::IdleTime;
use mauve_core::probe::LoopProbe;
use mauve_core::wakeups::{Node, WakeupQueue};
use mauve_sys::descriptor::RawDescriptor;

use crate::abi::callbacks::*;
use crate::abi::handles::{HasDescriptor, NO_SYSTEM_CALLS, handle};
use crate::abi::{UV_UDP, uv_handle_t, uv_handle_type};
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
    /// Options of `uv_loop_configure` that are none of the engine.
    pub(crate) flags: usize,
    /// A copy for programs that read this field instead of calling `uv_backend_fd`.
    pub(crate) backend_fd: c_int,
    /// Read by other threads, which must not access `state`.
    pub(crate) idle_time: *const IdleTime,
    /// Which thread runs the loop. Read by other threads too.
    pub(crate) probe: *const LoopProbe,
    /// Check value: this is a loop that was initialised at this address.
    pub(crate) seal: u64,
    /// The time of the loop after it was closed, for `uv_now`.
    pub(crate) closed_time: u64,
    _queues: [u8; 5 * size_of::<usize>() - size_of::<u64>()],
    // The sizes of the locks are those of the C library.
    _wq_mutex: libc::pthread_mutex_t,
    /// Not used. Its address identifies the internal async handle in `uv_print_all_handles`.
    pub(crate) wq_async: uv_async_t,
    _cloexec_lock: libc::pthread_rwlock_t,
    _middle: [usize; 32],
    /// Not used. Its address identifies the internal signal handle there.
    pub(crate) child_watcher: uv_signal_t,
    _rest: [usize; 10],
}

/// The part of stream, UDP and poll handles where programs read the descriptor.
#[repr(C)]
pub struct uv__io_t {
    _rest: [usize; 6],
    /// A copy; the engine owns the descriptor. Negative if there is none.
    pub(crate) fd: c_int,
}

handle! { pub struct uv_timer_t: NO_SYSTEM_CALLS { timer_cb: uv_timer_cb, rest: [usize; 6], } }
handle! { pub struct uv_idle_t: NO_SYSTEM_CALLS { idle_cb: uv_idle_cb, rest: [usize; 2], } }
handle! { pub struct uv_prepare_t: NO_SYSTEM_CALLS { prepare_cb: uv_prepare_cb, rest: [usize; 2], } }
handle! { pub struct uv_check_t: NO_SYSTEM_CALLS { check_cb: uv_check_cb, rest: [usize; 2], } }
handle! { pub struct uv_async_t {
    async_cb: uv_async_cb,
    /// The wake-up queue of the loop, for senders on other threads.
    wakeups: *const WakeupQueue,
    /// The node of the handle in that queue.
    node: *const Node,
    /// Value of the node when the handle is already notified, so that a send has no effect.
    notified_state: u32,
} }
handle! { pub struct uv_poll_t { poll_cb: uv_poll_cb, io_watcher: uv__io_t, } }
handle! { pub struct uv_signal_t {
    signal_cb: uv_signal_cb,
    /// The signal that is watched, or zero. Programs read it.
    signum: c_int,
    rest: [usize; 5],
} }

handle! { pub struct uv_process_t {
    exit_cb: uv_exit_cb,
    /// Programs read it.
    pid: c_int,
    rest: [usize; 2],
    /// Programs read it.
    status: c_int,
} }

handle! { pub struct uv_fs_event_t {
    path: *mut std::ffi::c_char,
    cb: uv_fs_event_cb,
    rest: [usize; 3],
} }

handle! { pub struct uv_udp_t {
    send_queue_size: usize,
    send_queue_count: usize,
    alloc_cb: uv_alloc_cb,
    recv_cb: uv_udp_recv_cb,
    io_watcher: uv__io_t,
    rest: [usize; 4],
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
            unused: [usize; 2],
            io_watcher: uv__io_t,
            unused_queues: [usize; 4],
            connection_cb: uv_connection_cb,
            unused_too: [usize; 2],
            $($(#[$field_doc])* $field: $type,)*
        } }
    };
}

stream! { pub struct uv_stream_t {} }
stream! { pub struct uv_tcp_t {} }
stream! { pub struct uv_pipe_t {
    /// Whether the pipe can pass descriptors. Programs read it.
    ipc: c_int,
    /// The path that a pipe is bound to.
    pipe_fname: *mut std::ffi::c_char,
} }
stream! { pub struct uv_tty_t { termios: [u32; 15], mode: c_int, } }

impl uv_loop_t {
    /// Addresses of unused fields, which stand for the internal handles when handles are printed: the async
    /// handle and the signal handle.
    pub(crate) fn internal_handles(&self) -> (u64, u64) {
        let address = |field: *const c_void| field as usize as u64;
        (
            address((&raw const self.wq_async).cast()),
            address((&raw const self.child_watcher).cast()),
        )
    }
}

impl HasDescriptor for uv_stream_t {
    #[inline(always)]
    unsafe fn descriptor_field(handle: *mut Self) -> *mut RawDescriptor {
        // SAFETY: the caller promises a valid handle.
        unsafe { &raw mut (*handle).io_watcher.fd }
    }
}

impl HasDescriptor for uv_udp_t {
    #[inline(always)]
    unsafe fn descriptor_field(handle: *mut Self) -> *mut RawDescriptor {
        // SAFETY: the caller promises a valid handle.
        unsafe { &raw mut (*handle).io_watcher.fd }
    }
}

impl HasDescriptor for uv_poll_t {
    #[inline(always)]
    unsafe fn descriptor_field(handle: *mut Self) -> *mut RawDescriptor {
        // SAFETY: the caller promises a valid handle.
        unsafe { &raw mut (*handle).io_watcher.fd }
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
        AtomicI32::from_ptr(field).load(Ordering::Relaxed)
    }
}
