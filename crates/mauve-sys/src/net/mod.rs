//! Sockets, socket addresses and name resolution.
//!
//! Safe wrappers: most functions make one or two system calls, and none uses a loop. The functions
//! of [`resolve`] block, so a loop calls them on a thread of its pool.

pub mod address;
pub mod datagram;
mod idna;
pub mod interface;
mod multicast;
mod options;
pub mod resolve;
mod socket;

// What all Unix systems have in common, and the names of the system's C interface: those of Winsock are
// shaped like those of POSIX.
cfg_if::cfg_if! {
    if #[cfg(windows)] {
        mod no_own_peer;
        use no_own_peer::peer as find_peer;
        pub(crate) use windows::{is_socket, named_pipe, winsock::start};
        pub use windows::{
            PipeName, child_pipe, duplex_pipe, finish_connecting, frame_messages, half_closes, pipe,
            pipe_name, pipe_peer_name, set_peer_process, set_pending_instances,
        };
        use windows::{self as common, message, winsock as c};
    } else {
        mod message;
        mod own_peer;
        mod posix;
        mod posix_pipe;
        mod unix_name;
        use libc as c;
        use own_peer::peer as find_peer;
        use posix as common;
        pub(crate) use posix::owned;
        pub use posix::{duplex_pipe, pipe};
        pub use posix_pipe::*;
    }
}

cfg_if::cfg_if! {
    if #[cfg(windows)] {
        mod source_groups;
        mod windows;
        use windows as system;
    } else if #[cfg(any(target_os = "linux", target_os = "android"))] {
        mod accept4;
        mod cmsg_cloexec;
        mod linux;
        mod source_groups;
        use linux as system;
    } else if #[cfg(target_vendor = "apple")] {
        mod accept;
        mod af_link;
        mod apple;
        mod cmsg_fcntl;
        mod getpeereid;
        mod source_groups;
        mod unix;
        use apple as system;
    } else if #[cfg(target_os = "freebsd")] {
        mod accept4;
        mod af_link;
        mod bsd;
        mod cmsg_cloexec;
        mod freebsd;
        mod getpeereid;
        mod source_groups;
        mod unix;
        use freebsd as system;
    } else if #[cfg(target_os = "dragonfly")] {
        mod accept4;
        mod af_link;
        mod bsd;
        mod cmsg_cloexec;
        mod dragonfly;
        mod getpeereid;
        mod no_source_groups;
        mod unix;
        use dragonfly as system;
    } else if #[cfg(target_os = "netbsd")] {
        mod accept4;
        mod af_link;
        mod bsd;
        mod cmsg_cloexec;
        mod getpeereid;
        mod netbsd;
        mod no_source_groups;
        mod unix;
        use netbsd as system;
    } else if #[cfg(target_os = "openbsd")] {
        mod accept4;
        mod af_link;
        mod bsd;
        mod cmsg_cloexec;
        mod getpeereid;
        mod no_source_groups;
        mod openbsd;
        mod unix;
        use openbsd as system;
    } else if #[cfg(any(target_os = "illumos", target_os = "solaris"))] {
        mod accept4;
        mod af_link;
        mod cmsg_fcntl;
        mod no_source_groups;
        mod solaris;
        mod unix;
        use solaris as system;
    } else {
        mod accept;
        mod cmsg_fcntl;
        mod no_source_groups;
        mod other;
        mod unix;
        use other as system;
    }
}

/// What a socket is connected to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    /// Nothing, or it is not known.
    None,
    /// A socket of this process.
    Own,
    /// Another process or host.
    Foreign,
}

/// What the socket with this number is connected to. [`Peer::None`] if it is no socket.
pub fn peer(fd: crate::descriptor::RawDescriptor) -> Peer {
    find_peer(fd)
}

/// The types of addresses in the system's C interface, which the C ABI has in common with it.
pub mod c_types {
    pub use super::c::{
        addrinfo, in_addr, in6_addr, sockaddr, sockaddr_in, sockaddr_in6, sockaddr_storage,
    };
}

pub use address::Address;
pub use message::*;
pub use multicast::*;
pub use options::*;
pub use socket::*;
#[cfg(not(windows))]
pub(crate) use system::duplicate_onto;
