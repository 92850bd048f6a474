//! hyper's timer.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use hyper::rt::{Sleep, Timer};

/// The timer for hyper's timeouts, such as
/// [`header_read_timeout`](hyper::server::conn::http1::Builder::header_read_timeout), on the loop
/// that runs on this thread.
///
/// ```
/// use std::time::Duration;
/// use hyper::server::conn::http1;
/// use mauve_hyper::MauveTimer;
///
/// let mut builder = http1::Builder::new();
/// builder.timer(MauveTimer).header_read_timeout(Duration::from_secs(10));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct MauveTimer;

impl Timer for MauveTimer {
    /// # Panics
    /// Panics if no loop runs on this thread.
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        Box::pin(MauveSleep(mauve::time::sleep(duration)))
    }

    /// # Panics
    /// Panics if no loop runs on this thread.
    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        Box::pin(MauveSleep(mauve::time::sleep_until(deadline.into())))
    }

    fn now(&self) -> Instant {
        mauve::time::Instant::now().into_std()
    }

    fn reset(&self, sleep: &mut Pin<Box<dyn Sleep>>, deadline: Instant) {
        match sleep.as_mut().downcast_mut_pin::<MauveSleep>() {
            Some(mut sleep) => sleep.0.reset(deadline.into()),
            None => *sleep = self.sleep_until(deadline),
        }
    }
}

/// A sleep of [`MauveTimer`].
#[derive(Debug)]
pub struct MauveSleep(mauve::Sleep);

impl Future for MauveSleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.0).poll(context)
    }
}

impl Sleep for MauveSleep {}
