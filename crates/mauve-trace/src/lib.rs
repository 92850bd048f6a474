//! Traces of mauve's event loops.
//!
//! A traced program writes fixed-size [records](record) to a ring for each thread, in memory that it
//! shares with a reader. With the feature `report`, a reader turns them into a [`Trace`]: a plain
//! [model] of iterations, phases, waits, callbacks, requests and wake-ups.

#![forbid(unsafe_code)]

#[cfg(feature = "report")]
pub mod analysis;
#[cfg(feature = "report")]
mod builder;
#[cfg(feature = "report")]
pub mod format;
pub mod generated;
#[cfg(feature = "report")]
pub mod html;
#[cfg(feature = "report")]
pub mod json;
#[cfg(feature = "report")]
mod lanes;
pub mod layout;
#[cfg_attr(not(feature = "report"), path = "no_lines.rs")]
mod lines;
#[cfg(feature = "report")]
pub mod model;
mod name;
#[cfg(feature = "report")]
pub mod reader;
pub mod record;
mod recorder;
mod ring;
mod sampler;
pub mod simulation;
mod stack;
#[cfg(feature = "report")]
mod stacks;
#[cfg(feature = "report")]
pub mod summary;
mod symbols;
#[cfg(any(feature = "synthetic", all(test, feature = "report")))]
pub mod synthetic;
#[cfg(feature = "report")]
mod table;
#[cfg(feature = "report")]
pub mod unwind;
mod wakeups;
pub mod watchdog;

#[cfg(feature = "report")]
pub use model::Trace;
pub use name::Name;
#[cfg(feature = "report")]
pub use reader::Reader;
pub use recorder::{VARIABLE, install, register_name, registered_name};
pub use symbols::Symbols;
