//! Sockets, socket addresses and name resolution.
//!
//! Safe wrappers: most functions make one or two system calls, and none uses a loop. The functions
//! of [`resolve`] block, so a loop calls them on a thread of its pool.

pub mod address;
pub mod datagram;
mod idna;
pub mod interface;
mod message;
mod multicast;
mod options;
pub mod resolve;
mod socket;

cfg_if::cfg_if! {
    if #[cfg(any(target_os = "linux", target_os = "android"))] {
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

pub use address::Address;
pub use message::*;
pub use multicast::*;
pub use options::*;
pub use socket::*;
pub(crate) use system::duplicate_onto;
