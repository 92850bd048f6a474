//! Spans and events of the crate `tracing`, with the feature of the same name.
//!
//! | target | span | while |
//! | --- | --- | --- |
//! | `mauve::loop` | `run` | a loop runs |
//! | `mauve::loop` | `callback` | the callback of a handle or a request runs |
//! | `mauve::task` | `task` | a task is polled or dropped; it is closed with the task |
//! | `mauve::task` | `block_on` | the future of a `block_on` is polled |
//! | `mauve::task` | `blocking` | a closure runs on the pool |
//!
//! Spans have the level `TRACE`. Those of tasks have the fields `loc.file` and `loc.line`. The events
//! of `mauve::task` are in the span of their task: `the task panicked` (`ERROR`), `the task was
//! aborted` (`DEBUG`) and `the task has used its budget` (`TRACE`).
//!
//! The other variant of this module, without the feature, has the same functions and no code.

use std::panic::Location;

use mauve_core::Phase;
use tracing::span::{Entered, EnteredSpan};
use tracing::{Span, debug, error, trace, trace_span};

use crate::targets::Report;

const TASK: &str = "mauve::task";
const LOOP: &str = "mauve::loop";

/// The span of a task.
pub(crate) struct TaskSpan(Span);

impl TaskSpan {
    pub fn task(location: &'static Location<'static>) -> Self {
        let (file, line) = (location.file(), location.line());
        Self(trace_span!(target: TASK, "task", loc.file = file, loc.line = line))
    }

    pub fn block_on(location: &'static Location<'static>) -> Self {
        let (file, line) = (location.file(), location.line());
        Self(trace_span!(target: TASK, "block_on", loc.file = file, loc.line = line))
    }

    /// Enters the span until the guard is dropped.
    #[inline]
    pub fn enter(&self) -> Entered<'_> {
        self.0.enter()
    }
}

/// A task has panicked.
pub(crate) fn panicked(error: &crate::JoinError) {
    error!(target: TASK, %error, "the task panicked");
}

/// A task was dropped before it completed.
pub(crate) fn aborted() {
    debug!(target: TASK, "the task was aborted");
}

/// A task has to yield.
pub(crate) fn budget_used() {
    trace!(target: TASK, "the task has used its budget");
}

/// The span of a run, entered.
pub(crate) type RunSpan = EnteredSpan;

/// Enters the span of a run.
pub(crate) fn enter_run() -> RunSpan {
    trace_span!(target: LOOP, "run").entered()
}

/// Enters the span of a callback. `phase` is called if the span is enabled.
#[inline]
pub(crate) fn enter_callback(
    completion: Report<'_>,
    phase: impl FnOnce() -> Option<Phase>,
) -> EnteredSpan {
    trace_span!(target: LOOP, "callback", phase = phase().map(tracing::field::debug), ?completion)
        .entered()
}

/// The same closure, in a span that is a child of the current one.
pub(crate) fn blocking<T>(
    work: impl FnOnce() -> T + Send + 'static,
) -> impl FnOnce() -> T + Send + 'static {
    let span = trace_span!(target: TASK, "blocking");
    move || span.in_scope(work)
}
