//! `uv_thread_create`, `uv_thread_join` and `uv_thread_detach`.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;

use mauve_sys::Errno;
use mauve_sys::thread::stack;

use super::{cancellation, code};
use crate::abi::callbacks::uv_thread_cb;
use crate::abi::*;
use crate::ffi::{Ptr, negative};

#[unsafe(no_mangle)]
pub extern "C" fn uv_thread_create(
    thread: Ptr<uv_thread_t>,
    entry: uv_thread_cb,
    argument: *mut c_void,
) -> c_int {
    create(thread, stack::default_size(), entry, argument)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_thread_create_ex(
    thread: Ptr<uv_thread_t>,
    options: Ptr<uv_thread_options_t>,
    entry: uv_thread_cb,
    argument: *mut c_void,
) -> c_int {
    let requested = options.with(|options| {
        let given = options.flags as c_int & UV_THREAD_HAS_STACK_SIZE != 0;
        if given { options.stack_size } else { 0 }
    });
    let stack_size = match requested {
        0 => stack::default_size(),
        size => stack::round_size(size),
    };
    create(thread, stack_size, entry, argument)
}

/// The type of the start routine of a pthread.
type Entry = extern "C" fn(*mut c_void) -> *mut c_void;

fn create(
    thread: Ptr<uv_thread_t>,
    stack_size: usize,
    entry: uv_thread_cb,
    argument: *mut c_void,
) -> c_int {
    let Some(entry) = entry else { return negative(Errno::EINVAL) };
    // The function of the program is the start routine itself, without a wrapper: a thread may end
    // by `pthread_exit` or `pthread_cancel`, which unwind its stack.
    // SAFETY: the two types differ only in the return type. Only `pthread_join` reads that value,
    // and `uv_thread_join` ignores it.
    let entry =
        unsafe { std::mem::transmute::<unsafe extern "C-unwind" fn(*mut c_void), Entry>(entry) };
    let mut attributes = MaybeUninit::uninit();
    // SAFETY: the attributes are initialised before use, and destroyed once. The program guarantees
    // `thread`, the function and its argument.
    code(unsafe {
        let mut result = libc::pthread_attr_init(attributes.as_mut_ptr());
        if result == 0 {
            result = libc::pthread_attr_setstacksize(attributes.as_mut_ptr(), stack_size);
            if result == 0 {
                result = libc::pthread_create(thread.raw(), attributes.as_ptr(), entry, argument);
            }
            libc::pthread_attr_destroy(attributes.as_mut_ptr());
        }
        result
    })
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn uv_thread_join(thread: Ptr<uv_thread_t>) -> c_int {
    code(cancellation::join(thread.with(|thread| *thread)))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_thread_detach(thread: Ptr<uv_thread_t>) -> c_int {
    // SAFETY: the program guarantees a joinable thread.
    code(unsafe { libc::pthread_detach(thread.with(|thread| *thread)) })
}
