//! A connection for each message.

use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;

use super::target::{Address, Target};
use super::{Client, Load, PATIENCE};

/// Connects several times at once. Exchanges a message and closes, or waits for the server's close.
pub(super) struct Short {
    address: Address,
    at_once: usize,
    message: Vec<u8>,
}

impl Short {
    /// Without a message, the server is expected to close.
    pub fn new(load: &Load, target: &Target, size: usize) -> Self {
        let message = vec![b'm'; size];
        Self { address: target.address().clone(), at_once: load.depth, message }
    }
}

impl Client for Short {
    fn exchange(&mut self, operations: usize) -> io::Result<()> {
        let Address::Internet(address) = self.address else {
            return Err(io::Error::other("only TCP has short connections here"));
        };
        let mut answer = self.message.clone();
        let mut left = operations;
        while left > 0 {
            let count = left.min(self.at_once);
            let mut streams = Vec::with_capacity(count);
            for _ in 0..count {
                let stream = TcpStream::connect(address)?;
                stream.set_read_timeout(Some(PATIENCE))?;
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
                stream.read_exact(&mut answer)?;
            }
            left -= count;
        }
        Ok(())
    }
}
