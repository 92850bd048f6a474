//! What can be done with a request of any kind.

use std::ffi::{c_char, c_int, c_void};

use mauve_core::RequestId;
use mauve_sys::Errno;

use crate::abi::*;
use crate::ffi::{Ptr, code, negative};

#[unsafe(no_mangle)]
pub extern "C" fn uv_cancel(request: Ptr<uv_req_t>) -> c_int {
    let (kind, id) = request.with(|request| (request.r#type, request.id));
    let of = match kind {
        // SAFETY: the program vouches that a request of this type is this struct.
        UV_WORK => unsafe { Ptr::new(request.raw().cast::<uv_work_t>()) }.with(|work| work.r#loop),
        _ => return negative(Errno::EINVAL),
    };
    // SAFETY: the loop that the request was started on, which is alive while a request is.
    let of = unsafe { Ptr::new(of) };
    of.engine("uv_cancel", |engine| code(engine.cancel_work(RequestId::from_bits(id))))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_req_size(kind: uv_req_type) -> usize {
    UV_REQ_SIZES.get(kind as usize).copied().unwrap_or(usize::MAX)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_req_type_name(kind: uv_req_type) -> *const c_char {
    let name = UV_REQ_NAMES.get(kind as usize).copied().flatten();
    name.map_or(std::ptr::null(), |name| name.as_ptr())
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_req_get_type(request: Ptr<uv_req_t>) -> uv_req_type {
    request.with(|request| request.r#type)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_req_get_data(request: Ptr<uv_req_t>) -> *mut c_void {
    request.with(|request| request.data)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_req_set_data(request: Ptr<uv_req_t>, data: *mut c_void) {
    request.with(|request| request.data = data);
}
