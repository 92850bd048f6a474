//! Names and addresses: text to address and back, host names, interfaces.
//!
//! Nothing in here touches a loop. [`resolve`] blocks, so a loop calls it on a thread of its pool.

pub mod address;
pub mod idna;
pub mod interface;
pub mod resolve;

pub use address::Address;
