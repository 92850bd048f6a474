//! Sockets, socket addresses and name resolution.
//!
//! Safe wrappers: most functions make one or two system calls, and none uses a loop. The functions
//! of [`resolve`] block, so a loop calls them on a thread of its pool.

pub mod address;
pub mod datagram;
mod idna;
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
