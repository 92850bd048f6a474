//! Clocks and sleeping.

use std::time::Duration;

cfg_if::cfg_if! {
    if #[cfg(any(target_os = "linux", target_os = "android", target_os = "openbsd"))] {
        const BOOTTIME: libc::clockid_t = libc::CLOCK_BOOTTIME;
    } else if #[cfg(any(target_os = "freebsd", target_os = "dragonfly"))] {
        const BOOTTIME: libc::clockid_t = libc::CLOCK_UPTIME;
    } else {
        const BOOTTIME: libc::clockid_t = libc::CLOCK_MONOTONIC;
    }
}

/// A clock of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Clock {
    /// `CLOCK_MONOTONIC`: never goes backwards; its zero is arbitrary.
    Monotonic,
    /// `CLOCK_REALTIME`: wall-clock time since the Unix epoch; can be set.
    Realtime,
    /// Time since boot, including suspended time where the system counts it (`CLOCK_BOOTTIME`).
    Boottime,
}

/// Reads `clock` as seconds and nanoseconds.
#[doc(alias = "uv_clock_gettime")]
pub fn now(clock: Clock) -> (i64, u32) {
    let time = read(clock);
    // Nanoseconds are below one billion, so the cast is lossless.
    (time.tv_sec, time.tv_nsec as u32)
}

/// Nanoseconds of the monotonic clock. All loop times derive from it.
#[doc(alias = "uv_hrtime")]
#[inline]
pub fn hrtime() -> u64 {
    let time = read(Clock::Monotonic);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Blocks the calling thread for at least `duration`. Signals do not end the sleep.
#[doc(alias = "uv_sleep")]
pub fn sleep(duration: Duration) {
    std::thread::sleep(duration);
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
