//! Sleeping.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use super::spare::SleepTimer;
use super::{Instant, clock};
use crate::core::Core;
use crate::targets;

/// The future of [`sleep`](fn@super::sleep) and [`sleep_until`](super::sleep_until). After it is dropped,
/// nothing waits for its deadline.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// use std::time::Duration;
/// use mauve::time::Instant;
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
    /// Opened by the first poll: many sleeps are dropped before, such as those of time limits.
    timer: Option<SleepTimer>,
    deadline: Instant,
    exact: bool,
}

impl Sleep {
    pub(crate) fn new(core: Rc<Core>, duration: Duration) -> Self {
        let deadline = clock::now_of(&core).after(duration);
        Self::until(core, deadline)
    }

    pub(crate) fn until(core: Rc<Core>, deadline: Instant) -> Self {
        core.assert_open();
        Self { core, timer: None, deadline, exact: false }
    }

    /// Opens a timer, or takes over a spare one. It wakes the task of `context`.
    fn open(&mut self, context: &Context<'_>) {
        let Core { targets, executor, spare_timers, .. } = &*self.core;
        if !self.exact
            && let Some(spare) = spare_timers.take(&self.core, self.deadline)
        {
            self.timer = Some(spare);
            targets.poll_future(spare.key, context, executor, |_| ());
        } else {
            let key = targets.insert_waiting_future(context, executor);
            let id = self.core.engine(|engine| engine.open_timer(targets::token(key)));
            self.timer = Some(SleepTimer { id, key, due: 0, deadline: self.deadline });
            self.start();
        }
    }

    /// Starts the timer, if it is open.
    fn start(&mut self) {
        let Some(timer) = &mut self.timer else { return };
        timer.deadline = self.deadline;
        timer.due = clock::engine_deadline(&self.core, self.deadline, self.exact);
        self.core.try_engine(|engine| {
            let mut open = engine.timer(timer.id).expect("open until this is dropped");
            open.start_at(timer.due).expect("an open timer can be started");
        });
    }

    /// Starts the timer again for a new deadline, if it is open.
    fn restart(&mut self) {
        if let Some(timer) = self.timer {
            self.core.targets.reset_future(timer.key);
            self.start();
        }
    }

    /// Waits for the nanosecond of the deadline, as far as the kernel allows. Without this, the loop
    /// rounds a deadline that is at least ten milliseconds away up to a millisecond of its clock.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// use std::time::Duration;
    ///
    /// mauve::sleep(Duration::from_micros(16_667)).exact().await;
    /// # Ok(())
    /// # }
    /// ```
    pub fn exact(mut self) -> Self {
        self.exact = true;
        self.restart();
        self
    }

    /// When the sleep completes, or has completed.
    pub fn deadline(&self) -> Instant {
        self.deadline
    }

    /// Whether the deadline was reached.
    pub fn is_elapsed(&self) -> bool {
        match self.timer {
            Some(timer) => {
                timer.deadline >= self.deadline
                    && self.core.targets.outcome(timer.key, |_| ()).is_some()
            }
            None => clock::now_of(&self.core) >= self.deadline,
        }
    }

    /// Sets a new deadline. A sleep that has completed can be awaited again.
    pub fn reset(&mut self, deadline: Instant) {
        self.deadline = deadline;
        self.restart();
    }

    /// Polls the timer, if it is open.
    fn poll_timer(&self, context: &Context<'_>) -> Option<()> {
        let Core { targets, executor, .. } = &*self.core;
        targets.poll_future(self.timer?.key, context, executor, |_| ())
    }
}

impl Future for Sleep {
    type Output = ();

    /// # Panics
    /// Panics if the loop was dropped before the deadline, or if another loop runs on this thread: its
    /// task would wait for ever.
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.poll_timer(context).is_some() {
            if self.timer.is_some_and(|timer| timer.deadline >= self.deadline) {
                return Poll::Ready(());
            }
            // A timer that was taken over.
            self.restart();
            self.poll_timer(context);
        }
        assert!(!self.core.is_closed(), "the loop of this `Sleep` was dropped");
        self.core.assert_current("a sleep");
        if self.timer.is_none() {
            self.open(context);
        }
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let Some(timer) = self.timer {
            self.core.spare_timers.put(&self.core, timer);
        }
    }
}

impl fmt::Debug for Sleep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sleep").field("deadline", &self.deadline).finish_non_exhaustive()
    }
}
