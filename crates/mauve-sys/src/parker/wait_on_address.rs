//! The futex of Windows: `WaitOnAddress`.

use std::sync::atomic::AtomicU32;
use std::time::Duration;

use windows_sys::Win32::System::Threading::{INFINITE, WaitOnAddress, WakeByAddressSingle};

use crate::driver::ceil_millis;

/// Whether a loop may park.
pub const AVAILABLE: bool = true;

/// Blocks while `futex` holds `expected`, for at most `timeout`, or indefinitely if it is `None`.
/// Spurious returns are possible.
pub fn wait(futex: &AtomicU32, expected: u32, timeout: Option<Duration>) {
    // A longer wait ends early; the engine waits again.
    let timeout = timeout.map_or(INFINITE, |timeout| ceil_millis(timeout).min(INFINITE - 1));
    let (address, compare) = (futex.as_ptr().cast(), (&raw const expected).cast());
    // SAFETY: both addresses have four bytes that outlive the call, which only reads them.
    unsafe { WaitOnAddress(address, compare, size_of::<u32>(), timeout) };
}

/// Wakes the thread that is blocked on `futex`, if there is one.
pub fn wake(futex: &AtomicU32) {
    // SAFETY: the address is not accessed.
    unsafe { WakeByAddressSingle(futex.as_ptr().cast()) };
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;
    use std::time::Instant;

    use super::*;

    #[test]
    fn a_wait_ends_with_its_timeout_or_when_it_is_woken() {
        let futex = AtomicU32::new(1);
        wait(&futex, 0, None);
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_millis(20) {
            wait(&futex, 1, Some(Duration::from_millis(20)));
        }
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while futex.load(Ordering::Acquire) == 1 {
                    wait(&futex, 1, None);
                }
            });
            futex.store(2, Ordering::Release);
            wake(&futex);
        });
    }
}
