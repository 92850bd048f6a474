//! What mauve is measured with.
//!
//! * [`load`] has load generators: each starts the server that it is told, keeps it busy over
//!   loopback, and prints what that has cost the server.
//! * [`server`] has servers on mauve's Rust API, and one that makes bare system calls.
//! * [`work`] has what runs in one process: timers, wake-ups, the pool, files, children.
//!
//! `mauve bench` uses these as they are; `cargo xtask bench` puts libuv, tokio and io_uring beside
//! them. A figure is always CPU time of the measured process per operation, because that is what a
//! busy machine disturbs least; time that has passed stands next to it.

#![forbid(unsafe_code)]

pub mod cpu;
pub mod load;
mod sample;
pub mod server;
pub mod work;

pub use sample::{Sample, Stopwatch};
