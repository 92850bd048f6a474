//! The descriptor of the waker on macOS and the BSDs: the kqueue of the selector, with a user event.

use std::os::fd::{AsRawFd, BorrowedFd};

use crate::Result;
use crate::kqueue::{self, Action, Filter};
use crate::waker::WakerFds;

/// The identifier of the user event. Those of other filters are separate.
const IDENT: usize = 0;

pub(crate) fn open() -> Result<WakerFds> {
    let fd = kqueue::open()?;
    // Edge-triggered, so that an event is reported once.
    let change = kqueue::change(IDENT, Filter::User, Action::AddEdge, 0)?;
    kqueue::apply(fd.as_raw_fd(), &change)?;
    Ok(WakerFds { fd, read_end: None })
}

/// Ends a wait. Async-signal-safe.
pub(crate) fn notify(fd: BorrowedFd<'_>) {
    // Cannot fail: `open` has added the event.
    let _ = kqueue::trigger(fd.as_raw_fd(), IDENT);
}
