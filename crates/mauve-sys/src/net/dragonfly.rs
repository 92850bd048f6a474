//! Sockets on DragonFly BSD.

use std::ffi::c_int;

pub use super::bsd::*;
pub use super::no_source_groups::*;
use crate::Errno;

/// The options for the times and the number of keepalive probes: idle, interval, count.
pub const KEEPALIVE: [c_int; 3] = [libc::TCP_KEEPIDLE, libc::TCP_KEEPINTVL, libc::TCP_KEEPCNT];

/// Errors of `getaddrinfo` that not all systems have.
pub const RESOLVER_ERRORS: &[(i32, Errno)] = &[];
