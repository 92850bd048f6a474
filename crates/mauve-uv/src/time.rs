//! Clocks and sleeping.

use std::ffi::{c_int, c_uint};
use std::time::Duration;

use mauve_sys::Errno;
use mauve_sys::clock::{self, Clock};

use crate::abi::*;
use crate::ffi::{Ptr, negative};
use crate::system;

#[unsafe(no_mangle)]
pub extern "C" fn uv_hrtime() -> u64 {
    clock::hrtime()
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_clock_gettime(clock: c_int, time: Ptr<uv_timespec64_t>) -> c_int {
    if time.is_null() {
        return negative(Errno::EFAULT);
    }
    let clock = match clock {
        UV_CLOCK_MONOTONIC => Clock::Monotonic,
        UV_CLOCK_REALTIME => Clock::Realtime,
        _ => return negative(Errno::EINVAL),
    };
    let (tv_sec, nanoseconds) = clock::now(clock);
    time.write(uv_timespec64_t { tv_sec, tv_nsec: nanoseconds as i32 });
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_gettimeofday(time: Ptr<uv_timeval64_t>) -> c_int {
    if time.is_null() {
        return negative(Errno::EINVAL);
    }
    time.write(system::wall_clock());
    0
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn uv_sleep(milliseconds: c_uint) {
    clock::sleep(Duration::from_millis(milliseconds.into()));
}
