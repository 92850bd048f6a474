//! Tests of the engine with a simulated clock and simulated events, so that no test sleeps.
//!
//! * [`fake`]: a driver whose clock and events the test controls.
//! * [`real`] and [`model`]: run a [`script`] on the engine, and on a simple reference model.
//!   [`random`] compares the two on random scripts.
//! * [`platform`]: the engine on the driver of this system.
//! * [`sockets`]: random operations on streams and datagram sockets.
//! * [`files`]: inline file operations have the same results as those of the pool.
//! * The other files test single rules, one part of the engine each.

mod asyncs;
mod clock;
mod fake;
#[cfg(unix)]
mod files;
mod harness;
mod hooks;
mod model;
mod nested;
mod overwritten;
mod platform;
mod polls;
mod random;
mod real;
mod runs;
#[cfg(unix)]
mod schedule;
mod script;
#[cfg(unix)]
mod sockets;
#[cfg(unix)]
mod streams;
mod timers;
mod why;
mod works;
