//! The instructions that redirect a function: a short jump at its beginning, and a long one near the
//! object that it leads to.
//!
//! An architecture is a file with these names: `LONG`, the size of a long jump; `REACH`, how far a short
//! one leads; `long` and `short`, which return instructions; `flush`, after they were written.

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(not(any(target_arch = "aarch64", target_arch = "x86_64")))]
mod other;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(target_arch = "aarch64")]
pub use aarch64::{LONG, REACH, flush, long, short};
#[cfg(not(any(target_arch = "aarch64", target_arch = "x86_64")))]
pub use other::{LONG, REACH, flush, long, short};
#[cfg(target_arch = "x86_64")]
pub use x86_64::{LONG, REACH, flush, long, short};
