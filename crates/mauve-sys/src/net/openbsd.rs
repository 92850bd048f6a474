//! Sockets on OpenBSD.

use std::ffi::c_int;

pub use super::bsd::*;
pub use super::no_source_groups::*;
use crate::Errno;

/// The options for the times and the number of keepalive probes: the system has none.
pub const KEEPALIVE: [c_int; 0] = [];

/// Errors of `getaddrinfo` that not all systems have.
pub const RESOLVER_ERRORS: &[(i32, Errno)] = &[(libc::EAI_NODATA, Errno::EAI_NODATA)];
