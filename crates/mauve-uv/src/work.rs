//! `uv_queue_work`.

use std::ffi::c_int;

use mauve_core::pool::Lane;
use mauve_sys::{Errno, Result};

use crate::abi::callbacks::{uv_after_work_cb, uv_work_cb};
use crate::abi::*;
use crate::check;
use crate::ffi::{Ptr, code, negative};
use crate::request;

#[unsafe(no_mangle)]
pub extern "C" fn uv_queue_work(
    loop_: Ptr<uv_loop_t>,
    work: Ptr<uv_work_t>,
    work_cb: uv_work_cb,
    after_work_cb: uv_after_work_cb,
) -> c_int {
    check::requests::before_submit(work, "uv_queue_work");
    check::arguments::require_callback(work_cb, "uv_queue_work");
    if work_cb.is_none() {
        return negative(Errno::EINVAL);
    }
    work.with(|work| {
        work.r#type = UV_WORK;
        work.r#loop = loop_.raw();
        work.work_cb = work_cb;
        work.after_work_cb = after_work_cb;
    });
    request::submit("uv_queue_work", loop_, work.raw().cast(), Lane::Normal, run)
}

/// Runs the work callback on a pool thread.
fn run(address: u64) {
    let work = address as usize as *mut uv_work_t;
    // SAFETY: the program keeps the struct until its after-work callback. The loop thread may store
    // the id meanwhile, so this reads one field and creates no reference to the struct.
    if let Some(callback) = unsafe { (*work).work_cb } {
        // SAFETY: the program passed the function for this request.
        unsafe { callback(work) }
    }
}

/// Calls the after-work callback of work that has completed or was cancelled.
pub(crate) fn complete(work: Ptr<uv_work_t>, result: Result<()>) {
    if let Some(callback) = work.with(|work| work.after_work_cb) {
        // SAFETY: the program passed the function for this request. No borrow of library state is
        // held.
        unsafe { callback(work.raw(), code(result)) }
    }
}
