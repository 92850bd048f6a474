//! hyper's timer.
//!
//! hyper requires that a sleep is `Send`, and a sleep of mauve is not: it belongs to a loop. So the
//! sleeps of a thread are in a table, and hyper gets their keys. hyper polls and drops them on the
//! loop's thread, together with the connection.

use std::cell::RefCell;
use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use hyper::rt::{Sleep, Timer};

/// The sleeps of a thread, by their keys.
#[derive(Default)]
struct Sleeps {
    next: u64,
    by_key: HashMap<u64, mauve::Sleep>,
}

thread_local! {
    static SLEEPS: RefCell<Sleeps> = RefCell::default();
}

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
        boxed(mauve::time::sleep(duration))
    }

    /// # Panics
    /// Panics if no loop runs on this thread.
    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        boxed(mauve::time::sleep_until(deadline))
    }

    fn reset(&self, sleep: &mut Pin<Box<dyn Sleep>>, deadline: Instant) {
        match sleep.as_mut().downcast_mut_pin::<MauveSleep>() {
            Some(sleep) => sleep.with(|sleep| sleep.reset(deadline)),
            None => *sleep = self.sleep_until(deadline),
        }
    }
}

/// Adds a sleep to the table.
fn boxed(sleep: mauve::Sleep) -> Pin<Box<dyn Sleep>> {
    let key = SLEEPS.with_borrow_mut(|sleeps| {
        let key = sleeps.next;
        sleeps.next += 1;
        sleeps.by_key.insert(key, sleep);
        key
    });
    Box::pin(MauveSleep { key, thread: thread::current().id() })
}

/// A sleep of [`MauveTimer`].
#[derive(Debug)]
pub struct MauveSleep {
    key: u64,
    thread: ThreadId,
}

impl MauveSleep {
    /// # Panics
    /// Panics on a thread other than that of the loop.
    fn with<R>(&self, operation: impl FnOnce(&mut mauve::Sleep) -> R) -> R {
        assert_eq!(self.thread, thread::current().id(), "this sleep belongs to another thread");
        let key = self.key;
        let sleep = SLEEPS.with_borrow_mut(|sleeps| sleeps.by_key.remove(&key));
        let mut sleep = sleep.expect("in the table until it is dropped");
        // No borrow is held: an operation may wake a task, or drop its waker.
        let result = operation(&mut sleep);
        SLEEPS.with_borrow_mut(|sleeps| sleeps.by_key.insert(key, sleep));
        result
    }
}

impl Future for MauveSleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        self.with(|sleep| Pin::new(sleep).poll(context))
    }
}

impl Sleep for MauveSleep {}

impl Drop for MauveSleep {
    fn drop(&mut self) {
        // On another thread, or while the thread exits, the table drops the sleep later.
        if self.thread == thread::current().id() {
            let remove = |sleeps: &RefCell<Sleeps>| sleeps.borrow_mut().by_key.remove(&self.key);
            let sleep = SLEEPS.try_with(remove);
            drop(sleep);
        }
    }
}
