//! Operations on descriptors of any type.

cfg_if::cfg_if! {
    if #[cfg(windows)] {
        pub mod crt;
        mod windows;
        pub(crate) use windows::refuse_files;
        pub use windows::*;
    } else {
        mod posix;
        pub(crate) use posix::{borrow, refuse_files, status_flags};
        pub use posix::*;
    }
}

/// The type of an open descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "uv_handle_type")]
pub enum FdType {
    /// A terminal.
    Tty,
    /// A regular file, or a character device that is not a terminal.
    File,
    /// A pipe, or a Unix stream socket.
    Pipe,
    /// An IPv4 or IPv6 stream socket.
    Tcp,
    /// An IPv4 or IPv6 datagram socket.
    Udp,
    /// Another type, or not an open descriptor.
    Unknown,
}
