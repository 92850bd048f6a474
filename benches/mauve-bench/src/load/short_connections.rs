//! A connection for each message.

use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;

use super::target::{Address, Target};
use super::{Client, Load, TIMEOUT};

/// Opens several connections at a time. Each exchanges one message and closes, or waits for the
/// server to close.
pub(super) struct ShortConnections {
    address: Address,
    concurrent: usize,
    message: Vec<u8>,
}

impl ShortConnections {
    /// With a size of zero no message is sent, and the server is expected to close.
    pub fn new(load: &Load, target: &Target, size: usize) -> Self {
        let message = vec![b'm'; size];
        Self { address: target.address().clone(), concurrent: load.depth, message }
    }
}

impl Client for ShortConnections {
    fn exchange(&mut self, operations: usize) -> io::Result<()> {
        let Address::Socket(address) = self.address else {
            return Err(io::Error::other("this load needs a TCP server"));
        };
        let mut reply = self.message.clone();
        let mut left = operations;
        while left > 0 {
            let count = left.min(self.concurrent);
            let mut streams = Vec::with_capacity(count);
            for _ in 0..count {
                let stream = TcpStream::connect(address)?;
                stream.set_read_timeout(Some(TIMEOUT))?;
                streams.push(stream);
            }
            if self.message.is_empty() {
                for stream in &mut streams {
                    if stream.read(&mut [0])? != 0 {
                        return Err(io::Error::other("the server was expected to close"));
                    }
                }
            }
            for stream in &mut streams {
                stream.write_all(&self.message)?;
            }
            for stream in &mut streams {
                stream.read_exact(&mut reply)?;
            }
            left -= count;
        }
        Ok(())
    }
}
