//! Windows: a socket is no handle of a file.

use std::os::windows::fs::OpenOptionsExt as _;
use std::os::windows::io::AsRawSocket as _;
pub(crate) use std::os::windows::io::AsSocket as PollSource;

use mauve_sys::descriptor::RawDescriptor;

use crate::fs::OpenOptions;

/// The socket that is polled.
pub(crate) fn raw_descriptor(source: &impl PollSource) -> RawDescriptor {
    source.as_socket().as_raw_socket() as RawDescriptor
}

/// Implements the traits of a type whose [`Socket`](crate::net::socket::Socket) is `$socket`.
macro_rules! impl_socket_traits {
    ($type:ty, |$this:ident| $socket:expr) => {
        impl std::os::windows::io::AsRawSocket for $type {
            /// The socket. `INVALID_SOCKET` if the loop was dropped, which closes it.
            fn as_raw_socket(&self) -> std::os::windows::io::RawSocket {
                let $this = self;
                $socket.raw_descriptor() as std::os::windows::io::RawSocket
            }
        }

        impl std::os::windows::io::AsSocket for $type {
            /// A duplicate of the socket, which is closed when the value is dropped. The original
            /// belongs to the loop, which may be dropped first.
            ///
            /// # Panics
            /// Panics if the loop was dropped, or if the socket cannot be duplicated.
            fn as_socket(&self) -> std::os::windows::io::BorrowedSocket<'_> {
                let $this = self;
                $socket.borrow_descriptor().as_std_socket()
            }
        }
    };
}

/// Implements the traits of a type that owns a socket at `$socket`.
macro_rules! impl_owner_traits {
    ($type:ty, |$this:ident| $socket:expr) => {
        impl std::os::windows::io::AsRawSocket for $type {
            fn as_raw_socket(&self) -> std::os::windows::io::RawSocket {
                let $this = self;
                let raw = mauve_sys::descriptor::AsDescriptor::raw_descriptor(&$socket);
                raw as std::os::windows::io::RawSocket
            }
        }

        impl std::os::windows::io::AsSocket for $type {
            fn as_socket(&self) -> std::os::windows::io::BorrowedSocket<'_> {
                let $this = self;
                $socket.as_std_socket()
            }
        }
    };
}

/// Implements the traits of a type that has an open file at `$file`.
macro_rules! impl_file_traits {
    ($type:ty, |$this:ident| $file:expr) => {
        impl mauve_sys::descriptor::AsDescriptor for $type {
            fn raw_descriptor(&self) -> mauve_sys::descriptor::RawDescriptor {
                let $this = self;
                mauve_sys::descriptor::AsDescriptor::raw_descriptor(&$file)
            }
        }

        impl std::os::windows::io::AsHandle for $type {
            fn as_handle(&self) -> std::os::windows::io::BorrowedHandle<'_> {
                let $this = self;
                std::os::windows::io::AsHandle::as_handle(&$file)
            }
        }

        impl std::os::windows::io::AsRawHandle for $type {
            fn as_raw_handle(&self) -> std::os::windows::io::RawHandle {
                let $this = self;
                std::os::windows::io::AsRawHandle::as_raw_handle(&$file)
            }
        }
    };
}

pub(crate) use {impl_file_traits, impl_owner_traits, impl_socket_traits};

impl OpenOptions {
    /// Further flags of `CreateFile`.
    pub fn custom_flags(&mut self, flags: u32) -> &mut Self {
        self.0.custom_flags(flags);
        self
    }
}
