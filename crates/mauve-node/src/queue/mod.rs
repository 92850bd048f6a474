//! The queues that decide what runs between the callbacks of a loop, and when: Node's half of the
//! event loop, without any JavaScript in it.
//!
//! Like the engine below, the layer never calls anybody. It owns the queues and *yields* what is
//! to run next; whoever drives it runs that, with no borrow of the layer held, and asks again. So
//! a callback may add to any queue, cancel anything, and throw.
//!
//! ```
//! use mauve_node::queue::{Between, Layer};
//!
//! let mut layer = Layer::new();
//! layer.tick("tick");
//! layer.microtask("microtask");
//! let mut order = Vec::new();
//! loop {
//!     match layer.between() {
//!         Between::Tick(name) | Between::Microtask(name) => {
//!             order.push(name);
//!             if name == "microtask" {
//!                 layer.tick("tick of the microtask");
//!                 layer.microtask("second microtask");
//!             }
//!         }
//!         Between::Checkpoint | Between::Rejections => {}
//!         Between::Done => break,
//!     }
//! }
//! assert_eq!(order, ["tick", "microtask", "second microtask", "tick of the microtask"]);
//! ```

mod between;
mod immediates;
mod slots;
mod timers;

pub use between::{Between, Layer};
pub use immediates::{ImmediateKey, Immediates};
pub use timers::{Due, Schedule, TimerKey, Timers};
