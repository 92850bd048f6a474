//! Functions for handles of any type.

use std::ffi::{CStr, c_char, c_int, c_void};

use mauve_core::HandleKind;
use mauve_core::handle::Status;
use mauve_sys::descriptor::{AsDescriptor as _, BorrowedDescriptor, CLOSED, RawDescriptor};
use mauve_sys::{Errno, Result, fd, net};

use crate::abi::callbacks::uv_close_cb;
use crate::abi::*;
use crate::check;
use crate::ffi::{Ptr, code, flag, negative};
use crate::{file, pipe};

/// The status of a handle, also after its close callback. Some programs query zeroed memory instead
/// of tracking whether they have initialised it: such a handle is neither active nor closing.
fn status(handle: Ptr<uv_handle_t>, call: &str) -> Status {
    if !handle.is_null() && !handle.is_open() {
        if check::is_enabled() && (handle.is_zeroed() || !handle.is_closed()) {
            check::handles::abort_unsealed(handle, call);
        }
        let flags = handle.with(|handle| handle.flags);
        return Status {
            token: handle.token(),
            active: false,
            referenced: flags & flag::REFERENCED != 0,
            closing: flags & flag::CLOSED != 0,
            internal: false,
        };
    }
    handle.with_engine(call, |id, engine| engine.status(id))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_close(handle: Ptr<uv_handle_t>, callback: uv_close_cb) {
    let (id, loop_) = handle.identify("uv_close");
    if !loop_.engine("uv_close", |engine| engine.close_handle(id)) {
        handle.abort_misuse("uv_close", "is closing already");
    }
    if check::is_enabled() {
        check::handles::on_close(handle.address(), "uv_close");
    }
    handle.with(|handle| {
        handle.close_cb = callback;
        handle.flags &= !(flag::READABLE | flag::WRITABLE);
        handle.flags |= flag::CLOSING;
    });
    match id.kind() {
        HandleKind::Tcp | HandleKind::Pipe | HandleKind::Tty => {
            // SAFETY: the engine knows the handle as a stream, so the struct is one.
            let stream: Ptr<uv_stream_t> = unsafe { Ptr::new(handle.raw().cast()) };
            stream.set_published(CLOSED);
        }
        HandleKind::Udp => {
            // SAFETY: the engine knows the handle as a UDP socket, so the struct is one.
            let udp: Ptr<uv_udp_t> = unsafe { Ptr::new(handle.raw().cast()) };
            udp.set_published(CLOSED);
        }
        // SAFETY: the engine knows the handle as a signal handle, so the struct is one.
        HandleKind::Signal => unsafe { Ptr::new(handle.raw().cast()) }
            .with(|signal: &mut uv_signal_t| signal.signum = 0),
        _ => {}
    }
    if id.kind() == HandleKind::Pipe {
        // SAFETY: the engine knows the handle as a pipe, so the struct is one.
        pipe::free_name(unsafe { Ptr::new(handle.raw().cast()) });
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_is_active(handle: Ptr<uv_handle_t>) -> c_int {
    c_int::from(status(handle, "uv_is_active").active)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_is_closing(handle: Ptr<uv_handle_t>) -> c_int {
    c_int::from(status(handle, "uv_is_closing").closing)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_has_ref(handle: Ptr<uv_handle_t>) -> c_int {
    c_int::from(status(handle, "uv_has_ref").referenced)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_ref(handle: Ptr<uv_handle_t>) {
    set_referenced(handle, true, "uv_ref");
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_unref(handle: Ptr<uv_handle_t>) {
    set_referenced(handle, false, "uv_unref");
}

fn set_referenced(handle: Ptr<uv_handle_t>, referenced: bool, call: &str) {
    let is_open = handle.with_engine_or(call, false, |id, engine| {
        engine.status(id)?;
        engine.set_referenced(id, referenced);
        Some(true)
    });
    if !is_open {
        // libuv sets the flag of a handle that is closed, or was never initialised.
        handle.with(|handle| {
            handle.flags &= !flag::REFERENCED;
            handle.flags |= if referenced { flag::REFERENCED } else { 0 };
        });
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fileno(handle: Ptr<uv_handle_t>, fd: Ptr<uv_os_fd_t>) -> c_int {
    match descriptor(handle) {
        Ok(descriptor) => {
            fd.write(descriptor);
            0
        }
        Err(error) => negative(error),
    }
}

/// The descriptor of a handle. `EINVAL` for a type without descriptors, `EBADF` if it has none now.
pub(crate) fn descriptor(handle: Ptr<uv_handle_t>) -> Result<RawDescriptor> {
    if !handle.is_null() && handle.is_closed() {
        return Err(without_descriptor(handle));
    }
    handle.with_engine("uv_fileno", |id, engine| {
        if engine.status(id)?.closing {
            return Some(Err(without_descriptor(handle)));
        }
        Some(match id.kind() {
            HandleKind::Poll => Ok(engine.poll(id)?.fd()),
            HandleKind::Tcp | HandleKind::Pipe | HandleKind::Tty => {
                engine.stream(id)?.fd().map(|fd| fd.raw_descriptor())
            }
            HandleKind::Udp => engine.udp(id)?.fd().map(|fd| fd.raw_descriptor()),
            _ => Err(Errno::EINVAL),
        })
    })
}

/// The error for a handle that is closing or closed.
fn without_descriptor(handle: Ptr<uv_handle_t>) -> Errno {
    let has = [UV_POLL, UV_TCP, UV_NAMED_PIPE, UV_TTY, UV_UDP];
    if has.contains(&uv_handle_get_type(handle)) { Errno::EBADF } else { Errno::EINVAL }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_send_buffer_size(handle: Ptr<uv_handle_t>, value: Ptr<c_int>) -> c_int {
    buffer_size(handle, value, true)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_recv_buffer_size(handle: Ptr<uv_handle_t>, value: Ptr<c_int>) -> c_int {
    buffer_size(handle, value, false)
}

/// Reads the size if `value` is zero, otherwise sets it.
fn buffer_size(handle: Ptr<uv_handle_t>, value: Ptr<c_int>, sending: bool) -> c_int {
    if handle.is_null() || value.is_null() {
        return negative(Errno::EINVAL);
    }
    if ![UV_TCP, UV_NAMED_PIPE, UV_UDP].contains(&uv_handle_get_type(handle)) {
        return negative(Errno::ENOTSUP);
    }
    let result = descriptor(handle).and_then(|fd| {
        // SAFETY: the descriptor of an open handle.
        let fd = unsafe { BorrowedDescriptor::borrow_raw(fd) };
        match value.with(|value| *value) {
            0 => net::buffer_size(fd, sending).map(|size| value.write(size)),
            size => net::set_buffer_size(fd, sending, size),
        }
    });
    code(result)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_guess_handle(file: uv_file) -> uv_handle_type {
    guess_type(file::descriptor(file))
}

/// The handle type for a descriptor.
pub(crate) fn guess_type(fd: RawDescriptor) -> uv_handle_type {
    match fd::fd_type(fd) {
        fd::FdType::Tty => UV_TTY,
        fd::FdType::File => UV_FILE,
        fd::FdType::Pipe => UV_NAMED_PIPE,
        fd::FdType::Tcp => UV_TCP,
        fd::FdType::Udp => UV_UDP,
        fd::FdType::Unknown => UV_UNKNOWN_HANDLE,
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_handle_size(kind: uv_handle_type) -> usize {
    type_size(UV_HANDLE_TYPES, kind)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_handle_type_name(kind: uv_handle_type) -> *const c_char {
    type_name(UV_HANDLE_TYPES, kind).map_or(std::ptr::null(), CStr::as_ptr)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_handle_get_type(handle: Ptr<uv_handle_t>) -> uv_handle_type {
    handle.with(|handle| handle.r#type)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_handle_get_loop(handle: Ptr<uv_handle_t>) -> *mut uv_loop_t {
    handle.with(|handle| handle.r#loop)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_handle_get_data(handle: Ptr<uv_handle_t>) -> *mut c_void {
    handle.with(|handle| handle.data)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_handle_set_data(handle: Ptr<uv_handle_t>, data: *mut c_void) {
    handle.with(|handle| handle.data = data);
}
