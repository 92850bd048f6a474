//! Traces of mauve's event loops.
//!
//! A traced program writes fixed-size [records](record) to a ring for each thread, in memory that it
//! shares with a reader. With the feature `report`, a reader turns them into a [`Trace`]: a plain
//! [model] of iterations, phases, waits, callbacks, requests and wake-ups.

#![forbid(unsafe_code)]

#[cfg(feature = "report")]
pub mod model;
pub mod record;
#[cfg(feature = "report")]
pub mod synthetic;

#[cfg(feature = "report")]
pub use model::Trace;
