//! Node's part of the event loop without JavaScript: ticks, microtasks, immediates and timer lists.
//!
//! Like the engine of mauve, these types never call back. They own the queues and *yield* what runs
//! next. The host runs it, with no borrow held, and then requests the next step. A callback may
//! therefore add to any queue, cancel anything, and throw.
//!
//! ```
//! use mauve_node::queue::{DrainStep, TickQueue};
//!
//! let mut queue = TickQueue::new();
//! queue.tick("tick");
//! queue.microtask("microtask");
//! let mut order = Vec::new();
//! loop {
//!     match queue.next_step() {
//!         DrainStep::Tick(name) | DrainStep::Microtask(name) => {
//!             order.push(name);
//!             if name == "microtask" {
//!                 queue.tick("tick of the microtask");
//!                 queue.microtask("second microtask");
//!             }
//!         }
//!         DrainStep::Checkpoint | DrainStep::Rejections => {}
//!         DrainStep::Done => break,
//!     }
//! }
//! assert_eq!(order, ["tick", "microtask", "second microtask", "tick of the microtask"]);
//! ```

mod immediates;
mod ticks;
mod timer_slab;
mod timers;

pub use immediates::{ImmediateKey, Immediates};
pub use ticks::{DrainStep, TickQueue};
pub use timers::{DueTimer, Schedule, TimerKey, Timers};
