//! The clocks of POSIX.

use std::time::Duration;

use super::Clock;
use crate::Errno;

cfg_if::cfg_if! {
    if #[cfg(any(target_os = "linux", target_os = "android", target_os = "openbsd"))] {
        const BOOTTIME: libc::clockid_t = libc::CLOCK_BOOTTIME;
    } else if #[cfg(any(target_os = "freebsd", target_os = "dragonfly"))] {
        const BOOTTIME: libc::clockid_t = libc::CLOCK_UPTIME;
    } else {
        const BOOTTIME: libc::clockid_t = libc::CLOCK_MONOTONIC;
    }
}

/// Reads a clock. Nanoseconds are below one billion, so the cast is lossless.
pub(super) fn now(clock: Clock) -> (i64, u32) {
    let time = read(clock);
    (time.tv_sec, time.tv_nsec as u32)
}

/// Nanoseconds of the monotonic clock.
#[inline]
pub(super) fn hrtime() -> u64 {
    let time = read(Clock::Monotonic);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Blocks the calling thread for at least `duration`. Signals do not end the sleep.
pub(super) fn sleep(duration: Duration) {
    unsafe extern "C-unwind" {
        /// A cancellation point, and the function that libuv calls, because tools replace it.
        fn nanosleep(time: *const libc::timespec, left: *mut libc::timespec) -> libc::c_int;
    }
    // The types of the fields depend on the platform. The largest number of seconds fits into all of them.
    let seconds = duration.as_secs().min(i32::MAX as u64);
    let mut time = libc::timespec { tv_sec: seconds as _, tv_nsec: duration.subsec_nanos() as _ };
    // SAFETY: `time` is valid, and is replaced by what is left if a signal interrupts the sleep.
    while unsafe { nanosleep(&raw const time, &raw mut time) } == -1
        && Errno::last() == Errno::EINTR
    {}
}

/// Not by the C library, whose function the program's may replace.
pub(super) fn system_hrtime() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

pub(super) fn system_sleep(duration: Duration) {
    let seconds = duration.as_secs().min(i32::MAX as u64);
    let time =
        rustix::time::Timespec { tv_sec: seconds as _, tv_nsec: duration.subsec_nanos() as _ };
    // An interrupted sleep ends, so the result does not matter.
    let _ = rustix::thread::nanosleep(&time);
}

/// Calls libc, which finds the vDSO even under tools such as valgrind that hide it.
#[inline]
fn read(clock: Clock) -> libc::timespec {
    let clock = match clock {
        Clock::Monotonic => libc::CLOCK_MONOTONIC,
        Clock::Realtime => libc::CLOCK_REALTIME,
        Clock::Boottime => BOOTTIME,
    };
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid timespec to write to. The system has all three clocks, so the call
    // cannot fail.
    unsafe { libc::clock_gettime(clock, &raw mut time) };
    time
}
