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
use crate::home::Home;
use crate::targets;

/// The future of [`sleep`](fn@super::sleep) and [`sleep_until`](super::sleep_until). After it is dropped,
/// nothing waits for its deadline.
///
/// It is `Send`, so that code which requires that can own it, but only its loop polls it. If it is dropped
/// on another thread, the loop stops waiting in its next iteration.
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
    home: Home,
    /// Opened by the first poll: many sleeps are dropped before, such as those of time limits.
    timer: Option<SleepTimer>,
    deadline: Instant,
    exact: bool,
}

impl Sleep {
    pub(crate) fn new(core: &Core, duration: Duration) -> Self {
        let deadline = clock::now_of(core).after(duration);
        Self::until(core, deadline)
    }

    pub(crate) fn until(core: &Core, deadline: Instant) -> Self {
        core.assert_open();
        Self { home: core.home, timer: None, deadline, exact: false }
    }

    /// Opens a timer, or takes over a spare one. It wakes the task of `context`.
    fn open(&mut self, core: &Core, context: &Context<'_>) {
        let Core { targets, executor, spare_timers, .. } = core;
        if !self.exact
            && let Some(spare) = spare_timers.take(core, self.deadline)
        {
            let spare = self.timer.insert(spare);
            let is_of_task = targets.set_waiter(spare.key, context, executor);
            spare.set_referenced(core, !is_of_task);
        } else {
            let key = targets.insert_waiting_future(context, executor);
            let id = core.engine(|engine| engine.open_timer(targets::token(key)));
            let deadline = self.deadline;
            self.timer =
                Some(SleepTimer { id, key, due: 0, deadline, latest: None, referenced: true });
            self.start(core);
        }
    }

    /// Starts the timer, if it is open.
    fn start(&mut self, core: &Core) {
        let Some(timer) = &mut self.timer else { return };
        (timer.deadline, timer.latest) = (self.deadline, None);
        timer.due = clock::engine_deadline(core, self.deadline, self.exact);
        core.try_engine(|engine| {
            let mut open = engine.timer(timer.id).expect("open until this is dropped");
            open.start_at(timer.due).expect("an open timer can be started");
        });
    }

    /// Starts the timer again for a new deadline, if it is open.
    fn restart(&mut self, core: &Core) {
        if let Some(timer) = self.timer {
            core.targets.reset_future(timer.key);
            self.start(core);
        }
    }

    /// [`restart`](Self::restart) where the loop may not run.
    ///
    /// # Panics
    /// Panics if the timer is open and its loop is one of another thread.
    #[track_caller]
    fn restart_if_open(&mut self) {
        if self.timer.is_some() && self.home.if_current(|core| self.restart(core)).is_none() {
            self.restart(&self.find_home());
        }
    }

    /// The loop, where it is not the innermost one that runs.
    #[cold]
    #[track_caller]
    fn find_home(&self) -> Rc<Core> {
        self.home
            .find()
            .expect("the loop of this `Sleep` was dropped, or belongs to another thread")
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
        self.restart_if_open();
        self
    }

    /// When the sleep completes, or has completed.
    pub fn deadline(&self) -> Instant {
        self.deadline
    }

    /// Whether the deadline was reached.
    pub fn is_elapsed(&self) -> bool {
        let is_elapsed = |core: &Core| match self.timer {
            Some(timer) => {
                timer.deadline >= self.deadline && core.targets.outcome(timer.key, |_| ()).is_some()
            }
            None => clock::now_of(core) >= self.deadline,
        };
        let here = self.home.if_current(is_elapsed);
        let found = || self.home.find().map(|core| is_elapsed(&core));
        here.or_else(found).unwrap_or_else(|| Instant::now() >= self.deadline)
    }

    /// Sets a new deadline. A sleep that has completed can be awaited again.
    ///
    /// # Panics
    /// Panics on another thread than that of its loop, unless it was never polled.
    #[track_caller]
    pub fn reset(&mut self, deadline: Instant) {
        self.deadline = deadline;
        self.restart_if_open();
    }

    /// Polls the timer, if it is open.
    fn poll_timer(&self, core: &Core, context: &Context<'_>) -> Option<()> {
        let Core { targets, executor, .. } = core;
        targets.poll_future(self.timer?.key, context, executor, |_| ())
    }

    /// Polls in the loop that runs, unless `is_current` is false.
    #[inline]
    fn poll_on(&mut self, core: &Core, is_current: bool, context: &Context<'_>) -> Poll<()> {
        if self.poll_timer(core, context).is_some() {
            if self.timer.is_some_and(|timer| timer.deadline >= self.deadline) {
                return Poll::Ready(());
            }
            // A timer that was taken over.
            self.restart(core);
            self.poll_timer(core, context);
        }
        if !is_current {
            assert!(!core.is_closed(), "the loop of this `Sleep` was dropped");
            core.assert_current("a sleep");
        }
        match &mut self.timer {
            None => self.open(core, context),
            // Another future than that of a task waits now.
            Some(timer) if !timer.referenced && core.executor.task_of(context).is_none() => {
                timer.set_referenced(core, true);
            }
            Some(_) => {}
        }
        Poll::Pending
    }

    /// Polls where its loop is not the innermost one that runs on this thread.
    #[cold]
    fn poll_elsewhere(&mut self, context: &Context<'_>) -> Poll<()> {
        self.poll_on(&self.find_home(), false, context)
    }
}

impl Future for Sleep {
    type Output = ();

    /// # Panics
    /// Panics if the loop was dropped before the deadline, on another thread than that of the loop, and if
    /// another loop runs on this thread: its task would wait for ever.
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let home = self.home;
        let polled = home.if_current(|core| self.poll_on(core, true, context));
        polled.unwrap_or_else(|| self.poll_elsewhere(context))
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let Some(timer) = self.timer
            && self.home.if_current(|core| core.spare_timers.put(core, timer)).is_none()
        {
            drop_elsewhere(self.home, timer);
        }
    }
}

/// Drops the timer of a sleep where its loop is not the innermost one that runs on this thread.
#[cold]
fn drop_elsewhere(home: Home, timer: SleepTimer) {
    match home.find() {
        Some(core) => core.spare_timers.put(&core, timer),
        None => home.post(move |core| core.spare_timers.put(core, timer)),
    }
}

impl fmt::Debug for Sleep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sleep").field("deadline", &self.deadline).finish_non_exhaustive()
    }
}
