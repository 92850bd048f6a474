//! Sockets.
//!
//! Thin and safe: each function is one or two system calls. What the calls mean for a stream is
//! decided in the engine.

mod address;
mod message;
mod options;
mod socket;

pub use address::Address;
pub use message::{receive_with_descriptors, send_with_descriptor};
pub use options::*;
pub use socket::*;
