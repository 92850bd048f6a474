//! Starting threads and waiting for their end.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;

use mauve_sys::Errno;
use mauve_sys::thread::stack;

use super::{code, waits};
use crate::abi::callbacks::uv_thread_cb;
use crate::abi::*;
use crate::ffi::{Ptr, negative};

#[export]
pub extern "C" fn uv_thread_create(
    thread: Ptr<uv_thread_t>,
    entry: uv_thread_cb,
    argument: *mut c_void,
) -> c_int {
    create(thread, stack::default_size(), entry, argument)
}

#[export]
pub extern "C" fn uv_thread_create_ex(
    thread: Ptr<uv_thread_t>,
    options: Ptr<uv_thread_options_t>,
    entry: uv_thread_cb,
    argument: *mut c_void,
) -> c_int {
    let asked = options.with(|options| {
        let given = options.flags as c_int & UV_THREAD_HAS_STACK_SIZE != 0;
        if given { options.stack_size } else { 0 }
    });
    let stack_size = match asked {
        0 => stack::default_size(),
        size => stack::round_size(size),
    };
    create(thread, stack_size, entry, argument)
}

/// The first function of a thread, as pthreads want it.
type Entry = extern "C" fn(*mut c_void) -> *mut c_void;

fn create(
    thread: Ptr<uv_thread_t>,
    stack_size: usize,
    entry: uv_thread_cb,
    argument: *mut c_void,
) -> c_int {
    let Some(entry) = entry else { return negative(Errno::EINVAL) };
    // The program's function is the first of the thread, without a frame of ours below it: a thread
    // may end by `pthread_exit` or `pthread_cancel`, which unwind its stack.
    // SAFETY: the two types differ in what is returned. Only `pthread_join` could see the value,
    // and `uv_thread_join` does not ask for it.
    let entry =
        unsafe { std::mem::transmute::<unsafe extern "C-unwind" fn(*mut c_void), Entry>(entry) };
    let mut attributes = MaybeUninit::uninit();
    // SAFETY: the attributes are made before they are used, and destroyed once. The program
    // vouches for `thread`, for the function and its argument.
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

#[export]
pub extern "C-unwind" fn uv_thread_join(thread: Ptr<uv_thread_t>) -> c_int {
    code(waits::join(thread.with(|thread| *thread)))
}

#[export]
pub extern "C" fn uv_thread_detach(thread: Ptr<uv_thread_t>) -> c_int {
    // SAFETY: the program vouches for a thread that can be detached.
    code(unsafe { libc::pthread_detach(thread.with(|thread| *thread)) })
}
