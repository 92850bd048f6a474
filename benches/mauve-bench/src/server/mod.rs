//! Measured servers. Each prints `ready ADDRESS` and serves until it is killed.

mod buffer_pool;
pub mod callbacks;
mod shared;
pub mod tasks;

use std::fmt::Display;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

pub use buffer_pool::Buffer;

/// The service of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// Echoes bytes over TCP.
    TcpEcho,
    /// Echoes bytes over a Unix domain socket.
    PipeEcho,
    /// Replies to each message of [`MESSAGE`] bytes with a separate write.
    Reply,
    /// Reads until the end of the stream, then closes.
    Sink,
    /// Echoes datagrams.
    UdpEcho,
}

/// Size of a message of [`Service::Reply`].
pub const MESSAGE: usize = 64;

/// Maximum number of connections that wait to be accepted.
pub const BACKLOG: i32 = 1024;

/// Size of a read buffer.
pub const BUFFER: usize = 64 << 10;

impl FromStr for Service {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Ok(match name {
            "tcp-echo" => Self::TcpEcho,
            "pipe-echo" => Self::PipeEcho,
            "reply" => Self::Reply,
            "sink" => Self::Sink,
            "udp-echo" => Self::UdpEcho,
            _ => return Err(format!("no such service: {name}")),
        })
    }
}

/// A loopback address with a port that the kernel chooses.
#[must_use]
pub fn any_port() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 0))
}

/// A path that is unique to this process.
#[must_use]
pub fn path() -> PathBuf {
    std::env::temp_dir().join(format!("mauve-bench-{}", std::process::id()))
}

/// Prints the server's address for the load generator.
pub fn ready(address: impl Display) {
    println!("ready {address}");
}
