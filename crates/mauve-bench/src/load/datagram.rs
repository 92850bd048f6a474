//! Datagrams that come back.

use std::io;
use std::net::UdpSocket;

use super::target::Target;
use super::{Client, Load, PATIENCE, timed_out};

/// Sends so many packets, waits for all of them.
pub(super) struct Packets {
    socket: UdpSocket,
    depth: usize,
    message: Vec<u8>,
}

impl Packets {
    pub fn bind(load: &Load, target: &Target) -> io::Result<Self> {
        let socket = UdpSocket::bind("127.0.0.1:0")?;
        socket.connect(target.internet()?)?;
        socket.set_read_timeout(Some(PATIENCE))?;
        Ok(Self { socket, depth: load.depth, message: vec![b'm'; load.size] })
    }
}

impl Client for Packets {
    fn exchange(&mut self, operations: usize) -> io::Result<()> {
        let mut answer = vec![0; self.message.len() + 1];
        let mut left = operations;
        while left > 0 {
            let count = left.min(self.depth);
            for _ in 0..count {
                self.socket.send(&self.message)?;
            }
            for _ in 0..count {
                match self.socket.recv(&mut answer) {
                    Ok(length) if length == self.message.len() => {}
                    Ok(length) => return Err(io::Error::other(format!("a packet of {length}"))),
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                        return Err(timed_out("a packet was not answered"));
                    }
                    Err(error) => return Err(error),
                }
            }
            left -= count;
        }
        Ok(())
    }
}
