//! Unix, with the C library.

use std::ffi::{CString, c_int, c_uint};

use mauve_sys::descriptor::RawDescriptor;
use mauve_sys::net::interface;
use mauve_sys::{Errno, Result};

use crate::abi::{uv_handle_type, uv_pipe_t, uv_timeval64_t};
use crate::allocator::uv_library_shutdown;
use crate::ffi::Ptr;

/// A stream of the C library.
pub(crate) type Stream = libc::FILE;

/// The C library's stream for errors.
pub(crate) fn error_stream() -> *mut Stream {
    unsafe extern "C" {
        static stderr: *mut Stream;
    }
    // SAFETY: the C library initialises it before any code of the program runs.
    unsafe { stderr }
}

/// The wall clock, with the function that libuv calls, because tools replace it.
pub(crate) fn wall_clock() -> uv_timeval64_t {
    let mut now = libc::timeval { tv_sec: 0, tv_usec: 0 };
    // SAFETY: `now` is writable, and the time zone is not requested. The call cannot fail.
    unsafe { libc::gettimeofday(&raw mut now, std::ptr::null_mut()) };
    uv_timeval64_t { tv_sec: now.tv_sec, tv_usec: now.tv_usec as i32 }
}

/// Whether a loop can block a signal while it waits: only the one of profilers.
pub(crate) fn check_blocking(signal: c_int) -> Result<()> {
    if signal == libc::SIGPROF { Ok(()) } else { Err(Errno::EINVAL) }
}

/// Whether a loop accepts the option for io_uring. It does also where the system has none.
pub(crate) const ACCEPTS_IO_URING: bool = true;

/// Whether processes fork, so that a loop can be opened again in the child.
pub(crate) const FORKS: bool = true;

/// The descriptor of a loop for the program, which is -1 if there is none.
pub(crate) fn backend_fd(descriptor: Option<RawDescriptor>) -> c_int {
    descriptor.unwrap_or(-1)
}

/// The maximum length of the name of a pipe: the size of `sun_path`.
pub(crate) const MAX_PIPE_NAME: usize = 108;

/// The maximum number of buffers that one read fills. A longer write continues with another call.
pub(crate) const MAX_READ_BUFFERS: usize = 1024;

/// Whether a pipe may have a name that begins with a zero byte.
pub(crate) const ABSTRACT_PIPE_NAMES: bool = true;

/// Has no effect, for any memory and on any thread: the system queues connections.
pub(crate) fn set_pending_instances(_: Ptr<uv_pipe_t>, _: c_int) {}

/// The identifier of a network interface: its name.
pub(crate) fn interface_id(index: c_uint) -> Result<Vec<u8>> {
    interface::name(index).map(CString::into_bytes)
}

/// The error of a write.
#[inline(always)]
pub(crate) fn write_error(error: Errno) -> Errno {
    error
}

/// The error of a reset.
pub(crate) fn reset_error(error: Errno) -> Errno {
    error
}

/// Whether writes to a stream may wait: to each kind of them.
pub(crate) fn check_can_block(_kind: uv_handle_type) -> Result<()> {
    Ok(())
}

/// Whether a bound UDP socket ignores that it is bound again.
pub(crate) const IGNORES_SECOND_BIND: bool = false;

/// Has no effect: terminals interpret sequences.
pub(crate) fn set_vterm_state(_: c_int) {}

/// `ENOTSUP`: only consoles of Windows have such a state.
pub(crate) fn vterm_state() -> Result<c_int> {
    Err(Errno::ENOTSUP)
}

/// Whether users and groups have numbers, and users a shell.
pub(crate) const HAS_USER_IDS: bool = true;

/// The number of the system for the result of a request that has failed.
pub(crate) fn error_code(result: isize) -> c_int {
    -result as c_int
}

/// The error for a number of the system.
pub(crate) fn translate(error: c_int) -> c_int {
    -error
}

/// Stops the threads when the library is unloaded, because its code is unmapped.
#[used]
#[unsafe(link_section = ".fini_array")]
static AT_UNLOAD: extern "C" fn() = uv_library_shutdown;
