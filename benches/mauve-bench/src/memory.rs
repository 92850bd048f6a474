//! Memory per idle connection.
//!
//! A connection is one end of a pair of Unix sockets. The other end is a plain descriptor, and the
//! kernel's memory does not count.

use std::io::{Error, Result};
use std::os::unix::net::UnixStream;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::Sample;

/// Number of connections.
pub const CONNECTIONS: usize = 1000;

/// The name of the row.
pub const TITLE: &str = "bytes of an idle connection";

/// Anonymous memory of this process in bytes. File pages do not count.
pub fn own() -> Result<f64> {
    let text = std::fs::read_to_string("/proc/self/smaps_rollup")?;
    let line = text.lines().find_map(|line| line.strip_prefix("Anonymous:"));
    let kib = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok());
    kib.map(|kib| kib * 1024.0).ok_or_else(|| Error::other("smaps_rollup has no `Anonymous`"))
}

/// Allows this process to open enough descriptors.
pub fn raise_descriptor_limit() -> Result<()> {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit })?;
    Ok(())
}

/// Pairs of connected sockets in non-blocking mode.
pub fn pairs() -> Result<(Vec<UnixStream>, Vec<UnixStream>)> {
    raise_descriptor_limit()?;
    let pairs: Vec<_> = (0..CONNECTIONS).map(|_| UnixStream::pair()).collect::<Result<_>>()?;
    for (own, _) in &pairs {
        own.set_nonblocking(true)?;
    }
    Ok(pairs.into_iter().unzip())
}

/// The sample: the growth since `before`.
pub fn sample(before: f64) -> Result<Sample> {
    let bytes = (own()? - before) / CONNECTIONS as f64;
    Ok(Sample { name: TITLE.to_owned(), cpu: bytes, wall: None, calls: None })
}
