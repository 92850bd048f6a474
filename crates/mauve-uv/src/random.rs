//! `uv_random`.

use std::ffi::{c_int, c_uint, c_void};
use std::mem::MaybeUninit;

use mauve_core::pool::Lane;
use mauve_sys::{Errno, Result};

use crate::abi::callbacks::uv_random_cb;
use crate::abi::*;
use crate::check;
use crate::ffi::{Ptr, code, negative};
use crate::request;

/// Maximum length, as in libuv.
const MAX_LENGTH: usize = 0x7fff_ffff;

#[unsafe(no_mangle)]
pub extern "C" fn uv_random(
    loop_: Ptr<uv_loop_t>,
    random: Ptr<uv_random_t>,
    buffer: Ptr<c_void>,
    length: usize,
    flags: c_uint,
    callback: uv_random_cb,
) -> c_int {
    if length > MAX_LENGTH {
        return negative(Errno::E2BIG);
    }
    if flags != 0 {
        return negative(Errno::EINVAL);
    }
    if callback.is_none() {
        return code(fill(buffer.raw(), length));
    }
    check::requests::before_submit(random, "uv_random");
    random.with(|random| {
        random.r#type = UV_RANDOM;
        random.r#loop = loop_.raw();
        random.status = 0;
        random.buf = buffer.raw();
        random.buflen = length;
        random.cb = callback;
    });
    request::submit("uv_random", loop_, random.raw().cast(), Lane::Normal, run)
}

/// Fills the buffer of a request, on a pool thread.
fn run(address: u64) {
    let random = address as usize as *mut uv_random_t;
    // SAFETY: the program keeps the struct until its callback. The loop thread may store the id
    // meanwhile, so this accesses single fields and creates no reference to the struct.
    unsafe { (*random).status = code(fill((*random).buf, (*random).buflen)) };
}

fn fill(buffer: *mut c_void, length: usize) -> Result<()> {
    if length == 0 {
        return Ok(());
    }
    // The kernel's answer to libuv.
    if buffer.is_null() {
        return Err(Errno::EFAULT);
    }
    // SAFETY: the program guarantees `length` bytes, and does not use them before completion.
    let buffer =
        unsafe { std::slice::from_raw_parts_mut(buffer.cast::<MaybeUninit<u8>>(), length) };
    mauve_sys::os::random::fill_uninit(buffer)
}

/// Calls the callback of a request that has completed or was cancelled.
pub(crate) fn complete(random: Ptr<uv_random_t>, result: Result<()>) {
    let (callback, status, buffer, length) =
        random.with(|random| (random.cb, random.status, random.buf, random.buflen));
    let status = result.map_or_else(negative, |()| status);
    if let Some(callback) = callback {
        // SAFETY: the program passed the function for this request. No borrow of library state is
        // held.
        unsafe { callback(random.raw(), status, buffer, length) }
    }
}
