//! The functions that read a clock.

use std::ffi::{c_int, c_void};

use libc::{clockid_t, time_t, timespec, timeval};

use crate::{NANOS, next, shown_nanos, timespec_of};

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn clock_gettime(clock: clockid_t, time: *mut timespec) -> c_int {
    match shown_nanos(clock) {
        Some(nanos) if !time.is_null() => {
            // SAFETY: the caller's value.
            unsafe { time.write(timespec_of(nanos)) };
            0
        }
        // SAFETY: the caller's contract.
        _ => unsafe { next::clock_gettime(clock, time) },
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn gettimeofday(time: *mut timeval, zone: *mut c_void) -> c_int {
    // SAFETY: the caller's contract. It also fills the time zone.
    let result = unsafe { next::gettimeofday(time, zone) };
    if let Some(nanos) = shown_nanos(libc::CLOCK_REALTIME)
        && !time.is_null()
    {
        let (tv_sec, tv_usec) = (nanos.div_euclid(NANOS), nanos.rem_euclid(NANOS) / 1000);
        // SAFETY: the caller's value.
        unsafe { time.write(timeval { tv_sec, tv_usec }) };
    }
    result
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn time(time: *mut time_t) -> time_t {
    let Some(nanos) = shown_nanos(libc::CLOCK_REALTIME) else {
        // SAFETY: the caller's contract.
        return unsafe { next::time(time) };
    };
    let seconds = nanos.div_euclid(NANOS);
    if !time.is_null() {
        // SAFETY: the caller's value.
        unsafe { time.write(seconds) };
    }
    seconds
}
