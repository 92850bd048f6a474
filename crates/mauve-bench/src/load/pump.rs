//! One way, as fast as the server reads.

use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};

use super::target::{Address, Target};
use super::{Client, Load, PATIENCE};

const CHUNK: usize = 64 << 10;

/// Writes, then waits until the server has closed the connection, which it does when it has read
/// everything.
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
        let Address::Internet(address) = self.address else {
            return Err(io::Error::other("only TCP is pumped through"));
        };
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let chunk = vec![b'm'; CHUNK];
        for _ in 0..operations {
            stream.write_all(&chunk)?;
        }
        stream.shutdown(Shutdown::Write)?;
        match stream.read(&mut [0])? {
            0 => Ok(()),
            _ => Err(io::Error::other("the server was to read only")),
        }
    }
}
