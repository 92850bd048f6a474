//! mauve's engine: libuv's event loop as a state machine.
//!
//! The engine owns all state and *yields completions*; it never calls back. Its host takes the next
//! [`Step`], runs its callback with no borrow of the engine held, and takes the next one:
//!
//! ```
//! use mauve_core::{Engine, Mode, Step, Token};
//!
//! let mut engine = Engine::new(mauve_sys::driver::Platform::new()?, Default::default())?;
//! let timer = engine.open_timer(Token(7));
//! engine.timer(timer).unwrap().start(1, 0)?;
//!
//! let mut fired = Vec::new();
//! let alive = loop {
//!     match engine.next(Mode::Default)? {
//!         Step::Call(completion) => println!("{completion:?}"),
//!         Step::Hooks(batch) => {
//!             while let Some(token) = batch.next(&mut engine) {
//!                 fired.push(token);
//!             }
//!         }
//!         Step::Work(batch) => while batch.next(&mut engine).is_some() {},
//!         Step::Done { alive } => break alive,
//!     }
//! };
//! assert_eq!(fired, [Token(7)]);
//! assert!(!alive);
//! # Ok::<(), mauve_sys::Errno>(())
//! ```
//!
//! A callback may therefore close, stop or start any handle, its own included: no engine function is
//! on the stack. The engine is testable without sleeping, because the clock and the events come from
//! a [`Driver`](mauve_sys::driver::Driver) that a test replaces.
//!
//! [`run`] has the order of the phases, `phase/` one file for each, `handle/` the kinds of handle, and
//! [`pool`] the thread pool.

// Module docs link to private modules, for maintainers.
#![allow(rustdoc::private_intra_doc_links)]
#![forbid(unsafe_code)]

mod arena;
pub mod clock;
mod completion;
mod engine;
mod gate;
mod growth;
pub mod handle;
mod id;
mod metrics;
mod nested;
pub mod phase;
pub mod pool;
pub mod probe;
mod registration;
pub mod request;
pub mod run;
pub mod schedule;
mod sequence;
mod slab;
pub mod slots;
mod sort;
mod sync;
mod table;
pub mod trace;
pub mod unwind;
pub mod wakeups;
mod wheel;
pub mod why;

pub use completion::{Completion, WorkCompletion};
pub use engine::Engine;
pub use id::{HandleId, HandleKind, RequestId, Token};
pub use metrics::{IdleTime, LoopCounters};
pub use phase::Phase;
pub use run::{HookBatch, Mode, Step, WorkBatch};
