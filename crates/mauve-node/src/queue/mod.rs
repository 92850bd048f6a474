//! Node's part of the event loop without JavaScript: ticks, immediates and timer lists.
//!
//! Like the engine of mauve, these types never call back. They own the queues and *yield* what runs
//! next. The host runs it, with no borrow held, and then requests the next step. A callback may
//! therefore add to any queue, cancel anything, and throw.
//!
//! ```
//! use mauve_node::queue::{DrainStep, TickQueue};
//!
//! let mut queue = TickQueue::default();
//! queue.push("tick");
//! let mut microtasks = vec!["microtask"];
//! let mut order = Vec::new();
//! loop {
//!     match queue.next_step() {
//!         DrainStep::Tick(name) => order.push(name),
//!         DrainStep::Microtasks => {
//!             for name in microtasks.drain(..) {
//!                 order.push(name);
//!                 queue.push("tick of the microtask");
//!             }
//!         }
//!         DrainStep::Rejections => {}
//!         DrainStep::Done => break,
//!     }
//! }
//! assert_eq!(order, ["tick", "microtask", "tick of the microtask"]);
//! ```

mod immediates;
mod ticks;
mod timers;

pub use immediates::{ImmediateKey, ImmediateStep, Immediates};
pub use ticks::{DrainStep, TickQueue};
pub use timers::{DueTimer, Schedule, TimerKey, TimerStep, Timers};
