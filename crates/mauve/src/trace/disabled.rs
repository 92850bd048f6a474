//! The variant of this module without the feature `tracing`: the same functions, and no code.

use std::panic::Location;

use mauve_core::Phase;

use crate::targets::Report;

pub(crate) struct TaskSpan;

/// A span that is entered.
pub(crate) struct Entered;

/// As the guards of `tracing`, so that both variants are used in the same way.
impl Drop for Entered {
    #[inline(always)]
    fn drop(&mut self) {}
}

impl TaskSpan {
    #[inline(always)]
    pub fn task(_: &'static Location<'static>) -> Self {
        Self
    }

    #[inline(always)]
    pub fn block_on(_: &'static Location<'static>) -> Self {
        Self
    }

    #[inline(always)]
    pub fn enter(&self) -> Entered {
        Entered
    }
}

#[inline(always)]
pub(crate) fn panicked(_: &crate::JoinError) {}

#[inline(always)]
pub(crate) fn aborted() {}

#[inline(always)]
pub(crate) fn budget_used() {}

pub(crate) type RunSpan = Entered;

#[inline(always)]
pub(crate) fn enter_run() -> Entered {
    Entered
}

#[inline(always)]
pub(crate) fn enter_callback(_: Report<'_>, _: impl FnOnce() -> Option<Phase>) -> Entered {
    Entered
}

#[inline(always)]
pub(crate) fn blocking<T>(
    work: impl FnOnce() -> T + Send + 'static,
) -> impl FnOnce() -> T + Send + 'static {
    work
}
