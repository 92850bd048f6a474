//! Load generators: each starts a server, sends requests, and reports the cost for the server.
//!
//! A load is described by one line, as `stream connections=64 size=64 depth=1 count=100000`, so
//! that it fits into a table of workloads and a command line:
//!
//! | kind | what it does | an operation is |
//! | --- | --- | --- |
//! | `stream` | every connection sends `depth` messages of `size` bytes and waits for the replies | a message |
//! | `http` | the same with HTTP requests | a request |
//! | `pump` | writes as fast as the server reads | 64 KiB |
//! | `short` | connects, exchanges one message, closes; `depth` at a time | a connection |
//! | `accept` | connects and waits until the server closes; `depth` at a time | a connection |
//! | `datagram` | sends `depth` datagrams and waits for the replies | a datagram |
//!
//! The server prints `ready ADDRESS` when it listens, and is killed after the load.

mod datagram;
mod pump;
mod short_connections;
mod stream;
mod syscalls;
mod target;

use std::io;
use std::process::Command;
use std::str::FromStr;
use std::time::{Duration, Instant};

use crate::{Sample, cpu};
use syscalls::SyscallCounter;
use target::Target;

/// The requests that a server gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    /// The protocol.
    pub kind: LoadKind,
    /// Number of connections.
    pub connections: usize,
    /// Size of a message in bytes.
    pub size: usize,
    /// Number of messages that are sent before the client waits for replies.
    pub depth: usize,
    /// Number of measured operations.
    pub count: usize,
    /// Number of warm-up operations.
    pub warm: usize,
}

/// The protocol between a load generator and a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadKind {
    /// Messages over persistent connections.
    Stream,
    /// HTTP requests over persistent connections.
    Http,
    /// One-way transfer.
    Pump,
    /// A connection for each message.
    Short,
    /// A connection that the server closes at once.
    Accept,
    /// Datagrams.
    Datagram,
}

/// Whether system calls are counted. Counting slows the server down, so its times are meaningless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountSyscalls {
    /// Do not count.
    No,
    /// Count, if a tool for it is available.
    Yes,
}

impl Load {
    /// Starts `server`, sends the requests, and kills it. Returns the server's cost as a sample
    /// with the name `name`.
    pub fn run(
        &self,
        name: &str,
        server: &mut Command,
        syscalls: CountSyscalls,
    ) -> io::Result<Sample> {
        let target = Target::start(server)?;
        let mut client = self.client(&target)?;
        client.exchange(self.warm)?;
        let counter = match syscalls {
            CountSyscalls::Yes => SyscallCounter::attach(target.pid()),
            CountSyscalls::No => None,
        };
        let (start, cpu) = (Instant::now(), cpu::of(target.pid())?);
        client.exchange(self.count)?;
        let wall = start.elapsed();
        let cpu = cpu::of(target.pid())?.saturating_sub(cpu);
        let mut sample = Sample::of(name, cpu, wall, self.count);
        if let Some(counter) = counter {
            sample.calls = counter.finish().map(|calls| calls as f64 / self.count as f64);
        }
        Ok(sample)
    }

    fn client(&self, target: &Target) -> io::Result<Box<dyn Client>> {
        Ok(match self.kind {
            LoadKind::Stream => {
                Box::new(stream::StreamClient::connect(self, target, stream::ECHO)?)
            }
            LoadKind::Http => Box::new(stream::StreamClient::connect(self, target, stream::HTTP)?),
            LoadKind::Pump => Box::new(pump::Pump::new(self, target)),
            LoadKind::Short => {
                Box::new(short_connections::ShortConnections::new(self, target, self.size))
            }
            LoadKind::Accept => Box::new(short_connections::ShortConnections::new(self, target, 0)),
            LoadKind::Datagram => Box::new(datagram::DatagramClient::bind(self, target)?),
        })
    }
}

/// Sends requests to a server.
trait Client {
    /// Performs a number of operations. Returns when the server has completed them.
    fn exchange(&mut self, operations: usize) -> io::Result<()>;
}

/// Maximum time to wait for a reply.
const TIMEOUT: Duration = Duration::from_secs(10);

fn timed_out(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, format!("{what} for {} s", TIMEOUT.as_secs()))
}

impl FromStr for Load {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let mut words = line.split_whitespace();
        let kind = match words.next() {
            Some("stream") => LoadKind::Stream,
            Some("http") => LoadKind::Http,
            Some("pump") => LoadKind::Pump,
            Some("short") => LoadKind::Short,
            Some("accept") => LoadKind::Accept,
            Some("datagram") => LoadKind::Datagram,
            other => return Err(format!("no such load: {}", other.unwrap_or(line))),
        };
        let mut load = Self { kind, connections: 1, size: 64, depth: 1, count: 1000, warm: 1000 };
        for word in words {
            let (key, value) = word.split_once('=').ok_or_else(|| format!("no value: {word}"))?;
            let value = value.parse().map_err(|_| format!("not a number: {word}"))?;
            let field = match key {
                "connections" => &mut load.connections,
                "size" => &mut load.size,
                "depth" => &mut load.depth,
                "count" => &mut load.count,
                "warm" => &mut load.warm,
                _ => return Err(format!("a load has no {key}")),
            };
            *field = value;
        }
        let all = [load.connections, load.size, load.depth, load.count, load.warm];
        if all.contains(&0) { Err(format!("values must not be zero: {line}")) } else { Ok(load) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_load_is_parsed_from_a_line() {
        let load: Load = "stream connections=64 depth=16 count=5000".parse().unwrap();
        let expected = Load {
            kind: LoadKind::Stream,
            connections: 64,
            size: 64,
            depth: 16,
            count: 5000,
            warm: 1000,
        };
        assert_eq!(load, expected);
    }

    #[test]
    fn a_malformed_line_is_an_error_that_names_the_cause() {
        for (line, why) in [
            ("unknown", "no such load"),
            ("stream size=big", "not a number"),
            ("stream size", "no value"),
            ("stream colour=1", "has no colour"),
            ("stream depth=0", "zero"),
        ] {
            assert!(line.parse::<Load>().unwrap_err().contains(why), "{line}");
        }
    }
}
