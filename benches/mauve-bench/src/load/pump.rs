//! One-way transfer, as fast as the server reads.

use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};

use super::target::{Address, Target};
use super::{Client, Load, TIMEOUT};

const CHUNK: usize = 64 << 10;

/// Writes, shuts down, and waits until the server has read everything and closed the connection.
pub(super) struct Pump {
    address: Address,
}

impl Pump {
    pub fn new(_: &Load, target: &Target) -> Self {
        Self { address: target.address().clone() }
    }
}

impl Client for Pump {
    fn exchange(&mut self, operations: usize) -> io::Result<()> {
        let Address::Socket(address) = self.address else {
            return Err(io::Error::other("the pump load needs a TCP server"));
        };
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        stream.set_write_timeout(Some(TIMEOUT))?;
        let chunk = vec![b'm'; CHUNK];
        for _ in 0..operations {
            stream.write_all(&chunk)?;
        }
        stream.shutdown(Shutdown::Write)?;
        match stream.read(&mut [0])? {
            0 => Ok(()),
            _ => Err(io::Error::other("the server has written to a pump")),
        }
    }
}
