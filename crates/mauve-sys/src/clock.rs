//! Clocks and sleeping.

use std::time::Duration;

/// A clock that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Never goes backwards; its zero is arbitrary.
    Monotonic,
    /// Wall-clock time since the Unix epoch; can be set.
    Realtime,
    /// Since the machine was started, with the time it was asleep.
    SinceBoot,
}

/// Reads `clock` as seconds and nanoseconds.
#[doc(alias = "uv_clock_gettime")]
pub fn now(clock: Clock) -> (i64, u32) {
    let time = read(clock);
    // The kernel keeps nanoseconds below one billion.
    (time.tv_sec, time.tv_nsec as u32)
}

/// Nanoseconds on the monotonic clock, the base of all loop times.
#[doc(alias = "uv_hrtime")]
#[inline]
pub fn hrtime() -> u64 {
    let time = read(Clock::Monotonic);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Blocks the calling thread for at least `duration`, through any signals.
#[doc(alias = "uv_sleep")]
pub fn sleep(duration: Duration) {
    std::thread::sleep(duration);
}

/// Through libc: it finds the kernel's fast path, also under tools that hide it from others.
#[inline]
fn read(clock: Clock) -> libc::timespec {
    let clock = match clock {
        Clock::Monotonic => libc::CLOCK_MONOTONIC,
        Clock::Realtime => libc::CLOCK_REALTIME,
        Clock::SinceBoot => libc::CLOCK_BOOTTIME,
    };
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: room for a time. These clocks exist everywhere, so the call cannot fail.
    unsafe { libc::clock_gettime(clock, &raw mut time) };
    time
}
