//! `uv_thread_create`, `uv_thread_join`, `uv_thread_detach` and `uv_thread_self`.

use std::cell::Cell;
use std::ffi::{c_int, c_uint, c_void};
use std::ptr::null_mut;

use mauve_sys::Errno;
use mauve_sys::thread::stack;
use windows_sys::Win32::Foundation::{
    CloseHandle, DUPLICATE_SAME_ACCESS, DuplicateHandle, HANDLE, WAIT_OBJECT_0,
};
use windows_sys::Win32::System::Threading::{
    CREATE_SUSPENDED, GetCurrentProcess, GetCurrentThread, INFINITE, ResumeThread,
    WaitForSingleObject,
};

use crate::abi::callbacks::uv_thread_cb;
use crate::abi::*;
use crate::ffi::{Ptr, negative};

thread_local! {
    /// The handle of the thread: that of its creator, or a duplicate that is never closed.
    static OWN: Cell<HANDLE> = const { Cell::new(null_mut()) };
}

unsafe extern "C" {
    // Threads that use the C runtime are created by it.
    fn _beginthreadex(
        security: *mut c_void,
        stack_size: c_uint,
        start: unsafe extern "C-unwind" fn(*mut c_void) -> c_uint,
        argument: *mut c_void,
        flags: c_uint,
        id: *mut c_uint,
    ) -> usize;
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_thread_create(
    thread: Ptr<uv_thread_t>,
    entry: uv_thread_cb,
    argument: *mut c_void,
) -> c_int {
    create(thread, 0, entry, argument)
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
    let size = if requested == 0 { 0 } else { stack::round_size(requested) };
    create(thread, size, entry, argument)
}

/// What a new thread gets from its creator.
struct Start {
    entry: unsafe extern "C-unwind" fn(*mut c_void),
    argument: *mut c_void,
    handle: HANDLE,
}

/// A stack of zero bytes means one of the default size.
fn create(
    thread: Ptr<uv_thread_t>,
    stack_size: usize,
    entry: uv_thread_cb,
    argument: *mut c_void,
) -> c_int {
    let Some(entry) = entry else { return negative(Errno::EINVAL) };
    let Ok(stack_size) = c_uint::try_from(stack_size) else { return negative(Errno::EINVAL) };
    let start = Box::into_raw(Box::new(Start { entry, argument, handle: null_mut() }));
    // SAFETY: the thread takes the box when it is resumed.
    let handle = unsafe {
        let flags = CREATE_SUSPENDED;
        _beginthreadex(null_mut(), stack_size, run, start.cast(), flags, null_mut()) as HANDLE
    };
    if handle.is_null() {
        // SAFETY: no thread has the box.
        drop(unsafe { Box::from_raw(start) });
        return negative(Errno::last());
    }
    thread.write(handle);
    // SAFETY: the thread is suspended, so that it does not use the box. The handle is open.
    unsafe {
        (*start).handle = handle;
        ResumeThread(handle);
    }
    0
}

unsafe extern "C-unwind" fn run(start: *mut c_void) -> c_uint {
    // SAFETY: the box of `create`, which this thread alone has.
    let Start { entry, argument, handle } = *unsafe { Box::from_raw(start.cast::<Start>()) };
    OWN.set(handle);
    // SAFETY: the program passed the function and its argument for this thread.
    unsafe { entry(argument) };
    0
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn uv_thread_join(thread: Ptr<uv_thread_t>) -> c_int {
    let handle = thread.with(|thread| *thread);
    // SAFETY: the program guarantees a joinable thread, whose handle is open.
    if unsafe { WaitForSingleObject(handle, INFINITE) } != WAIT_OBJECT_0 {
        return negative(Errno::last());
    }
    // SAFETY: as above, and it is not used afterwards.
    unsafe { CloseHandle(handle) };
    thread.write(null_mut());
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_thread_detach(thread: Ptr<uv_thread_t>) -> c_int {
    // SAFETY: the program guarantees a joinable thread, whose handle is open.
    let closed = unsafe { CloseHandle(thread.with(|thread| *thread)) } != 0;
    if closed { 0 } else { negative(Errno::last()) }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_thread_self() -> uv_thread_t {
    if OWN.get().is_null() {
        let mut handle = null_mut();
        // SAFETY: duplicates the constant for the calling thread. If it fails, the result is null.
        unsafe {
            let (process, access) = (GetCurrentProcess(), DUPLICATE_SAME_ACCESS);
            let into = &raw mut handle;
            DuplicateHandle(process, GetCurrentThread(), process, into, 0, 0, access);
        }
        OWN.set(handle);
    }
    OWN.get()
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_thread_equal(one: Ptr<uv_thread_t>, other: Ptr<uv_thread_t>) -> c_int {
    c_int::from(one.with(|thread| *thread) == other.with(|thread| *thread))
}
