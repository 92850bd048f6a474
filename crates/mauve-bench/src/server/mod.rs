//! Servers that are measured. Each prints `ready ADDRESS` and serves until it is killed.

mod buffer;
pub mod closures;
pub mod epoll;
pub mod tasks;

use std::fmt::Display;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

pub use buffer::Buffer;

/// What a server does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// Sends back what comes over TCP.
    TcpEcho,
    /// Sends back what comes over a local socket.
    PipeEcho,
    /// Answers each message of [`MESSAGE`] bytes with a write of its own.
    Answer,
    /// Reads, and closes at the end.
    Sink,
    /// Sends back datagrams.
    UdpEcho,
}

/// Bytes of a message that [`Service::Answer`] answers.
pub const MESSAGE: usize = 64;

/// Connections that may wait to be accepted.
pub const BACKLOG: i32 = 1024;

/// Bytes that are read at once.
pub const BUFFER: usize = 64 << 10;

impl FromStr for Service {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Ok(match name {
            "tcp-echo" => Self::TcpEcho,
            "pipe-echo" => Self::PipeEcho,
            "answer" => Self::Answer,
            "sink" => Self::Sink,
            "udp-echo" => Self::UdpEcho,
            _ => return Err(format!("no such service: {name}")),
        })
    }
}

/// A port of the system's choice, on this machine only.
#[must_use]
pub fn anywhere() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 0))
}

/// A path that no other process has.
#[must_use]
pub fn path() -> PathBuf {
    std::env::temp_dir().join(format!("mauve-bench-{}", std::process::id()))
}

/// Tells whoever has started this where it listens.
pub fn ready(address: impl Display) {
    println!("ready {address}");
}
