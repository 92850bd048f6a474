//! Unix: all descriptors are file descriptors.

pub(crate) use std::os::fd::AsFd as PollSource;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::OpenOptionsExt as _;

use mauve_sys::descriptor::RawDescriptor;

use crate::fs::OpenOptions;

/// The descriptor of what is polled.
pub(crate) fn raw_descriptor(source: &impl PollSource) -> RawDescriptor {
    source.as_fd().as_raw_fd()
}

/// Implements the traits of a type whose [`Socket`](crate::net::socket::Socket) is `$socket`.
macro_rules! impl_socket_traits {
    ($type:ty, |$this:ident| $socket:expr) => {
        impl std::os::fd::AsRawFd for $type {
            /// The descriptor. -1 if the loop was dropped, which closes it.
            fn as_raw_fd(&self) -> std::os::fd::RawFd {
                let $this = self;
                $socket.raw_descriptor()
            }
        }

        impl std::os::fd::AsFd for $type {
            /// A duplicate of the descriptor, which is closed when the value is dropped. The original
            /// belongs to the loop, which may be dropped first.
            ///
            /// # Panics
            /// Panics if the loop was dropped, or if no descriptor is left.
            fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
                let $this = self;
                std::os::fd::AsFd::as_fd($socket.borrow_descriptor())
            }
        }
    };
}

/// Implements the traits of a type that owns a socket at `$socket`.
macro_rules! impl_owner_traits {
    ($type:ty, |$this:ident| $socket:expr) => {
        $crate::os_io::impl_file_traits!($type, |$this| $socket);
    };
}

/// Implements the traits of a type that has an open file at `$file`.
macro_rules! impl_file_traits {
    ($type:ty, |$this:ident| $file:expr) => {
        impl std::os::fd::AsFd for $type {
            fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
                let $this = self;
                std::os::fd::AsFd::as_fd(&$file)
            }
        }

        impl std::os::fd::AsRawFd for $type {
            fn as_raw_fd(&self) -> std::os::fd::RawFd {
                let $this = self;
                std::os::fd::AsRawFd::as_raw_fd(&$file)
            }
        }
    };
}

pub(crate) use {impl_file_traits, impl_owner_traits, impl_socket_traits};

impl OpenOptions {
    /// The permissions of a file that is created, restricted by the umask.
    pub fn mode(&mut self, mode: u32) -> &mut Self {
        self.0.mode(mode);
        self
    }

    /// Further flags of `open`.
    pub fn custom_flags(&mut self, flags: i32) -> &mut Self {
        self.0.custom_flags(flags);
        self
    }
}
