//! The layouts of the types, as numbers: generated files.

#[cfg(not(windows))]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(not(windows))]
pub(crate) use unix::*;
#[cfg(windows)]
pub(crate) use windows::*;
