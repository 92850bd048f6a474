//! Systems without io_uring.

use crate::Result;
use crate::descriptor::RawDescriptor;
use crate::fs::read_write::{IoVec, Position};

/// There is no value of this type.
pub enum Uring {}

impl Uring {
    pub fn open() -> Option<Self> {
        None
    }

    /// Replaces nothing, in a test of a broken io_uring.
    #[cfg(test)]
    pub fn replace_descriptor(&self, _: &std::fs::File) {
        match *self {}
    }

    pub fn is_full(&self) -> bool {
        match *self {}
    }

    /// # Safety
    /// Safe to call; on Linux the memory must stay valid until the next `run`.
    pub unsafe fn push(&mut self, _: (usize, RawDescriptor, Position), _: IoVec, _count: usize) {
        match *self {}
    }

    pub fn run(&mut self, _: impl FnMut(usize, Result<usize>)) -> bool {
        match *self {}
    }
}
