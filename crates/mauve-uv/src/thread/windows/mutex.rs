//! `uv_mutex_*`. A critical section is recursive.

use std::ffi::c_int;

use mauve_sys::Errno;
use windows_sys::Win32::System::Threading::{
    DeleteCriticalSection, EnterCriticalSection, InitializeCriticalSection, LeaveCriticalSection,
    TryEnterCriticalSection,
};

use crate::abi::uv_mutex_t;
use crate::ffi::{Ptr, negative};

#[unsafe(no_mangle)]
pub extern "C" fn uv_mutex_init(mutex: Ptr<uv_mutex_t>) -> c_int {
    // SAFETY: the program guarantees memory for the mutex.
    unsafe { InitializeCriticalSection(mutex.raw()) };
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_mutex_init_recursive(mutex: Ptr<uv_mutex_t>) -> c_int {
    uv_mutex_init(mutex)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_mutex_destroy(mutex: Ptr<uv_mutex_t>) {
    // SAFETY: the program guarantees the mutex is initialised and not in use.
    unsafe { DeleteCriticalSection(mutex.raw()) };
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_mutex_lock(mutex: Ptr<uv_mutex_t>) {
    // SAFETY: the program guarantees the mutex is initialised; concurrent use is allowed.
    unsafe { EnterCriticalSection(mutex.raw()) };
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_mutex_trylock(mutex: Ptr<uv_mutex_t>) -> c_int {
    // SAFETY: as above.
    if unsafe { TryEnterCriticalSection(mutex.raw()) } != 0 { 0 } else { negative(Errno::EBUSY) }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_mutex_unlock(mutex: Ptr<uv_mutex_t>) {
    // SAFETY: as above, and this thread has the mutex.
    unsafe { LeaveCriticalSection(mutex.raw()) };
}
