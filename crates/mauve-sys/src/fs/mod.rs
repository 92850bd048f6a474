//! File system operations, one file for each family.
//!
//! Plain functions that block until they are done. A loop calls them on a thread of the pool, or
//! uses the non-blocking ones in [`nowait`] and [`read_batch`]. Paths are C strings, since that is
//! what both callers and the kernel have; descriptors are numbers, since they belong to the caller.
//! Calls that a signal interrupts are made again, except [`read_write::read`].

use std::os::fd::{BorrowedFd, RawFd};

use rustix::io::retry_on_intr;

use crate::{Errno, Result};

pub mod attributes;
pub mod cancellable;
pub mod copy;
pub mod directory;
pub mod links;
pub mod names;
pub mod nowait;
pub mod open;
pub mod read_batch;
pub mod read_write;
pub mod stat;
pub mod sync;
pub mod temporary;
pub mod times;
mod uring;
pub mod volume;

/// The caller's descriptor, for system calls that fail if it is none.
fn descriptor(fd: &RawFd) -> Result<BorrowedFd<'_>> {
    if *fd < 0 {
        return Err(Errno::EBADF);
    }
    // SAFETY: not -1. A number that is no open descriptor makes the system call fail, no more.
    Ok(unsafe { BorrowedFd::borrow_raw(*fd) })
}

/// Makes a system call until no signal interrupts it.
fn call<T>(call: impl FnMut() -> rustix::io::Result<T>) -> Result<T> {
    Ok(retry_on_intr(call)?)
}
