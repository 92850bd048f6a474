//! `uv_queue_work`.

use std::ffi::c_int;

use mauve_core::pool::Lane;
use mauve_sys::{Errno, Result};

use crate::abi::callbacks::{uv_after_work_cb, uv_work_cb};
use crate::abi::*;
use crate::check;
use crate::ffi::{Ptr, code, negative};
use crate::request;

#[export]
pub extern "C" fn uv_queue_work(
    of: Ptr<uv_loop_t>,
    work: Ptr<uv_work_t>,
    work_cb: uv_work_cb,
    after_work_cb: uv_after_work_cb,
) -> c_int {
    check::requests::begins(work, "uv_queue_work");
    check::arguments::callback(work_cb, "uv_queue_work");
    if work_cb.is_none() {
        return negative(Errno::EINVAL);
    }
    work.with(|work| {
        work.r#type = UV_WORK;
        work.r#loop = of.raw();
        work.work_cb = work_cb;
        work.after_work_cb = after_work_cb;
    });
    request::submit("uv_queue_work", of, work.raw().cast(), Lane::Normal, run)
}

/// Runs a program's work on a thread of the pool.
fn run(address: u64) {
    let work = address as usize as *mut uv_work_t;
    // SAFETY: the program keeps the struct until its after-work callback. The loop's thread may
    // store the id meanwhile, so this reads one field and makes no reference to the whole.
    if let Some(callback) = unsafe { (*work).work_cb } {
        // SAFETY: the function is the program's own, called with the argument it was given for.
        unsafe { callback(work) }
    }
}

/// Reports work that has ended, or was taken back.
pub(crate) fn complete(work: Ptr<uv_work_t>, result: Result<()>) {
    if let Some(callback) = work.with(|work| work.after_work_cb) {
        // SAFETY: the program's own function, called with the request it was given for. No borrow
        // of anything of ours is held.
        unsafe { callback(work.raw(), code(result)) }
    }
}
