//! Sockets, names and addresses.
//!
//! Thin and safe: most functions are one or two system calls, and none touches a loop. What the
//! calls mean for a stream is decided in the engine. [`resolve`] blocks, so a loop calls it on a
//! thread of its pool.

pub mod address;
pub mod datagram;
pub mod idna;
pub mod interface;
mod message;
mod multicast;
mod options;
pub mod resolve;
mod socket;

pub use address::Address;
pub use message::*;
pub use multicast::*;
pub use options::*;
pub use socket::*;
