//! Names and priorities of threads.

use std::ffi::{c_char, c_int};

use mauve_sys::Errno;
use mauve_sys::thread::{self, Priority};

use super::from_c;
use crate::abi::*;
use crate::ffi::{Ptr, code, negative};
use crate::text;

#[unsafe(no_mangle)]
pub extern "C" fn uv_thread_setname(name: Ptr<c_char>) -> c_int {
    if name.is_null() {
        return negative(Errno::EINVAL);
    }
    code(thread::set_current_name(text::borrow(&name)))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_thread_getname(
    thread: Ptr<uv_thread_t>,
    name: Ptr<c_char>,
    size: usize,
) -> c_int {
    if name.is_null() || size == 0 {
        return negative(Errno::EINVAL);
    }
    code(from_c(thread.with(|id| *id)).name().map(|found| {
        text::copy(found.as_bytes(), name, size);
    }))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_thread_getpriority(thread: uv_thread_t, priority: Ptr<c_int>) -> c_int {
    if priority.is_null() {
        return negative(Errno::EINVAL);
    }
    code(from_c(thread).priority().map(|found| priority.write(found)))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_thread_setpriority(thread: uv_thread_t, priority: c_int) -> c_int {
    let priority = match priority {
        UV_THREAD_PRIORITY_LOWEST => Priority::Lowest,
        UV_THREAD_PRIORITY_BELOW_NORMAL => Priority::BelowNormal,
        UV_THREAD_PRIORITY_NORMAL => Priority::Normal,
        UV_THREAD_PRIORITY_ABOVE_NORMAL => Priority::AboveNormal,
        UV_THREAD_PRIORITY_HIGHEST => Priority::Highest,
        _ => return negative(Errno::EINVAL),
    };
    code(from_c(thread).set_priority(priority))
}
