//! Messages over persistent connections. Each connection sends a batch, and the next one when it
//! has all replies.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::event::Timespec;
use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};

use super::target::{Address, Target};
use super::{Client, Load, TIMEOUT, timed_out};

/// The request, and how to find the size of a reply.
pub(super) struct Protocol {
    request: fn(size: usize) -> Vec<u8>,
    reply_size: fn(&mut ClientStream, request: &[u8]) -> io::Result<usize>,
}

/// The server echoes requests.
pub(super) const ECHO: Protocol =
    Protocol { request: |size| vec![b'm'; size], reply_size: |_, request| Ok(request.len()) };

/// All HTTP responses have the size of the first one.
pub(super) const HTTP: Protocol = Protocol {
    request: |_| b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec(),
    reply_size: first_reply_size,
};

/// Number of connections that are opened before the server has to accept them.
const CONNECT_BATCH: usize = 64;

/// Connections that all have requests in flight.
pub(super) struct StreamClient {
    poll: OwnedFd,
    connections: Vec<Connection>,
    batch: Vec<u8>,
    depth: usize,
    reply_size: usize,
    buffer: Vec<u8>,
}

struct Connection {
    stream: ClientStream,
    unsent: usize,
    awaited: usize,
    wants_to_write: bool,
}

impl StreamClient {
    pub fn connect(load: &Load, target: &Target, protocol: Protocol) -> io::Result<Self> {
        let request = (protocol.request)(load.size);
        let poll = epoll::create(CreateFlags::CLOEXEC)?;
        let mut connections = Vec::with_capacity(load.connections);
        let mut reply_size = 0;
        for key in 0..load.connections {
            let mut stream = ClientStream::connect(target.address())?;
            if key == 0 {
                reply_size = (protocol.reply_size)(&mut stream, &request)?;
            }
            // A full accept queue delays a connection by a second. A reply shows that the server
            // has accepted all connections so far.
            if key % CONNECT_BATCH == CONNECT_BATCH - 1 {
                stream.write_all(&request)?;
                stream.read_exact(&mut vec![0; reply_size])?;
            }
            stream.set_nonblocking()?;
            epoll::add(&poll, &stream, EventData::new_u64(key as u64), EventFlags::IN)?;
            connections.push(Connection { stream, unsent: 0, awaited: 0, wants_to_write: false });
        }
        let batch = request.repeat(load.depth);
        Ok(Self {
            poll,
            connections,
            batch,
            depth: load.depth,
            reply_size,
            buffer: vec![0; 1 << 18],
        })
    }

    fn start_batch(&mut self, key: usize) -> io::Result<()> {
        let connection = &mut self.connections[key];
        connection.unsent = self.batch.len();
        connection.awaited = self.reply_size * self.depth;
        self.send(key)
    }

    fn send(&mut self, key: usize) -> io::Result<()> {
        let Connection { stream, unsent, wants_to_write, .. } = &mut self.connections[key];
        match stream.write(&self.batch[self.batch.len() - *unsent..]) {
            Ok(count) => *unsent -= count,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
        if *wants_to_write != (*unsent > 0) {
            *wants_to_write = *unsent > 0;
            let flags =
                if *wants_to_write { EventFlags::IN | EventFlags::OUT } else { EventFlags::IN };
            epoll::modify(&self.poll, &*stream, EventData::new_u64(key as u64), flags)?;
        }
        Ok(())
    }

    /// Reads replies. Returns whether the batch is complete.
    fn receive(&mut self, key: usize) -> io::Result<bool> {
        let connection = &mut self.connections[key];
        let count = match connection.stream.read(&mut self.buffer) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
            other => other?,
        };
        let left = connection.awaited.checked_sub(count);
        connection.awaited = left.ok_or_else(|| io::Error::other("more replies than requests"))?;
        Ok(connection.awaited == 0)
    }
}

impl Client for StreamClient {
    fn exchange(&mut self, operations: usize) -> io::Result<()> {
        let batches = operations.div_ceil(self.depth);
        let mut to_start = batches;
        let mut to_finish = batches;
        for key in 0..self.connections.len().min(batches) {
            self.start_batch(key)?;
            to_start -= 1;
        }
        let mut events = Vec::<Event>::with_capacity(256);
        let timeout = Timespec::try_from(TIMEOUT).expect("a valid timeout");
        while to_finish > 0 {
            events.clear();
            epoll::wait(&self.poll, rustix::buffer::spare_capacity(&mut events), Some(&timeout))?;
            if events.is_empty() {
                return Err(timed_out("no reply"));
            }
            for event in &events {
                let (key, flags) = (event.data.u64() as usize, event.flags);
                if flags.contains(EventFlags::OUT) {
                    self.send(key)?;
                }
                if flags.intersects(EventFlags::IN | EventFlags::HUP) && self.receive(key)? {
                    to_finish -= 1;
                    if to_start > 0 {
                        to_start -= 1;
                        self.start_batch(key)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// A TCP or Unix domain connection.
pub(super) enum ClientStream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl ClientStream {
    pub fn connect(address: &Address) -> io::Result<Self> {
        match address {
            Address::Socket(address) => {
                let stream = TcpStream::connect(address)?;
                stream.set_nodelay(true)?;
                Ok(Self::Tcp(stream))
            }
            Address::Path(path) => Ok(Self::Unix(UnixStream::connect(path)?)),
        }
    }

    pub fn set_nonblocking(&self) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => stream.set_nonblocking(true),
            Self::Unix(stream) => stream.set_nonblocking(true),
        }
    }
}

impl Read for ClientStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.read(buffer),
            Self::Unix(stream) => stream.read(buffer),
        }
    }
}

impl Write for ClientStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.write(bytes),
            Self::Unix(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl AsFd for ClientStream {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Tcp(stream) => stream.as_fd(),
            Self::Unix(stream) => stream.as_fd(),
        }
    }
}

fn first_reply_size(stream: &mut ClientStream, request: &[u8]) -> io::Result<usize> {
    stream.write_all(request)?;
    let mut reply = Vec::new();
    let mut part = [0; 4096];
    loop {
        if let Some(length) = http_length(&reply)
            && reply.len() >= length
        {
            return Ok(length);
        }
        match stream.read(&mut part)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => reply.extend(&part[..count]),
        }
    }
}

/// The size of the response that starts with `text`, if its header is complete.
fn http_length(text: &[u8]) -> Option<usize> {
    let text = String::from_utf8_lossy(text).to_lowercase();
    let head = text.find("\r\n\r\n")?;
    let body = text[..head].split_once("content-length: ")?.1.lines().next()?;
    Some(head + 4 + body.trim().parse::<usize>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_of_a_response_is_known_when_its_header_is_complete() {
        let response = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
        assert_eq!(http_length(response), Some(response.len()));
        assert_eq!(http_length(&response[..20]), None);
    }
}
