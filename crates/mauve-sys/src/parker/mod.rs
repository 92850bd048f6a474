//! Where a loop sleeps that has registered nothing with its selector.
//!
//! Such a loop only waits for its [`Waker`](crate::waker::Waker). It sleeps on a futex, which costs
//! the loop and the notifying thread a good deal less than a descriptor.
//!
//! # Protocol
//!
//! The state says where a notification has to go. The loop changes it between [`RUNNING`] and
//! [`PARKED`]; any thread changes it to [`NOTIFIED`].
//!
//! * `RUNNING`: the loop does not sleep on the futex. It runs, or waits in its selector, or no run
//!   is going on. A notifying thread writes to the waker's descriptor, so that the notification is
//!   visible to everything that watches the selector, too.
//! * `PARKED`: the loop sleeps on the futex, or is about to. A notifying thread wakes the futex.
//! * `NOTIFIED`: there is a notification that the loop has not taken. More of them change nothing.
//!
//! The loop takes a notification by changing `NOTIFIED` to `RUNNING`. An event of the descriptor
//! without one is stale: the loop had taken the notification before the descriptor was written.
//!
//! Each change is an atomic exchange, so whatever a thread wrote before it notifies is visible to
//! the loop that takes the notification.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::platform;

pub(crate) mod futex;

/// See the module.
pub const RUNNING: u32 = 0;
/// See the module.
pub const PARKED: u32 = 1;
/// See the module.
pub const NOTIFIED: u32 = 2;

/// The state, on the futex that the loop sleeps on.
#[derive(Debug)]
pub(crate) struct Parker(State<AtomicU32>);

/// What a notifying thread has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    Nothing,
    WriteDescriptor,
    WakeFutex,
}

impl Parker {
    pub const fn new() -> Self {
        Self(State(AtomicU32::new(RUNNING)))
    }

    /// Notifies the loop. Returns whether its descriptor has to be written to.
    #[inline]
    pub fn notify(&self) -> bool {
        let then = self.0.notify();
        if then == Then::WakeFutex {
            platform::futex::wake(self.futex());
        }
        then == Then::WriteDescriptor
    }

    /// Sleeps until there is a notification, for `timeout` milliseconds at most, or for ever if it
    /// is `None`. Does not sleep if `unwanted` is set once the loop counts as parked. Returns whether
    /// there is a notification, which is taken. May return early. A cancellation point.
    pub fn park(&self, timeout: Option<u32>, unwanted: &AtomicBool) -> bool {
        if self.0.park() && !unwanted.load(Ordering::Relaxed) {
            platform::futex::wait(self.futex(), PARKED, timeout);
        }
        self.0.finish()
    }

    /// Ends the sleep of a parked loop without a notification.
    pub fn interrupt(&self) {
        if self.0.interrupt() {
            platform::futex::wake(self.futex());
        }
    }

    /// Takes the notification, if there is one.
    #[inline]
    pub fn take(&self) -> bool {
        self.0.take()
    }

    /// The loop does not sleep here any more, whatever became of its last sleep. Takes the
    /// notification, if there is one.
    pub fn finish(&self) -> bool {
        self.0.finish()
    }

    /// For inspection from another process.
    pub fn futex(&self) -> &AtomicU32 {
        &self.0.0
    }
}

#[derive(Debug)]
struct State<A>(A);

/// A number that threads share: the standard library's, or a model's.
trait Shared {
    fn get(&self) -> u32;
    fn swap(&self, new: u32) -> u32;
    /// Changes `old` to `new`. Returns whether it was `old`.
    fn change(&self, old: u32, new: u32) -> bool;
    /// Orders everything before it and everything after it, for every thread that does the same.
    fn fence();
}

macro_rules! shared {
    ($library:ident) => {
        impl Shared for $library::sync::atomic::AtomicU32 {
            #[inline(always)]
            fn get(&self) -> u32 {
                self.load(Ordering::Relaxed)
            }

            #[inline(always)]
            fn swap(&self, new: u32) -> u32 {
                self.swap(new, Ordering::AcqRel)
            }

            #[inline(always)]
            fn change(&self, old: u32, new: u32) -> bool {
                self.compare_exchange(old, new, Ordering::AcqRel, Ordering::Relaxed).is_ok()
            }

            #[inline(always)]
            fn fence() {
                $library::sync::atomic::fence(Ordering::SeqCst);
            }
        }
    };
}

shared!(std);

impl<A: Shared> State<A> {
    #[inline(always)]
    fn notify(&self) -> Then {
        match self.0.swap(NOTIFIED) {
            RUNNING => Then::WriteDescriptor,
            PARKED => Then::WakeFutex,
            _ => Then::Nothing,
        }
    }

    /// The loop is going to sleep. Returns false if there is a notification.
    fn park(&self) -> bool {
        let parks = self.0.change(RUNNING, PARKED) || self.0.get() == PARKED;
        A::fence();
        parks
    }

    #[inline(always)]
    fn finish(&self) -> bool {
        self.0.swap(RUNNING) == NOTIFIED
    }

    #[inline(always)]
    fn take(&self) -> bool {
        self.0.get() == NOTIFIED && self.finish()
    }

    fn interrupt(&self) -> bool {
        A::fence();
        self.0.change(PARKED, RUNNING)
    }
}

#[cfg(all(test, loom))]
mod model;
