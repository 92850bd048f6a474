//! Clocks and sleeping.

use std::time::Duration;

cfg_if::cfg_if! {
    if #[cfg(windows)] {
        mod windows;
        use windows as system;
        use windows as shown;
        pub(crate) use windows::{UNIX_EPOCH, since_epoch};
    } else {
        mod posix;
        mod shown;
        use posix as system;
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
    system::now(clock)
}

/// Nanoseconds of the monotonic clock. All loop times derive from it.
#[doc(alias = "uv_hrtime")]
#[inline]
pub fn hrtime() -> u64 {
    system::hrtime()
}

/// [`hrtime`] of the system, also while the program is [shown](show) another time.
pub fn system_hrtime() -> u64 {
    system::system_hrtime()
}

/// [`sleep`] by the clock of the system, also while the program is [shown](show) another time. A signal may end it.
pub fn system_sleep(duration: Duration) {
    system::system_sleep(duration);
}

/// The time that a program is shown.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct ShownTime {
    /// Nanoseconds of the monotonic clock.
    pub now: extern "C" fn() -> u64,
    /// Sleeps for this number of nanoseconds.
    pub sleep: extern "C" fn(u64),
    /// Called when a thread has waited until this time for something else, in vain.
    pub advance: extern "C" fn(u64),
}

/// Shows this time to the program, if the object that replaces the functions of the C library is
/// preloaded (crate `mauve-clock`). Returns whether it is.
pub fn show(time: ShownTime) -> bool {
    shown::show(time)
}

/// Blocks the calling thread for at least `duration`. Signals do not end the sleep.
#[doc(alias = "uv_sleep")]
pub fn sleep(duration: Duration) {
    system::sleep(duration);
}
