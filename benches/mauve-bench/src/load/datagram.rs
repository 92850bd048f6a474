//! Datagrams to an echo server.

use std::io;
use std::net::UdpSocket;

use super::target::Target;
use super::{Client, Load, TIMEOUT, timed_out};

/// Sends `depth` datagrams, then receives all replies.
pub(super) struct DatagramClient {
    socket: UdpSocket,
    depth: usize,
    message: Vec<u8>,
}

impl DatagramClient {
    pub fn bind(load: &Load, target: &Target) -> io::Result<Self> {
        let socket = UdpSocket::bind("127.0.0.1:0")?;
        socket.connect(target.socket_addr()?)?;
        socket.set_read_timeout(Some(TIMEOUT))?;
        Ok(Self { socket, depth: load.depth, message: vec![b'm'; load.size] })
    }
}

impl Client for DatagramClient {
    fn exchange(&mut self, operations: usize) -> io::Result<()> {
        let mut reply = vec![0; self.message.len() + 1];
        let mut left = operations;
        while left > 0 {
            let count = left.min(self.depth);
            for _ in 0..count {
                self.socket.send(&self.message)?;
            }
            for _ in 0..count {
                match self.socket.recv(&mut reply) {
                    Ok(length) if length == self.message.len() => {}
                    Ok(length) => {
                        return Err(io::Error::other(format!("a reply of {length} bytes")));
                    }
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                        return Err(timed_out("no reply to a datagram"));
                    }
                    Err(error) => return Err(error),
                }
            }
            left -= count;
        }
        Ok(())
    }
}
