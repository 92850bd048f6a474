//! `uv_sem_*`.

use std::ffi::{c_int, c_uint};
use std::ptr::{null, null_mut};

use mauve_sys::Errno;
use windows_sys::Win32::Foundation::{CloseHandle, WAIT_OBJECT_0, WAIT_TIMEOUT};
use windows_sys::Win32::System::Threading::{
    CreateSemaphoreW, INFINITE, ReleaseSemaphore, WaitForSingleObject,
};

use super::abort_unless;
use crate::abi::uv_sem_t;
use crate::ffi::{Ptr, negative};

/// Reads the handle, which other threads may read concurrently.
fn handle(semaphore: Ptr<uv_sem_t>) -> uv_sem_t {
    // SAFETY: the program guarantees an initialised semaphore.
    unsafe { semaphore.raw().read() }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_sem_init(semaphore: Ptr<uv_sem_t>, value: c_uint) -> c_int {
    // SAFETY: takes numbers, and makes an object without a name.
    let made = unsafe { CreateSemaphoreW(null(), value.cast_signed(), i32::MAX, null()) };
    if made.is_null() {
        return negative(Errno::last());
    }
    semaphore.write(made);
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_sem_destroy(semaphore: Ptr<uv_sem_t>) {
    // SAFETY: the program guarantees an initialised semaphore, which it does not use any more.
    abort_unless("uv_sem_destroy", unsafe { CloseHandle(handle(semaphore)) } != 0);
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_sem_post(semaphore: Ptr<uv_sem_t>) {
    // SAFETY: the program guarantees an initialised semaphore.
    let posted = unsafe { ReleaseSemaphore(handle(semaphore), 1, null_mut()) };
    abort_unless("uv_sem_post", posted != 0);
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn uv_sem_wait(semaphore: Ptr<uv_sem_t>) {
    // SAFETY: as above.
    let waited = unsafe { WaitForSingleObject(handle(semaphore), INFINITE) };
    abort_unless("uv_sem_wait", waited == WAIT_OBJECT_0);
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_sem_trywait(semaphore: Ptr<uv_sem_t>) -> c_int {
    // SAFETY: as above.
    match unsafe { WaitForSingleObject(handle(semaphore), 0) } {
        WAIT_TIMEOUT => negative(Errno::EAGAIN),
        waited => {
            abort_unless("uv_sem_trywait", waited == WAIT_OBJECT_0);
            0
        }
    }
}
