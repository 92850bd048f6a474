//! `uv_barrier_*`: a mutex and a condition variable.

use std::ffi::{c_int, c_uint};

use mauve_sys::Errno;
use windows_sys::Win32::System::Threading::{
    CONDITION_VARIABLE, CRITICAL_SECTION, DeleteCriticalSection, EnterCriticalSection, INFINITE,
    InitializeConditionVariable, InitializeCriticalSection, LeaveCriticalSection,
    SleepConditionVariableCS, WakeAllConditionVariable,
};

use super::abort_unless;
use crate::abi::uv_barrier_t;
use crate::ffi::{Ptr, abort_misuse, negative};

#[unsafe(no_mangle)]
pub extern "C" fn uv_barrier_init(barrier: Ptr<uv_barrier_t>, count: c_uint) -> c_int {
    if count == 0 {
        return negative(Errno::EINVAL);
    }
    let raw = barrier.raw();
    // SAFETY: the program guarantees memory for the barrier.
    unsafe {
        ((*raw).threshold, (*raw).arrived, (*raw).leaving) = (count, 0, 0);
        InitializeCriticalSection(&raw mut (*raw).mutex);
        InitializeConditionVariable(&raw mut (*raw).variable);
    }
    0
}

/// Returns 1 on the last thread to leave, which may destroy the barrier, and 0 on the others.
#[unsafe(no_mangle)]
pub extern "C" fn uv_barrier_wait(barrier: Ptr<uv_barrier_t>) -> c_int {
    let raw = barrier.raw();
    // SAFETY: the program guarantees an initialised barrier. The fields are used with the mutex only.
    unsafe {
        let (mutex, variable) = (&raw mut (*raw).mutex, &raw mut (*raw).variable);
        EnterCriticalSection(mutex);
        // The threads of the previous round leave first.
        let leaving = &raw const (*raw).leaving;
        while leaving.read() != 0 {
            sleep(variable, mutex);
        }
        (*raw).arrived += 1;
        if (*raw).arrived == (*raw).threshold {
            (*raw).arrived = 0;
            (*raw).leaving = (*raw).threshold;
            WakeAllConditionVariable(variable);
        } else {
            while leaving.read() == 0 {
                sleep(variable, mutex);
            }
        }
        (*raw).leaving -= 1;
        let is_last = (*raw).leaving == 0;
        if is_last {
            WakeAllConditionVariable(variable);
        }
        LeaveCriticalSection(mutex);
        c_int::from(is_last)
    }
}

/// # Safety
/// Both are initialised, and this thread has the mutex.
unsafe fn sleep(variable: *mut CONDITION_VARIABLE, mutex: *mut CRITICAL_SECTION) {
    // SAFETY: the caller guarantees it.
    let woken = unsafe { SleepConditionVariableCS(variable, mutex, INFINITE) };
    abort_unless("uv_barrier_wait", woken != 0);
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_barrier_destroy(barrier: Ptr<uv_barrier_t>) {
    let raw = barrier.raw();
    // SAFETY: the program guarantees an initialised barrier.
    unsafe {
        let mutex = &raw mut (*raw).mutex;
        EnterCriticalSection(mutex);
        if (*raw).arrived != 0 || (*raw).leaving != 0 {
            abort_misuse("uv_barrier_destroy", format_args!("threads wait for the barrier"));
        }
        LeaveCriticalSection(mutex);
        DeleteCriticalSection(mutex);
    }
}
