//! What can be done with a handle of any kind.

use std::ffi::{c_char, c_int, c_void};

use mauve_core::Kind;
use mauve_core::handle::Status;
use mauve_sys::Errno;

use crate::abi::callbacks::uv_close_cb;
use crate::abi::*;
use crate::ffi::{Ptr, flag, negative};

/// What is known of a handle, also after its close callback. Programs ask zeroed memory too,
/// instead of remembering whether they have initialised it: nothing is true of such a handle.
fn status(handle: Ptr<uv_handle_t>, call: &str) -> Status {
    if !handle.is_null() && !handle.is_open() {
        return Status {
            token: handle.token(),
            active: false,
            referenced: false,
            closing: handle.with(|handle| handle.flags & flag::CLOSED != 0),
            internal: false,
        };
    }
    handle.engage(call, |id, engine| engine.status(id))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_close(handle: Ptr<uv_handle_t>, callback: uv_close_cb) {
    let (id, of) = handle.identify("uv_close");
    if !of.engine("uv_close", |engine| engine.close_handle(id)) {
        handle.misused("uv_close", "is closing already");
    }
    handle.with(|handle| {
        handle.close_cb = callback;
        handle.flags = flag::CLOSING;
    });
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
    handle.engage(call, |id, engine| {
        engine.status(id)?;
        engine.set_referenced(id, referenced);
        Some(())
    });
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fileno(handle: Ptr<uv_handle_t>, fd: Ptr<c_int>) -> c_int {
    handle.engage("uv_fileno", |id, engine| {
        if id.kind() != Kind::Poll {
            return Some(negative(Errno::EINVAL));
        }
        if engine.status(id)?.closing {
            return Some(negative(Errno::EBADF));
        }
        fd.write(engine.poll(id)?.fd());
        Some(0)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_handle_size(kind: uv_handle_type) -> usize {
    UV_HANDLE_SIZES.get(kind as usize).copied().unwrap_or(usize::MAX)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_handle_type_name(kind: uv_handle_type) -> *const c_char {
    let name = UV_HANDLE_NAMES.get(kind as usize).copied().flatten();
    name.map_or(std::ptr::null(), |name| name.as_ptr())
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
