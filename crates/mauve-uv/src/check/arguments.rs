//! Checks for null callbacks and null buffers.

use crate::abi::uv_buf_t;
use crate::ffi::abort_misuse;

/// Aborts if a required callback is null.
#[inline(always)]
pub(crate) fn require_callback<F>(callback: Option<F>, call: &str) {
    if callback.is_none() && super::is_enabled() {
        abort_null_callback(call);
    }
}

#[cold]
fn abort_null_callback(call: &str) -> ! {
    abort_misuse(call, format_args!("the callback is a null pointer"))
}

/// Aborts if a buffer to be written or sent has bytes but a null pointer.
#[inline(always)]
pub(crate) fn require_memory(list: &[uv_buf_t], call: &str) {
    if super::is_enabled() {
        check_memory(list, call);
    }
}

#[cold]
fn check_memory(list: &[uv_buf_t], call: &str) {
    let without = list.iter().zip(0..).find(|(buffer, _)| buffer.base.is_null() && buffer.len > 0);
    if let Some((buffer, number)) = without {
        let length = buffer.len;
        abort_misuse(call, format_args!("buffer {number} has {length} bytes at a null pointer"));
    }
}
