//! Buffers.

use std::borrow::Cow;
use std::ffi::{c_char, c_int, c_uint};
use std::io::IoSlice;

use mauve_sys::payload;

use crate::abi::uv_buf_t;
use crate::check;

#[export(pure)]
pub extern "C" fn uv_buf_init(base: *mut c_char, len: c_uint) -> uv_buf_t {
    uv_buf_t { base, len: len as usize }
}

/// The program's list of buffers, for the length of the call that it was passed to; `None` if it
/// is empty, its length was a negative number, or it has more bytes than one operation may have.
pub(crate) fn slices<'a>(
    call: &str,
    buffers: *const uv_buf_t,
    count: c_uint,
) -> Option<Cow<'a, [IoSlice<'a>]>> {
    if buffers.is_null() || c_int::try_from(count).map_or(true, |count| count == 0) {
        return None;
    }
    // SAFETY: the program vouches for the list.
    let list: &[uv_buf_t] = unsafe { std::slice::from_raw_parts(buffers, count as usize) };
    check::arguments::buffers(list, call);
    let total = list.iter().fold(0usize, |sum, buffer| sum.saturating_add(buffer.len));
    if total > payload::MAX_BYTES {
        return None;
    }
    if list.iter().any(|buffer| buffer.base.is_null()) {
        return Some(list.iter().map(slice).collect());
    }
    // SAFETY: the program vouches for the memory behind the list, which is nowhere null. `uv_buf_t`
    // is laid out like `iovec` on this platform, and so is `IoSlice`.
    Some(Cow::Borrowed(unsafe { std::slice::from_raw_parts(buffers.cast(), count as usize) }))
}

/// One buffer. Nothing in Rust is at null, not even nothing.
fn slice<'a>(buffer: &uv_buf_t) -> IoSlice<'a> {
    if buffer.base.is_null() {
        return IoSlice::new(&[]);
    }
    // SAFETY: not null, and the program vouches for the memory.
    IoSlice::new(unsafe { std::slice::from_raw_parts(buffer.base.cast(), buffer.len) })
}
