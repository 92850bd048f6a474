//! Datagrams on FreeBSD, NetBSD and OpenBSD.

pub use super::mmsg::*;
pub use super::no_offload::*;
