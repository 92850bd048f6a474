//! Time: sleeping, time limits for futures, and periodic ticks.
//!
//! A sleep completes when its deadline has passed on the monotonic clock, never before. Unlike the
//! timeouts of a [`Timer`](crate::Timer), which are whole milliseconds, a deadline is precise: the
//! loop waits for its nanosecond, as far as the kernel allows. Only a deadline that is at least ten
//! milliseconds away is rounded up to a millisecond, unless it is [exact](Sleep::exact).
//!
//! Tests can [pause] time: it then jumps to the next timer.

mod clock;
mod instant;
mod interval;
mod sleep;
mod spare;
mod timeout;

use std::future::Future;
use std::time::Duration;

pub(crate) use clock::ClockPair;
pub use clock::{VirtualClock, advance, pause, resume};
pub use instant::Instant;
pub use interval::{Interval, MissedTickBehavior, interval, interval_at};
pub use sleep::Sleep;
pub(crate) use spare::SpareTimers;
pub use timeout::{Elapsed, Timeout};

use crate::core::on_current;

/// Waits until at least `duration` has elapsed.
///
/// ```
/// use std::time::Duration;
/// use mauve::time::Instant;
///
/// let lp: mauve::Loop = mauve::Loop::new()?;
/// lp.block_on(async {
///     let start = Instant::now();
///     mauve::time::sleep(Duration::from_micros(300)).await;
///     assert!(start.elapsed() >= Duration::from_micros(300));
/// });
/// # Ok::<(), mauve::Errno>(())
/// ```
///
/// # Cancel safety
/// If the future is dropped, nothing waits for its deadline. A new call waits for the whole time again.
///
/// # Panics
/// Panics if no loop runs on this thread.
pub fn sleep(duration: Duration) -> Sleep {
    on_current(|core| Sleep::new(core, duration))
}

/// Waits until `deadline`. Completes at once if that is past.
///
/// # Cancel safety
/// If the future is dropped, nothing waits for `deadline`.
///
/// # Panics
/// Panics if no loop runs on this thread.
pub fn sleep_until(deadline: Instant) -> Sleep {
    on_current(|core| Sleep::until(core, deadline))
}

/// Waits for `future`, but at most for `duration`.
///
/// ```
/// use std::time::Duration;
/// use mauve::time::{sleep, timeout};
///
/// let lp: mauve::Loop = mauve::Loop::new()?;
/// lp.block_on(async {
///     let limit = Duration::from_millis(1);
///     assert!(timeout(limit, sleep(Duration::from_secs(60))).await.is_err());
///     assert_eq!(timeout(limit, async { 7 }).await, Ok(7));
/// });
/// # Ok::<(), mauve::Errno>(())
/// ```
///
/// # Cancel safety
/// If the returned future is dropped, or the time has elapsed, `future` is dropped with what it has not
/// completed: see its own section.
///
/// # Panics
/// Panics if no loop runs on this thread.
pub fn timeout<F: Future>(duration: Duration, future: F) -> Timeout<F> {
    Timeout::new(sleep(duration), future)
}

/// Waits for `future`, but at most until `deadline`.
///
/// # Cancel safety
/// As with [`timeout()`].
///
/// # Panics
/// Panics if no loop runs on this thread.
pub fn timeout_at<F: Future>(deadline: Instant, future: F) -> Timeout<F> {
    Timeout::new(sleep_until(deadline), future)
}
