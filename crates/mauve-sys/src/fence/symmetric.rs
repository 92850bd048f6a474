//! The pair of fences on systems without `membarrier`: both are full fences.

pub use super::{full as heavy, full as light};

/// Needs no preparation.
pub fn prepare() {}
