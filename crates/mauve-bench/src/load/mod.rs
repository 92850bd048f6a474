//! Load generators: each starts a server, keeps it busy, and reports the cost for the server.
//!
//! A load is written as a line, `stream connections=64 size=64 depth=1 count=100000`, so that it
//! fits into a table of workloads and onto a command line:
//!
//! | kind | what it does | an operation is |
//! | --- | --- | --- |
//! | `stream` | every connection sends `depth` messages of `size` bytes and waits for the answers | a message |
//! | `http` | the same with requests that an HTTP server answers | a request |
//! | `pump` | every connection writes as fast as it is read from | 64 KiB |
//! | `short` | connects, exchanges one message, closes; `depth` at a time | a connection |
//! | `accept` | connects and waits until the server closes; `depth` at a time | a connection |
//! | `datagram` | sends `depth` packets and waits for the answers | a packet |
//!
//! The server prints `ready ADDRESS` when it listens, and is killed when the load is done.

mod calls;
mod datagram;
mod pump;
mod short;
mod stream;
mod target;

use std::io;
use std::process::Command;
use std::str::FromStr;
use std::time::{Duration, Instant};

use crate::{Sample, cpu};
use target::Target;

/// What a server is to be kept busy with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    /// How the two talk.
    pub kind: Kind,
    /// How many connections there are.
    pub connections: usize,
    /// Bytes of a message.
    pub size: usize,
    /// How many messages are sent before answers are waited for.
    pub depth: usize,
    /// How many operations are measured.
    pub count: usize,
    /// How many come before that, so that everything is warm.
    pub warm: usize,
}

/// How a load generator and a server talk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Messages over connections that stay.
    Stream,
    /// HTTP requests over connections that stay.
    Http,
    /// One way.
    Pump,
    /// A connection for each message.
    Short,
    /// A connection that the server closes at once.
    Accept,
    /// Datagrams.
    Datagram,
}

/// Whether system calls are counted too. That slows the server down, so its times are worthless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// They are not counted.
    Ignored,
    /// They are, if this machine has something that can.
    Counted,
}

impl Load {
    /// Starts `server`, keeps it busy, kills it. Returns its cost as a sample with the name `name`.
    pub fn run(&self, name: &str, server: &mut Command, calls: Calls) -> io::Result<Sample> {
        let target = Target::start(server)?;
        let mut client = self.client(&target)?;
        client.exchange(self.warm)?;
        let counter = match calls {
            Calls::Counted => calls::Counter::attach(target.process()),
            Calls::Ignored => None,
        };
        let (begin, cpu) = (Instant::now(), cpu::of(target.process())?);
        client.exchange(self.count)?;
        let wall = begin.elapsed();
        let cpu = cpu::of(target.process())?.saturating_sub(cpu);
        let mut sample = Sample::of(name, cpu, wall, self.count);
        if let Some(counter) = counter {
            sample.calls = counter.finish().map(|calls| calls as f64 / self.count as f64);
        }
        Ok(sample)
    }

    fn client(&self, target: &Target) -> io::Result<Box<dyn Client>> {
        Ok(match self.kind {
            Kind::Stream => Box::new(stream::Exchange::connect(self, target, stream::ECHO)?),
            Kind::Http => Box::new(stream::Exchange::connect(self, target, stream::HTTP)?),
            Kind::Pump => Box::new(pump::Pump::new(self, target)),
            Kind::Short => Box::new(short::Short::new(self, target, self.size)),
            Kind::Accept => Box::new(short::Short::new(self, target, 0)),
            Kind::Datagram => Box::new(datagram::Packets::bind(self, target)?),
        })
    }
}

/// Keeps a server busy.
trait Client {
    /// Does so many operations, and returns when the server has done them all.
    fn exchange(&mut self, operations: usize) -> io::Result<()>;
}

/// The longest time to wait for an answer.
const PATIENCE: Duration = Duration::from_secs(10);

fn timed_out(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, format!("{what} for {} s", PATIENCE.as_secs()))
}

impl FromStr for Load {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let mut words = line.split_whitespace();
        let kind = match words.next() {
            Some("stream") => Kind::Stream,
            Some("http") => Kind::Http,
            Some("pump") => Kind::Pump,
            Some("short") => Kind::Short,
            Some("accept") => Kind::Accept,
            Some("datagram") => Kind::Datagram,
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
        if all.contains(&0) { Err(format!("zero makes no load: {line}")) } else { Ok(load) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_load_is_read_from_a_line() {
        let load: Load = "stream connections=64 depth=16 count=5000".parse().unwrap();
        let expected = Load {
            kind: Kind::Stream,
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
            ("tsunami", "no such load"),
            ("stream size=big", "not a number"),
            ("stream size", "no value"),
            ("stream colour=1", "has no colour"),
            ("stream depth=0", "zero"),
        ] {
            assert!(line.parse::<Load>().unwrap_err().contains(why), "{line}");
        }
    }
}
