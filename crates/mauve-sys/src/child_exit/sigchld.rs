//! Systems without exit descriptors: `SIGCHLD` notifies of all exits.

use std::os::fd::{AsFd, BorrowedFd};

use crate::Result;
use crate::child_exit::ExitStatus;

/// There is no value of this type.
#[derive(Debug)]
pub(crate) enum ExitDescriptor {}

impl ExitDescriptor {
    /// Whether the selector can wait for it.
    pub fn is_usable() -> bool {
        false
    }

    pub fn open(_pid: i32) -> Option<Self> {
        None
    }

    pub fn kill(&self, _signal: i32) -> Result<()> {
        match *self {}
    }

    pub fn exit(&self) -> Option<ExitStatus> {
        match *self {}
    }
}

impl AsFd for ExitDescriptor {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match *self {}
    }
}
