//! Starting threads and waiting for their end.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;

use mauve_sys::Errno;
use mauve_sys::thread::stack;

use super::{code, waits};
use crate::abi::callbacks::uv_thread_cb;
use crate::abi::*;
use crate::ffi::{Ptr, negative};
use crate::held;

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
    let asked = options.with(|options| {
        let given = options.flags as c_int & UV_THREAD_HAS_STACK_SIZE != 0;
        if given { options.stack_size } else { 0 }
    });
    let stack_size = match asked {
        0 => stack::default_size(),
        size => stack::at_least(size),
    };
    create(thread, stack_size, entry, argument)
}

/// What a new thread has to do.
struct Start {
    entry: unsafe extern "C" fn(*mut c_void),
    argument: *mut c_void,
}

fn create(
    thread: Ptr<uv_thread_t>,
    stack_size: usize,
    entry: uv_thread_cb,
    argument: *mut c_void,
) -> c_int {
    let Some(entry) = entry else { return negative(Errno::EINVAL) };
    let start = Box::into_raw(Box::new(Start { entry, argument }));
    let mut attributes = MaybeUninit::uninit();
    // SAFETY: the attributes are made before they are used, and destroyed once. The new thread
    // takes over `start`; the program vouches for `thread`.
    let result = unsafe {
        let mut result = libc::pthread_attr_init(attributes.as_mut_ptr());
        if result == 0 {
            result = libc::pthread_attr_setstacksize(attributes.as_mut_ptr(), stack_size);
            if result == 0 {
                result = libc::pthread_create(
                    thread.raw(),
                    attributes.as_ptr(),
                    begin,
                    start.cast::<c_void>(),
                );
            }
            libc::pthread_attr_destroy(attributes.as_mut_ptr());
        }
        result
    };
    if result != 0 {
        // SAFETY: no thread was made, so this is still ours.
        drop(unsafe { Box::from_raw(start) });
    }
    code(result)
}

/// The first function of a new thread.
extern "C" fn begin(start: *mut c_void) -> *mut c_void {
    // SAFETY: made by `create` for this thread alone.
    let Start { entry, argument } = *unsafe { Box::from_raw(start.cast::<Start>()) };
    waits::run(entry, argument);
    std::ptr::null_mut()
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_thread_join(thread: Ptr<uv_thread_t>) -> c_int {
    held::let_go();
    code(waits::join(thread.with(|thread| *thread)))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_thread_detach(thread: Ptr<uv_thread_t>) -> c_int {
    // SAFETY: the program vouches for a thread that can be detached.
    code(unsafe { libc::pthread_detach(thread.with(|thread| *thread)) })
}
