//! Systems without multicast groups for the datagrams of one source.

use std::net::Ipv6Addr;
use std::os::fd::BorrowedFd;

use crate::{Errno, Result};

/// `ENOSYS`: the system has no such groups.
pub fn set_source_v4(_: BorrowedFd<'_>, _: [libc::in_addr; 3], _join: bool) -> Result<()> {
    Err(Errno::ENOSYS)
}

/// `ENOSYS`: the system has no such groups.
pub fn set_source_v6(
    _: BorrowedFd<'_>,
    _: [Ipv6Addr; 2],
    _interface: u32,
    _join: bool,
) -> Result<()> {
    Err(Errno::ENOSYS)
}
