//! Cancellation of reads and writes that wait, which libuv does not have on Windows.

use std::convert::Infallible;

use crate::Result;
use crate::descriptor::RawDescriptor;

/// What an operation waits for.
#[derive(Debug, Clone, Copy)]
pub enum Direction {
    /// Data, or the end of it.
    Read,
    /// Space.
    Write,
}

/// The wait of an operation that can be cancelled. There is no value of this type.
#[derive(Debug)]
pub struct Interrupt(Infallible);

impl Interrupt {
    /// `None`: the operation waits where it cannot be cancelled.
    pub fn for_descriptor(_: RawDescriptor) -> Option<Self> {
        None
    }

    /// Not called.
    pub fn wait(&self, _: RawDescriptor, _: Direction) -> Result<()> {
        match self.0 {}
    }

    /// Not called.
    pub fn cancel(&self) -> bool {
        match self.0 {}
    }
}
