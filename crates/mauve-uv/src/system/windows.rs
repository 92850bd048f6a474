//! Windows, with Microsoft's C runtime.

use std::ffi::{c_int, c_uint};

use mauve_sys::clock::{self, Clock};
use mauve_sys::descriptor::RawDescriptor;
use mauve_sys::{Errno, Result, net, tty};

use crate::abi::{
    UV_NAMED_PIPE, UV_TTY_SUPPORTED, UV_TTY_UNSUPPORTED, uv_handle_type, uv_pipe_t, uv_timeval64_t,
};
use crate::ffi::{Ptr, negative};
use crate::pipe;

/// A stream of the C runtime.
pub(crate) type Stream = libc::FILE;

/// The C runtime's stream for errors.
pub(crate) fn error_stream() -> *mut Stream {
    unsafe extern "C" {
        fn __acrt_iob_func(number: c_uint) -> *mut Stream;
    }
    // SAFETY: takes the number of a standard stream.
    unsafe { __acrt_iob_func(2) }
}

/// The wall clock.
pub(crate) fn wall_clock() -> uv_timeval64_t {
    let (seconds, nanoseconds) = clock::now(Clock::Realtime);
    uv_timeval64_t { tv_sec: seconds, tv_usec: (nanoseconds / 1000).cast_signed() }
}

/// `ENOSYS`: there are no signals to block.
pub(crate) fn check_blocking(_signal: c_int) -> Result<()> {
    Err(Errno::ENOSYS)
}

/// Whether a loop accepts the option for io_uring.
pub(crate) const ACCEPTS_IO_URING: bool = false;

/// Whether processes fork.
pub(crate) const FORKS: bool = false;

/// -1: a loop has no descriptor for the program.
pub(crate) fn backend_fd(_: Option<RawDescriptor>) -> c_int {
    -1
}

/// The maximum length of the name of a pipe in bytes: the system accepts less.
pub(crate) const MAX_PIPE_NAME: usize = 1 << 16;

/// Each buffer is read by itself.
pub(crate) const MAX_READ_BUFFERS: usize = usize::MAX;

/// Whether a pipe may have a name that begins with a zero byte.
pub(crate) const ABSTRACT_PIPE_NAMES: bool = false;

/// Sets how many instances of a listening pipe wait for clients.
pub(crate) fn set_pending_instances(pipe: Ptr<uv_pipe_t>, count: c_int) {
    let Ok(count) = usize::try_from(count) else { return };
    if !pipe.is_null() && pipe.is_open() {
        // Fails for a pipe that is not bound, where libuv has no effect either.
        let _ = pipe::with(pipe, "uv_pipe_pending_instances", |mut stream| {
            net::set_pending_instances(stream.fd()?, count)
        });
    }
}

/// The identifier of a network interface: its number.
pub(crate) fn interface_id(index: c_uint) -> Result<Vec<u8>> {
    Ok(index.to_string().into_bytes())
}

/// The error of a write. A stream without a connection is not writable.
pub(crate) fn write_error(error: Errno) -> Errno {
    if error == Errno::EBADF { Errno::EPIPE } else { error }
}

/// The error of a reset. A handle without a socket has an invalid one.
pub(crate) fn reset_error(error: Errno) -> Errno {
    if error == Errno::EBADF { Errno::ENOTSOCK } else { error }
}

/// Whether writes to a stream may wait: only to pipes. `EINVAL` for others.
pub(crate) fn check_can_block(kind: uv_handle_type) -> Result<()> {
    if kind == UV_NAMED_PIPE { Ok(()) } else { Err(Errno::EINVAL) }
}

/// Whether a bound UDP socket ignores that it is bound again.
pub(crate) const IGNORES_SECOND_BIND: bool = true;

/// Says whether consoles interpret sequences.
pub(crate) fn set_vterm_state(state: c_int) {
    tty::set_interprets_sequences(state == UV_TTY_SUPPORTED);
}

pub(crate) fn vterm_state() -> Result<c_int> {
    Ok(if tty::interprets_sequences() { UV_TTY_SUPPORTED } else { UV_TTY_UNSUPPORTED })
}

/// Whether users and groups have numbers, and users a shell.
pub(crate) const HAS_USER_IDS: bool = false;

/// The code of the system for the result of a request: the first one of those that have the same error. Zero
/// after success.
pub(crate) fn error_code(result: isize) -> c_int {
    match c_int::try_from(result.saturating_neg()) {
        Ok(error @ 1..) => Errno::from_raw(error).code(),
        _ => 0,
    }
}

/// The error for a code of the system.
pub(crate) fn translate(error: c_int) -> c_int {
    negative(Errno::from_code(error))
}
