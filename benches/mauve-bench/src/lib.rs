//! The benchmarks of mauve.
//!
//! * [`load`] has load generators: each starts a server, sends requests over loopback, and reports
//!   the cost for the server.
//! * [`server`] has servers on mauve's Rust API.
//! * [`flood`] measures how a loop shares its time between an always ready socket and a timer.
//! * [`memory`] measures the memory of idle connections.
//! * [`work`] has workloads of one process: timers, wake-ups, the pool, files, datagrams.
//!
//! `cargo xtask bench` (`benches/compare`) compares them with libuv and tokio. The figure is CPU time of
//! the measured process per operation, because other load on the machine affects it least. Elapsed time
//! is reported too.

#![forbid(unsafe_code)]

pub mod cpu;
pub mod flood;
pub mod load;
pub mod memory;
mod sample;
pub mod server;
pub mod work;

pub use sample::{Sample, Stopwatch};
