//! The parker: blocks a loop that has no descriptor registered with its selector.
//!
//! Such a loop only waits for its [`Waker`](crate::waker::Waker). It blocks on a futex, which costs
//! the loop and the notifying thread less than an eventfd.
//!
//! # Protocol
//!
//! The state of the parker decides how a notification is delivered. The loop changes it between
//! [`RUNNING`] and [`PARKED`]; any thread changes it to `NOTIFIED`.
//!
//! * `RUNNING`: the loop is not blocked on the futex. It runs callbacks, waits in its selector, or is
//!   not run at all. The notifying thread writes to the waker's descriptor, so that an event loop
//!   that embeds the selector sees the notification, too.
//! * `PARKED`: the loop is blocked on the futex, or about to be. The notifying thread wakes the futex.
//! * `NOTIFIED`: there is a notification that the loop has not taken. Further ones change nothing.
//!
//! The loop takes a notification by changing `NOTIFIED` to `RUNNING`. An event of the waker's
//! descriptor without a notification is stale: the loop took it before the descriptor was written.
//!
//! Each change is an atomic exchange with acquire and release ordering. So everything that a thread
//! wrote before it notified is visible to the loop that takes the notification.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

cfg_if::cfg_if! {
    if #[cfg(any(target_os = "linux", target_os = "android"))] {
        mod futex;
        use futex as system;
    } else if #[cfg(windows)] {
        mod wait_on_address;
        use wait_on_address as system;
    } else {
        mod none;
        use none as system;
    }
}

pub(crate) use system::AVAILABLE;

/// The loop is not blocked on the futex.
pub const RUNNING: u32 = 0;
/// The loop is blocked on the futex, or about to be.
pub const PARKED: u32 = 1;
/// There is a notification that the loop has not taken.
const NOTIFIED: u32 = 2;

/// The state, which is stored in the futex.
#[derive(Debug)]
pub(crate) struct Parker(State<AtomicU32>);

/// What an unparking thread has to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnparkAction {
    Nothing,
    WriteDescriptor,
    WakeFutex,
}

impl Parker {
    pub const fn new() -> Self {
        Self(State(AtomicU32::new(RUNNING)))
    }

    /// Stores a notification. Returns what the caller has to do.
    #[inline]
    pub fn unpark(&self) -> UnparkAction {
        self.0.unpark()
    }

    /// Wakes the loop, as [`unpark`](Self::unpark) has demanded.
    pub fn wake(&self) {
        system::wake(self.futex());
    }

    /// Blocks until there is a notification, for at most `timeout`, or indefinitely if it is
    /// `None`. Takes the notification and returns whether there was one. Returns early if
    /// `embedded` is set, and may return spuriously. A cancellation point.
    pub fn park(&self, timeout: Option<Duration>, embedded: &AtomicBool) -> bool {
        if self.0.park() && !embedded.load(Ordering::Relaxed) {
            system::wait(self.futex(), PARKED, timeout);
        }
        self.0.end_park()
    }

    /// Wakes a parked loop without a notification.
    pub fn interrupt(&self) {
        if self.0.interrupt() {
            system::wake(self.futex());
        }
    }

    /// Whether there is a notification.
    #[inline]
    pub fn is_notified(&self) -> bool {
        self.0.is_notified()
    }

    /// Takes the notification, if there is one.
    #[inline]
    pub fn take(&self) -> bool {
        self.0.take()
    }

    /// Leaves the parked state, even if the parked thread was cancelled. Takes the notification and
    /// returns whether there was one.
    pub fn end_park(&self) -> bool {
        self.0.end_park()
    }

    /// The futex, which `mauve why` reads from another process.
    pub fn futex(&self) -> &AtomicU32 {
        &self.0.0
    }
}

/// The state transitions, generic over the atomic so that loom can check them.
#[derive(Debug)]
struct State<A>(A);

/// An atomic integer: that of the standard library, or that of loom.
trait AtomicState {
    fn get(&self) -> u32;
    fn swap(&self, new: u32) -> u32;
    /// Replaces `old` by `new`. Returns whether the value was `old`.
    fn change(&self, old: u32, new: u32) -> bool;
    /// A sequentially consistent fence.
    fn fence();
}

macro_rules! impl_atomic_state {
    ($library:ident) => {
        impl AtomicState for $library::sync::atomic::AtomicU32 {
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

impl_atomic_state!(std);

impl<A: AtomicState> State<A> {
    #[inline(always)]
    fn unpark(&self) -> UnparkAction {
        match self.0.swap(NOTIFIED) {
            RUNNING => UnparkAction::WriteDescriptor,
            PARKED => UnparkAction::WakeFutex,
            _ => UnparkAction::Nothing,
        }
    }

    /// Enters the parked state. Returns false if there is a notification.
    fn park(&self) -> bool {
        let parks = self.0.change(RUNNING, PARKED) || self.0.get() == PARKED;
        A::fence();
        parks
    }

    #[inline(always)]
    fn end_park(&self) -> bool {
        self.0.swap(RUNNING) == NOTIFIED
    }

    #[inline(always)]
    fn is_notified(&self) -> bool {
        self.0.get() == NOTIFIED
    }

    #[inline(always)]
    fn take(&self) -> bool {
        self.is_notified() && self.end_park()
    }

    fn interrupt(&self) -> bool {
        A::fence();
        self.0.change(PARKED, RUNNING)
    }
}

#[cfg(all(test, loom))]
mod model;
