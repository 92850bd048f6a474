//! Functions for requests of any type.

use std::ffi::{CStr, c_char, c_int, c_void};

use mauve_core::pool::{Lane, Task};
use mauve_core::{Engine, RequestId, Token};
use mauve_sys::driver::Platform;
use mauve_sys::{Errno, Result};

use crate::abi::*;
use crate::check;
use crate::ffi::{Ptr, abort_misuse, code, negative};
use crate::{callback_names, dns, fs, random, stream, work};

#[unsafe(no_mangle)]
pub extern "C" fn uv_cancel(request: Ptr<uv_req_t>) -> c_int {
    let (kind, id) = request.with(|request| (request.r#type, request.id));
    // SAFETY, for all casts in this function: the type field determines the struct.
    let loop_ = match kind {
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
        // SAFETY: see above.
        UV_WRITE => return code(stream::cancel_write(unsafe { Ptr::new(request.raw().cast()) })),
        _ => return negative(Errno::EINVAL),
    };
    // SAFETY: the loop of the request, which cannot be closed while a request is active.
    let loop_ = unsafe { Ptr::new(loop_) };
    let id = RequestId::from_bits(id);
    loop_.engine("uv_cancel", |engine| match engine.cancel_work(id) {
        Err(Errno::EBUSY) if kind == UV_FS && engine.has_request(id) => {
            // SAFETY: see above.
            let was_waiting = fs::interrupt(unsafe { Ptr::new(request.raw().cast()) });
            code(if was_waiting { Ok(()) } else { Err(Errno::EBUSY) })
        }
        result => code(result),
    })
}

/// Submits `run` to the pool, with the address of the request as its argument. After it has run or
/// was cancelled, [`complete`] is called on the loop thread.
pub(crate) fn submit(
    call: &'static str,
    loop_: Ptr<uv_loop_t>,
    request: *mut uv_req_t,
    lane: Lane,
    run: fn(u64),
) -> c_int {
    let address = request as usize as u64;
    let task = Task::Call(run, address);
    start(call, loop_, request, |engine| engine.submit_work(Token(address), lane, task))
}

/// Starts a request. Its type is set, and no other thread uses it yet.
#[inline(always)]
pub(crate) fn start(
    call: &'static str,
    loop_: Ptr<uv_loop_t>,
    request: *mut uv_req_t,
    start: impl FnOnce(&mut Engine<Platform>) -> Result<RequestId>,
) -> c_int {
    let start = |engine: &mut Engine<Platform>| {
        let id = start(engine)?;
        engine.trace_job_name(id, || callback_names::job_name(request));
        Ok(id)
    };
    match loop_.engine(call, start) {
        Ok(id) => {
            started(call, request, id);
            0
        }
        Err(error) => negative(error),
    }
}

/// Stores the id of a started request.
pub(crate) fn started(call: &'static str, request: *mut uv_req_t, id: RequestId) {
    // SAFETY: the program keeps the struct until its callback. A pool thread may already use it,
    // but not these fields.
    let kind = unsafe {
        (&raw mut (*request).id).write(id.to_bits());
        (*request).r#type
    };
    check::requests::on_submit(request as usize as u64, kind, call);
}

/// Runs the callback of a request that has completed on the pool.
pub(crate) fn complete(request: Ptr<uv_req_t>, result: Result<()>) {
    // SAFETY, for all casts in this function: the type was written when the request was submitted,
    // and determines the struct.
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
        kind => {
            abort_misuse("uv_run", format_args!("a request was overwritten: its type is {kind}"))
        }
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_req_size(kind: uv_req_type) -> usize {
    type_size(UV_REQ_TYPES, kind)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_req_type_name(kind: uv_req_type) -> *const c_char {
    type_name(UV_REQ_TYPES, kind).map_or(std::ptr::null(), CStr::as_ptr)
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
