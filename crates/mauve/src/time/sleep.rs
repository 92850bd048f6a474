//! Sleeping.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use mauve_core::HandleId;

use crate::core::{Core, future_token};
use crate::hrtime;

/// The future of [`sleep`](fn@super::sleep) and [`sleep_until`](super::sleep_until). Dropping it stops
/// its timer.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// use std::time::{Duration, Instant};
///
/// let mut sleep = mauve::sleep(Duration::from_secs(60));
/// sleep.reset(Instant::now() + Duration::from_millis(1));
/// sleep.await;
/// # Ok(())
/// # }
/// ```
#[must_use = "futures do nothing unless they are awaited"]
pub struct Sleep {
    core: Rc<Core>,
    timer: HandleId,
    key: usize,
    deadline: Instant,
}

impl Sleep {
    pub(crate) fn new(core: Rc<Core>, duration: Duration) -> Self {
        Self::until(core, after(duration))
    }

    pub(crate) fn until(core: Rc<Core>, deadline: Instant) -> Self {
        let key = core.futures.reserve();
        let timer = core.engine(|engine| engine.open_timer(future_token(key)));
        let sleep = Self { core, timer, key, deadline };
        sleep.start();
        sleep
    }

    fn start(&self) {
        let left = self.deadline.saturating_duration_since(Instant::now());
        // Read after `Instant::now`, so that the sum is not before the deadline.
        let deadline = hrtime().saturating_add(u64::try_from(left.as_nanos()).unwrap_or(u64::MAX));
        self.core.try_engine(|engine| {
            let mut timer = engine.timer(self.timer).expect("open until this is dropped");
            timer.start_at(deadline).expect("an open timer can be started");
        });
    }

    /// When the sleep completes, or has completed.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// use std::time::{Duration, Instant};
    ///
    /// let sleep = mauve::sleep(Duration::from_secs(5));
    /// assert!(sleep.deadline() > Instant::now());
    /// # Ok(())
    /// # }
    /// ```
    pub fn deadline(&self) -> Instant {
        self.deadline
    }

    /// Whether the deadline was reached.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// use std::time::Duration;
    ///
    /// let mut sleep = mauve::sleep(Duration::from_millis(1));
    /// assert!(!sleep.is_elapsed());
    /// (&mut sleep).await;
    /// assert!(sleep.is_elapsed());
    /// # Ok(())
    /// # }
    /// ```
    pub fn is_elapsed(&self) -> bool {
        self.core.futures.outcome(self.key, |_| ()).is_some()
    }

    /// Sets a new deadline. A sleep that has completed can be awaited again.
    pub fn reset(&mut self, deadline: Instant) {
        self.deadline = deadline;
        self.core.futures.reset(self.key);
        self.start();
    }
}

/// The time `duration` from now. If that cannot be represented, a time in the far future.
pub(crate) fn after(duration: Duration) -> Instant {
    add(Instant::now(), duration)
}

/// The time `duration` after `time`. If that cannot be represented, a time in the far future.
pub(super) fn add(time: Instant, duration: Duration) -> Instant {
    const FAR: Duration = Duration::from_secs(30 * 365 * 24 * 3600);
    time.checked_add(duration).or_else(|| time.checked_add(FAR)).unwrap_or(time)
}

impl Future for Sleep {
    type Output = ();

    /// # Panics
    /// Panics if the loop was dropped before the deadline.
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let Core { futures, executor, .. } = &*self.core;
        match futures.poll(self.key, context, executor, |_| ()) {
            Some(()) => Poll::Ready(()),
            None if self.core.is_closed() => panic!("the loop of this `Sleep` was dropped"),
            None => Poll::Pending,
        }
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        // The close completion is the last one and frees the slot.
        self.core.futures.detach(self.key);
        self.core.try_engine(|engine| engine.close_handle(self.timer));
    }
}

impl fmt::Debug for Sleep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sleep").field("deadline", &self.deadline).finish_non_exhaustive()
    }
}
