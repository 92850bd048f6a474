//! What depends on the system in functions that are otherwise the same.

#[cfg(not(windows))]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(not(windows))]
pub(crate) use unix::*;
#[cfg(windows)]
pub(crate) use windows::*;
