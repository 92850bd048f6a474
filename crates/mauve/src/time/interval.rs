//! Periodic ticks.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use futures_core::Stream;

use super::{Instant, Sleep, sleep_until};

/// A tick is *missed* if it is later than this.
const TOLERANCE: Duration = Duration::from_millis(5);

/// Ticks every `period`. The first tick completes at once.
///
/// ```
/// use std::time::Duration;
/// use mauve::time::{Instant, interval};
///
/// let lp: mauve::Loop = mauve::Loop::new()?;
/// lp.block_on(async {
///     let start = Instant::now();
///     let mut interval = interval(Duration::from_millis(1));
///     for _ in 0..4 {
///         interval.tick().await;
///     }
///     assert!(start.elapsed() >= Duration::from_millis(3));
/// });
/// # Ok::<(), mauve::Errno>(())
/// ```
///
/// # Panics
/// Panics if `period` is zero, or if no loop runs on this thread.
#[track_caller]
pub fn interval(period: Duration) -> Interval {
    interval_at(Instant::now(), period)
}

/// Ticks at `start`, and every `period` after it.
///
/// # Panics
/// Panics if `period` is zero, or if no loop runs on this thread.
#[track_caller]
pub fn interval_at(start: Instant, period: Duration) -> Interval {
    assert!(!period.is_zero(), "`period` must not be zero");
    Interval { sleep: sleep_until(start), period, behavior: MissedTickBehavior::default() }
}

/// What an [`Interval`] does when ticks were missed, because the task or the loop was busy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissedTickBehavior {
    /// Ticks without a pause until it has caught up.
    #[default]
    Burst,
    /// The next tick is a full period after the late one.
    Delay,
    /// Skips the missed ticks. The next one is at a multiple of the period from the start.
    Skip,
}

impl MissedTickBehavior {
    /// The deadline after a tick that was due at `due` and completed at `now`.
    fn next(self, due: Instant, now: Instant, period: Duration) -> Instant {
        let late = now.saturating_duration_since(due);
        if late <= TOLERANCE {
            return due.after(period);
        }
        match self {
            Self::Burst => due.after(period),
            Self::Delay => now.after(period),
            Self::Skip => {
                let into = late.as_nanos() % period.as_nanos();
                let into = u64::try_from(into).map_or(Duration::MAX, Duration::from_nanos);
                now.after(period.saturating_sub(into))
            }
        }
    }
}

/// Periodic ticks: see [`interval`]. Dropping it stops its timer.
#[derive(Debug)]
pub struct Interval {
    sleep: Sleep,
    period: Duration,
    behavior: MissedTickBehavior,
}

impl Interval {
    /// Waits for the next tick. Returns when it was due.
    ///
    /// # Cancel safety
    /// No tick is lost if the future is dropped before it completes.
    pub async fn tick(&mut self) -> Instant {
        poll_fn(|context| self.poll_tick(context)).await
    }

    /// Polls for the next tick.
    pub fn poll_tick(&mut self, context: &mut Context<'_>) -> Poll<Instant> {
        ready!(Pin::new(&mut self.sleep).poll(context));
        let due = self.sleep.deadline();
        self.sleep.reset(self.behavior.next(due, Instant::now(), self.period));
        Poll::Ready(due)
    }

    /// Makes the next tick a full period from now.
    pub fn reset(&mut self) {
        self.reset_after(self.period);
    }

    /// Makes the next tick complete at once.
    pub fn reset_immediately(&mut self) {
        self.reset_at(Instant::now());
    }

    /// Makes the next tick complete after `duration`.
    pub fn reset_after(&mut self, duration: Duration) {
        self.reset_at(Instant::now().after(duration));
    }

    /// Makes the next tick complete at `deadline`.
    pub fn reset_at(&mut self, deadline: Instant) {
        self.sleep.reset(deadline);
    }

    /// The period.
    pub fn period(&self) -> Duration {
        self.period
    }

    /// What happens when ticks are missed.
    pub fn missed_tick_behavior(&self) -> MissedTickBehavior {
        self.behavior
    }

    /// Sets what happens when ticks are missed. The default is [`MissedTickBehavior::Burst`].
    pub fn set_missed_tick_behavior(&mut self, behavior: MissedTickBehavior) {
        self.behavior = behavior;
    }
}

/// The ticks, as a stream without an end.
impl Stream for Interval {
    type Item = Instant;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Instant>> {
        self.get_mut().poll_tick(context).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missed_ticks_burst_delay_or_are_skipped() {
        let ms = Duration::from_millis;
        let due = Instant::now();
        let next = |behavior: MissedTickBehavior, late| {
            behavior.next(due, due + ms(late), ms(10)).saturating_duration_since(due)
        };
        for behavior in
            [MissedTickBehavior::Burst, MissedTickBehavior::Delay, MissedTickBehavior::Skip]
        {
            assert_eq!(next(behavior, 4), ms(10), "within the tolerance");
        }
        assert_eq!(next(MissedTickBehavior::Burst, 37), ms(10));
        assert_eq!(next(MissedTickBehavior::Delay, 37), ms(47));
        assert_eq!(next(MissedTickBehavior::Skip, 37), ms(40));
    }
}
