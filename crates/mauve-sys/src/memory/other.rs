//! Memory on systems other than Linux.

use std::os::fd::BorrowedFd;

/// Allocates the blocks of a file: not supported by the system.
pub(super) fn allocate(_: BorrowedFd<'_>, _size: u64) -> rustix::io::Result<()> {
    Err(rustix::io::Errno::OPNOTSUPP)
}

/// Reads from an address of this process into `buffer`. `None`: the system does not support it.
pub fn probe_memory(_address: u64, _buffer: &mut [u64]) -> Option<bool> {
    None
}
