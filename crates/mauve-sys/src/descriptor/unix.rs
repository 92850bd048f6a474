//! On Unix, all of them are file descriptors.

use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, IntoRawFd, OwnedFd, RawFd};
use std::sync::atomic::AtomicI32;

/// The number of a descriptor that its owner may close at any time.
pub type RawDescriptor = RawFd;

/// A descriptor of any type.
pub type Descriptor = OwnedFd;
/// A borrowed [`Descriptor`].
pub type BorrowedDescriptor<'a> = BorrowedFd<'a>;

/// A stream or datagram socket.
pub type Socket = OwnedFd;
/// A borrowed [`Socket`].
pub type BorrowedSocket<'a> = BorrowedFd<'a>;

/// One end of a pipe, or a local socket that serves as one.
pub type Pipe = OwnedFd;
/// A borrowed [`Pipe`].
pub type BorrowedPipe<'a> = BorrowedFd<'a>;

/// A terminal.
pub type Terminal = OwnedFd;

/// The value of a [`RawDescriptor`] that is not open.
pub const CLOSED: RawDescriptor = -1;

/// A [`RawDescriptor`] that several threads replace.
pub(crate) type AtomicDescriptor = AtomicI32;

/// Takes ownership of a descriptor.
///
/// # Safety
/// It is open, and nothing else owns or closes it.
pub(crate) unsafe fn from_raw(raw: RawDescriptor) -> Descriptor {
    // SAFETY: the caller promises that it is open and not owned elsewhere.
    unsafe { OwnedFd::from_raw_fd(raw) }
}

/// Gives up ownership of a descriptor, which stays open.
pub fn into_raw(descriptor: Descriptor) -> RawDescriptor {
    descriptor.into_raw_fd()
}

/// Access to a descriptor, whatever owns it.
pub trait AsDescriptor {
    /// Borrows the descriptor.
    fn as_descriptor(&self) -> BorrowedDescriptor<'_>;

    /// The number of the descriptor.
    fn raw_descriptor(&self) -> RawDescriptor;
}

impl<T: AsFd + ?Sized> AsDescriptor for T {
    #[inline]
    fn as_descriptor(&self) -> BorrowedDescriptor<'_> {
        self.as_fd()
    }

    #[inline]
    fn raw_descriptor(&self) -> RawDescriptor {
        self.as_fd().as_raw_fd()
    }
}
