//! `uv_buf_init`, and lists of buffers.

use std::borrow::Cow;
use std::ffi::{c_char, c_int, c_uint};
use std::io::IoSlice;

use mauve_sys::payload;

use crate::abi::uv_buf_t;
use crate::check;

#[unsafe(no_mangle)]
pub extern "C" fn uv_buf_init(base: *mut c_char, len: c_uint) -> uv_buf_t {
    uv_buf_t { base, len: len as usize }
}

/// The list of buffers that the program passed, for the duration of the call. `None` if it is
/// empty, its length is negative, or it has more bytes than one operation supports.
pub(crate) fn slices<'a>(
    call: &str,
    buffers: *const uv_buf_t,
    count: c_uint,
) -> Option<Cow<'a, [IoSlice<'a>]>> {
    if buffers.is_null() || c_int::try_from(count).map_or(true, |count| count == 0) {
        return None;
    }
    // SAFETY: the program guarantees a list of `count` buffers.
    let list: &[uv_buf_t] = unsafe { std::slice::from_raw_parts(buffers, count as usize) };
    check::arguments::require_memory(list, call);
    let total = list.iter().fold(0usize, |sum, buffer| sum.saturating_add(buffer.len));
    if total > payload::MAX_BYTES {
        return None;
    }
    if list.iter().any(|buffer| buffer.base.is_null()) {
        return Some(list.iter().map(slice).collect());
    }
    // SAFETY: the program guarantees the memory of the buffers, none of which is null. `uv_buf_t`
    // and `IoSlice` both have the layout of `iovec`.
    Some(Cow::Borrowed(unsafe { std::slice::from_raw_parts(buffers.cast(), count as usize) }))
}

/// One buffer. A slice in Rust is never null, not even an empty one.
fn slice<'a>(buffer: &uv_buf_t) -> IoSlice<'a> {
    if buffer.base.is_null() {
        return IoSlice::new(&[]);
    }
    // SAFETY: not null, and the program guarantees `len` bytes.
    IoSlice::new(unsafe { std::slice::from_raw_parts(buffer.base.cast(), buffer.len) })
}
