//! What can be done with a request of any kind.

use std::ffi::{c_char, c_int, c_void};

use mauve_core::pool::{Lane, Task};
use mauve_core::{Engine, RequestId, Token};
use mauve_sys::driver::Platform;
use mauve_sys::{Errno, Result};

use crate::abi::*;
use crate::check;
use crate::ffi::{Ptr, code, misuse, negative};
use crate::{dns, fs, random, work};

#[export]
pub extern "C" fn uv_cancel(request: Ptr<uv_req_t>) -> c_int {
    let (kind, id) = request.with(|request| (request.r#type, request.id));
    // SAFETY, for all casts: the program vouches that a request of this type is this struct.
    let of = match kind {
        // SAFETY: see above.
        UV_WORK => unsafe { Ptr::new(request.raw().cast::<uv_work_t>()) }.with(|work| work.r#loop),
        UV_RANDOM => {
            // SAFETY: see above.
            unsafe { Ptr::new(request.raw().cast::<uv_random_t>()) }.with(|random| random.r#loop)
        }
        // SAFETY: see above.
        UV_FS => unsafe { Ptr::new(request.raw().cast::<uv_fs_t>()) }.with(|fs| fs.r#loop),
        UV_GETADDRINFO => {
            // SAFETY: see above.
            unsafe { Ptr::new(request.raw().cast::<uv_getaddrinfo_t>()) }.with(|info| info.r#loop)
        }
        UV_GETNAMEINFO => {
            // SAFETY: see above.
            unsafe { Ptr::new(request.raw().cast::<uv_getnameinfo_t>()) }.with(|info| info.r#loop)
        }
        _ => return negative(Errno::EINVAL),
    };
    // SAFETY: the loop that the request was started on, which is alive while a request is.
    let of = unsafe { Ptr::new(of) };
    of.engine("uv_cancel", |engine| code(engine.cancel_work(RequestId::from_bits(id))))
}

/// Has `run` called with the request's address by a thread of the pool. When that has ended, or
/// was cancelled, [`complete`] is called on the loop's thread.
pub(crate) fn submit(
    call: &'static str,
    of: Ptr<uv_loop_t>,
    request: *mut uv_req_t,
    lane: Lane,
    run: fn(u64),
) -> c_int {
    let address = request as usize as u64;
    let task = Task::Call(run, address);
    start(call, of, request, |engine| engine.submit_work(Token(address), lane, task))
}

/// Starts a request. Its type is set, and no other thread has it yet.
#[inline(always)]
pub(crate) fn start(
    call: &'static str,
    of: Ptr<uv_loop_t>,
    request: *mut uv_req_t,
    start: impl FnOnce(&mut Engine<Platform>) -> Result<RequestId>,
) -> c_int {
    match of.engine(call, start) {
        Ok(id) => {
            started(call, request, id);
            0
        }
        Err(error) => negative(error),
    }
}

/// Stores the id of a request that was started.
pub(crate) fn started(call: &'static str, request: *mut uv_req_t, id: RequestId) {
    // SAFETY: the program keeps the struct until its callback. A thread of the pool may be at work
    // on it already, but not on these fields.
    let kind = unsafe {
        (&raw mut (*request).id).write(id.to_bits());
        (*request).r#type
    };
    check::requests::began(request as usize as u64, kind, call);
}

/// Runs the callback of a request whose work on the pool has ended.
pub(crate) fn complete(request: Ptr<uv_req_t>, result: Result<()>) {
    // SAFETY, for all casts: the type was written when the request was submitted, and tells which
    // struct this is.
    match request.with(|request| request.r#type) {
        // SAFETY: see above.
        UV_WORK => work::complete(unsafe { Ptr::new(request.raw().cast()) }, result),
        // SAFETY: see above.
        UV_RANDOM => random::complete(unsafe { Ptr::new(request.raw().cast()) }, result),
        // SAFETY: see above.
        UV_FS => fs::complete(unsafe { Ptr::new(request.raw().cast()) }, result),
        UV_GETADDRINFO => {
            // SAFETY: see above.
            dns::complete_addresses(unsafe { Ptr::new(request.raw().cast()) }, result);
        }
        // SAFETY: see above.
        UV_GETNAMEINFO => dns::complete_name(unsafe { Ptr::new(request.raw().cast()) }, result),
        kind => misuse("uv_run", format_args!("a request was overwritten: its type is {kind}")),
    }
}

#[export(pure)]
pub extern "C" fn uv_req_size(kind: uv_req_type) -> usize {
    UV_REQ_SIZES.get(kind as usize).copied().unwrap_or(usize::MAX)
}

#[export(pure)]
pub extern "C" fn uv_req_type_name(kind: uv_req_type) -> *const c_char {
    let name = UV_REQ_NAMES.get(kind as usize).copied().flatten();
    name.map_or(std::ptr::null(), |name| name.as_ptr())
}

#[export(pure)]
pub extern "C" fn uv_req_get_type(request: Ptr<uv_req_t>) -> uv_req_type {
    request.with(|request| request.r#type)
}

#[export(pure)]
pub extern "C" fn uv_req_get_data(request: Ptr<uv_req_t>) -> *mut c_void {
    request.with(|request| request.data)
}

#[export(pure)]
pub extern "C" fn uv_req_set_data(request: Ptr<uv_req_t>, data: *mut c_void) {
    request.with(|request| request.data = data);
}
