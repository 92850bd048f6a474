//! `uv_buf_init`, and lists of buffers.

use std::borrow::Cow;
use std::ffi::{c_char, c_uint};
use std::io::IoSlice;

use mauve_sys::payload;

use crate::abi::uv_buf_t;
use crate::check;

#[unsafe(no_mangle)]
pub extern "C" fn uv_buf_init(base: *mut c_char, len: c_uint) -> uv_buf_t {
    uv_buf_t::new(base, len as usize)
}

/// The most buffers of one operation, as in libuv.
const MAX_BUFFERS: c_uint = 1 << 20;

/// The buffers that the program passed, for the duration of the call.
pub(crate) struct Buffers<'a> {
    pub slices: Cow<'a, [IoSlice<'a>]>,
    /// The number of bytes.
    pub total: usize,
}

impl Buffers<'_> {
    pub const NONE: Self = Self { slices: Cow::Borrowed(&[]), total: 0 };
}

impl<'a> std::ops::Deref for Buffers<'a> {
    type Target = [IoSlice<'a>];

    #[inline(always)]
    fn deref(&self) -> &[IoSlice<'a>] {
        &self.slices
    }
}

/// The list of buffers that the program passed. `None` if it is empty or too long, or has more bytes
/// than one operation supports.
pub(crate) fn slices<'a>(
    call: &str,
    buffers: *const uv_buf_t,
    count: c_uint,
) -> Option<Buffers<'a>> {
    if buffers.is_null() || !(1..=MAX_BUFFERS).contains(&count) {
        return None;
    }
    // SAFETY: the program guarantees a list of `count` buffers.
    let list: &[uv_buf_t] = unsafe { std::slice::from_raw_parts(buffers, count as usize) };
    check::arguments::require_memory(list, call);
    let (mut total, mut has_null) = (0usize, false);
    for buffer in list {
        total = total.saturating_add(buffer.length());
        has_null |= buffer.base.is_null();
    }
    if total > payload::MAX_BYTES {
        return None;
    }
    if has_null {
        return Some(Buffers { slices: list.iter().map(slice).collect(), total });
    }
    // SAFETY: the program guarantees the memory of the buffers, none of which is null. `uv_buf_t`
    // and `IoSlice` both have the layout of `iovec`, on Windows of `WSABUF`.
    let slices = unsafe { std::slice::from_raw_parts(buffers.cast(), count as usize) };
    Some(Buffers { slices: Cow::Borrowed(slices), total })
}

/// One buffer. A slice in Rust is never null, not even an empty one.
fn slice<'a>(buffer: &uv_buf_t) -> IoSlice<'a> {
    if buffer.base.is_null() {
        return IoSlice::new(&[]);
    }
    // SAFETY: not null, and the program guarantees `len` bytes.
    IoSlice::new(unsafe { std::slice::from_raw_parts(buffer.base.cast(), buffer.length()) })
}
