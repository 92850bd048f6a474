//! Systems without io_uring.

use std::os::fd::RawFd;

use crate::Result;
use crate::fs::read_write::{IoVec, Position};

/// There is no value of this type.
pub enum Uring {}

impl Uring {
    pub fn open() -> Option<Self> {
        None
    }

    pub fn is_full(&self) -> bool {
        match *self {}
    }

    /// # Safety
    /// Safe to call; on Linux the memory must stay valid until the next `run`.
    pub unsafe fn push(&mut self, _: (usize, RawFd, Position), _: IoVec, _count: usize) {
        match *self {}
    }

    pub fn run(&mut self, _: impl FnMut(usize, Result<usize>)) -> bool {
        match *self {}
    }
}
