//! Callbacks and buffers that must be there.

use crate::abi::uv_buf_t;
use crate::ffi::misuse;

/// A callback without which the call makes no sense.
#[inline(always)]
pub(crate) fn callback<F>(callback: Option<F>, call: &str) {
    if callback.is_none() && super::on() {
        missing(call);
    }
}

#[cold]
fn missing(call: &str) -> ! {
    misuse(call, format_args!("the callback is a null pointer"))
}

/// Buffers that are to be written or sent.
#[inline(always)]
pub(crate) fn buffers(list: &[uv_buf_t], call: &str) {
    if super::on() {
        must_have_memory(list, call);
    }
}

#[cold]
fn must_have_memory(list: &[uv_buf_t], call: &str) {
    let without = list.iter().zip(0..).find(|(buffer, _)| buffer.base.is_null() && buffer.len > 0);
    if let Some((buffer, number)) = without {
        let length = buffer.len;
        misuse(call, format_args!("buffer {number} has {length} bytes at a null pointer"));
    }
}
