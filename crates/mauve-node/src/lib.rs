//! Node's part of the event loop, on mauve.
//!
//! libuv decides when a callback runs. Node decides what runs *between* callbacks: ticks,
//! microtasks, and its own timers and immediates. [`queue`] implements that without a script
//! engine. [`run`](fn@run) adds JavaScript: QuickJS with Node's globals and modules on one loop.

// Module docs link to private modules, for maintainers.
#![allow(rustdoc::private_intra_doc_links)]
#![forbid(unsafe_code)]

mod binding;
mod builtin;
mod flags;
mod host;
mod http;
mod json;
pub mod queue;

pub use flags::CommandLine;
pub use host::{Options, run};
