//! The clocks of Windows: the performance counter, and the times of the system.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::System::Performance::{QueryPerformanceCounter, QueryPerformanceFrequency};
use windows_sys::Win32::System::SystemInformation::{
    GetSystemTimePreciseAsFileTime, GetTickCount64,
};

use super::Clock;

const NANOS: u64 = 1_000_000_000;

/// The units of 100 ns from 1601, where the times of Windows begin, to 1970.
pub(crate) const UNIX_EPOCH: i64 = 116_444_736_000_000_000;

pub(super) fn now(clock: Clock) -> (i64, u32) {
    match clock {
        Clock::Monotonic => split(hrtime()),
        Clock::Realtime => {
            let mut time = FILETIME { dwLowDateTime: 0, dwHighDateTime: 0 };
            // SAFETY: stores the time in a local variable.
            unsafe { GetSystemTimePreciseAsFileTime(&raw mut time) };
            let units = i64::from(time.dwHighDateTime) << 32 | i64::from(time.dwLowDateTime);
            since_epoch(units)
        }
        // SAFETY: takes no arguments.
        Clock::Boottime => split(unsafe { GetTickCount64() } * 1_000_000),
    }
}

pub(super) fn sleep(duration: Duration) {
    std::thread::sleep(duration);
}

pub(super) fn system_hrtime() -> u64 {
    hrtime()
}

pub(super) fn system_sleep(duration: Duration) {
    sleep(duration);
}

/// Nothing is preloaded on Windows.
pub(super) fn show(_: super::ShownTime) -> bool {
    false
}

/// Seconds and nanoseconds since 1970 of a time of Windows, which may be earlier.
pub(crate) fn since_epoch(units: i64) -> (i64, u32) {
    let units = units.saturating_sub(UNIX_EPOCH);
    // The rest is below ten million units, which are below one billion nanoseconds.
    (units.div_euclid(10_000_000), units.rem_euclid(10_000_000) as u32 * 100)
}

fn split(nanos: u64) -> (i64, u32) {
    ((nanos / NANOS).cast_signed(), (nanos % NANOS) as u32)
}

/// Nanoseconds of the performance counter, which is consistent between processors.
#[inline]
pub(super) fn hrtime() -> u64 {
    let mut ticks = 0;
    // SAFETY: stores a number in a local variable. It cannot fail.
    unsafe { QueryPerformanceCounter(&raw mut ticks) };
    let (ticks, frequency) = (ticks.cast_unsigned(), frequency());
    // In two parts, because the product of the whole would overflow after some minutes.
    ticks / frequency * NANOS + ticks % frequency * NANOS / frequency
}

/// How often the performance counter ticks in a second, which is fixed when the system starts.
fn frequency() -> u64 {
    static FREQUENCY: AtomicI64 = AtomicI64::new(0);
    let mut frequency = FREQUENCY.load(Ordering::Relaxed);
    if frequency == 0 {
        // SAFETY: stores a number in a local variable. It cannot fail.
        unsafe { QueryPerformanceFrequency(&raw mut frequency) };
        FREQUENCY.store(frequency, Ordering::Relaxed);
    }
    frequency.cast_unsigned()
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn the_wall_clock_is_that_of_the_standard_library() {
        let (seconds, nanoseconds) = now(Clock::Realtime);
        let ours = Duration::new(seconds.cast_unsigned(), nanoseconds);
        let theirs = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
        assert!(theirs.abs_diff(ours) < Duration::from_secs(60), "{ours:?} {theirs:?}");
    }

    #[test]
    fn a_time_before_1970_has_positive_nanoseconds() {
        assert_eq!(since_epoch(UNIX_EPOCH - 1), (-1, 999_999_900));
        assert_eq!(since_epoch(UNIX_EPOCH + 15_000_000), (1, 500_000_000));
    }

    #[test]
    fn the_monotonic_clock_advances() {
        let before = hrtime();
        std::thread::sleep(Duration::from_millis(20));
        assert!(hrtime() - before >= 15_000_000);
    }
}
