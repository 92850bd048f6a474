//! Threads, locks, semaphores, condition variables and barriers of `uv.h`.
//!
//! Functions that return nothing cannot report an error. As in libuv they abort, because continuing
//! without the lock would be worse.

mod affinity;
mod identity;
#[cfg(not(windows))]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(not(windows))]
use unix::from_c;
#[cfg(windows)]
use windows::from_c;
