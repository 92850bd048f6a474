//! Sockets on the BSDs.

use std::ffi::c_int;

pub(crate) use super::accept4::*;
pub use super::af_link::*;
pub use super::cmsg_cloexec::*;
pub use super::getpeereid::*;
pub use super::unix::*;

/// Shares an address with other sockets.
pub const REUSE_PORT: Option<c_int> = Some(libc::SO_REUSEPORT);
