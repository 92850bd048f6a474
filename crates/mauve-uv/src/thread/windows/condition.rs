//! `uv_cond_*`.

use std::ffi::c_int;

use mauve_sys::Errno;
use windows_sys::Win32::Foundation::{ERROR_TIMEOUT, GetLastError};
use windows_sys::Win32::System::Threading::{
    CONDITION_VARIABLE, INFINITE, InitializeConditionVariable, SleepConditionVariableCS,
    WakeAllConditionVariable, WakeConditionVariable,
};

use super::abort_unless;
use crate::abi::{uv_cond_t, uv_mutex_t};
use crate::ffi::{Ptr, negative};

/// The variable at the beginning of the struct, which other threads may use at the same time.
fn variable(condition: Ptr<uv_cond_t>) -> *mut CONDITION_VARIABLE {
    condition.raw().cast()
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_cond_init(condition: Ptr<uv_cond_t>) -> c_int {
    // SAFETY: the program guarantees memory for the condition variable.
    unsafe { InitializeConditionVariable(variable(condition)) };
    0
}

/// A condition variable has no resources.
#[unsafe(no_mangle)]
pub extern "C" fn uv_cond_destroy(_: Ptr<uv_cond_t>) {}

#[unsafe(no_mangle)]
pub extern "C" fn uv_cond_signal(condition: Ptr<uv_cond_t>) {
    // SAFETY: the program guarantees an initialised condition variable; concurrent use is allowed.
    unsafe { WakeConditionVariable(variable(condition)) };
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_cond_broadcast(condition: Ptr<uv_cond_t>) {
    // SAFETY: as above.
    unsafe { WakeAllConditionVariable(variable(condition)) };
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn uv_cond_wait(condition: Ptr<uv_cond_t>, mutex: Ptr<uv_mutex_t>) {
    // SAFETY: as above, and this thread has the mutex.
    let woken = unsafe { SleepConditionVariableCS(variable(condition), mutex.raw(), INFINITE) };
    abort_unless("uv_cond_wait", woken != 0);
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn uv_cond_timedwait(
    condition: Ptr<uv_cond_t>,
    mutex: Ptr<uv_mutex_t>,
    nanoseconds: u64,
) -> c_int {
    const MILLISECOND: u64 = 1_000_000;
    let timeout = u32::try_from(nanoseconds / MILLISECOND).unwrap_or(INFINITE);
    // SAFETY: as above, and this thread has the mutex.
    if unsafe { SleepConditionVariableCS(variable(condition), mutex.raw(), timeout) } != 0 {
        return 0;
    }
    // SAFETY: takes no arguments.
    abort_unless("uv_cond_timedwait", unsafe { GetLastError() } == ERROR_TIMEOUT);
    negative(Errno::ETIMEDOUT)
}
