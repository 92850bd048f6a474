//! Sizes of memory, in bytes.

use std::ffi::c_int;

use mauve_sys::fs::cancellable::with_cancellation_disabled;
use mauve_sys::os::memory::{self, MemoryLimit};

use crate::ffi::{Ptr, code};

#[unsafe(no_mangle)]
pub extern "C" fn uv_get_free_memory() -> u64 {
    with_cancellation_disabled(memory::free)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_get_total_memory() -> u64 {
    with_cancellation_disabled(memory::total)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_get_constrained_memory() -> u64 {
    match with_cancellation_disabled(memory::constrained) {
        MemoryLimit::Unknown => 0,
        MemoryLimit::None => u64::MAX,
        MemoryLimit::Bytes(bytes) => bytes,
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_get_available_memory() -> u64 {
    with_cancellation_disabled(memory::available)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_resident_set_memory(out: Ptr<usize>) -> c_int {
    code(with_cancellation_disabled(memory::resident).map(|bytes| out.write(bytes)))
}
