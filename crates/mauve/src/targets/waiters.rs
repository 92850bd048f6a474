//! Tasks that wait for one direction of a socket together with others.
//!
//! A future that is dropped removes its waker. The key of a task stays until the next event, because
//! it is listed once at most. A `poll_*` method cannot know when its caller loses interest, so wakers
//! are swept: see [`Waiters::add`].

use std::task::{Context, RawWakerVTable, Waker};

use super::WakeTarget;
use crate::task::TaskKey;

/// The waiters of a direction, except the first.
#[derive(Default)]
pub(super) struct Waiters {
    pub list: Vec<Waiter>,
    /// The list is swept when it has this length, or [`MIN_SWEEP`].
    sweep_at: usize,
}

pub(super) struct Waiter {
    pub target: WakeTarget,
    interested: Interested,
}

/// Whether a waker is known to belong to a future that still waits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Interested {
    /// It was registered after the last sweep.
    Unknown,
    /// The last sweep has woken it, and it was not registered again.
    No,
    /// It was registered again after the last sweep.
    Yes,
}

/// A shorter list is not swept.
const MIN_SWEEP: usize = 32;

/// What a sweep leaves to be done when no borrow is held, because wakers are foreign code.
#[derive(Default)]
pub(super) struct Sweep {
    woken: Vec<Waker>,
    removed: Vec<Waiter>,
}

impl Sweep {
    pub fn finish(self) {
        self.woken.into_iter().for_each(Waker::wake);
        drop(self.removed);
    }
}

impl Waiters {
    /// Adds a waiter, unless it is listed.
    ///
    /// A long list is swept: all its wakers are woken, and those that are not registered again are
    /// removed by the next sweep. So the list is at most about three times as long as the number of
    /// futures that wait, even if every poll has another waker and no event arrives.
    pub fn add(&mut self, task: Option<TaskKey>, context: &Context<'_>) -> Sweep {
        let mut listed = self.list.iter_mut();
        if let Some(listed) = listed.find(|waiter| waiter.target.is_of(task, context)) {
            if listed.interested == Interested::No {
                listed.interested = Interested::Yes;
            }
            return Sweep::default();
        }
        let is_long = self.list.len() >= self.sweep_at.max(MIN_SWEEP);
        let sweep = if is_long { self.sweep() } else { Sweep::default() };
        let target = WakeTarget::new(task, context);
        self.list.push(Waiter { target, interested: Interested::Unknown });
        sweep
    }

    fn sweep(&mut self) -> Sweep {
        let is_stale = |waiter: &mut Waiter| waiter.interested == Interested::No;
        let removed = self.list.extract_if(.., is_stale).collect();
        let mut woken = Vec::new();
        let mut waiting = 0;
        for Waiter { target, interested } in &mut self.list {
            if let WakeTarget::Waker(waker) = target {
                waiting += usize::from(*interested == Interested::Yes);
                *interested = Interested::No;
                woken.push(waker.clone());
            }
        }
        self.sweep_at = self.list.len() + waiting.max(MIN_SWEEP);
        Sweep { woken, removed }
    }
}

/// Identifies a waker without keeping it. If the waker is dropped, another one may have the same parts.
#[derive(Clone, Copy)]
pub(crate) struct WakerParts(*const (), &'static RawWakerVTable);

impl WakerParts {
    pub fn new(waker: &Waker) -> Self {
        Self(waker.data(), waker.vtable())
    }

    pub(super) fn are_of(self, target: &WakeTarget) -> bool {
        match target {
            WakeTarget::Task(_) => false,
            WakeTarget::Waker(waker) => {
                waker.data() == self.0 && std::ptr::eq(waker.vtable(), self.1)
            }
        }
    }
}
