//! Copying files with `sendfile`.

use std::os::fd::OwnedFd;

pub(crate) use crate::fs::copy::copy_opened as copy_file;
pub(crate) use crate::platform::send::send;
use crate::{Errno, Result};

/// Files cannot share blocks.
pub(crate) fn clone(_to: &OwnedFd, _from: &OwnedFd) -> Result<()> {
    Err(Errno::ENOSYS)
}
