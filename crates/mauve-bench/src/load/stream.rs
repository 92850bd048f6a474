//! Messages over connections that stay: each sends a batch, and the next when all is answered.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::event::Timespec;
use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};

use super::target::{Address, Target};
use super::{Client, Load, PATIENCE, timed_out};

/// What is said, and how long the answer is.
pub(super) struct Language {
    request: fn(size: usize) -> Vec<u8>,
    answer: fn(&mut Wire, request: &[u8]) -> io::Result<usize>,
}

/// The server sends back what it gets.
pub(super) const ECHO: Language =
    Language { request: |size| vec![b'm'; size], answer: |_, request| Ok(request.len()) };

/// The server answers as the first time, so the first answer tells how long one is.
pub(super) const HTTP: Language = Language {
    request: |_| b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec(),
    answer: first_answer,
};

/// So many connections are made before the server gets a chance to accept them.
const AT_ONCE: usize = 64;

/// Connections, all of which are busy.
pub(super) struct Exchange {
    poll: OwnedFd,
    connections: Vec<Connection>,
    batch: Vec<u8>,
    depth: usize,
    answer: usize,
    buffer: Vec<u8>,
}

struct Connection {
    wire: Wire,
    unsent: usize,
    awaited: usize,
    wants_to_write: bool,
}

impl Exchange {
    pub fn connect(load: &Load, target: &Target, language: Language) -> io::Result<Self> {
        let request = (language.request)(load.size);
        let poll = epoll::create(CreateFlags::CLOEXEC)?;
        let mut connections = Vec::with_capacity(load.connections);
        let mut answer = 0;
        for key in 0..load.connections {
            let mut wire = Wire::connect(target.address())?;
            if key == 0 {
                answer = (language.answer)(&mut wire, &request)?;
            }
            // It may share a core with us, and the system's queue of connections has an end: whoever
            // finds it full is turned away for a second. Who is answered was accepted.
            if key % AT_ONCE == AT_ONCE - 1 {
                wire.write_all(&request)?;
                wire.read_exact(&mut vec![0; answer])?;
            }
            wire.set_nonblocking()?;
            epoll::add(&poll, &wire, EventData::new_u64(key as u64), EventFlags::IN)?;
            connections.push(Connection { wire, unsent: 0, awaited: 0, wants_to_write: false });
        }
        let batch = request.repeat(load.depth);
        Ok(Self { poll, connections, batch, depth: load.depth, answer, buffer: vec![0; 1 << 18] })
    }

    fn begin_batch(&mut self, key: usize) -> io::Result<()> {
        let connection = &mut self.connections[key];
        connection.unsent = self.batch.len();
        connection.awaited = self.answer * self.depth;
        self.send(key)
    }

    fn send(&mut self, key: usize) -> io::Result<()> {
        let Connection { wire, unsent, wants_to_write, .. } = &mut self.connections[key];
        match wire.write(&self.batch[self.batch.len() - *unsent..]) {
            Ok(count) => *unsent -= count,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
        if *wants_to_write != (*unsent > 0) {
            *wants_to_write = *unsent > 0;
            let flags =
                if *wants_to_write { EventFlags::IN | EventFlags::OUT } else { EventFlags::IN };
            epoll::modify(&self.poll, &*wire, EventData::new_u64(key as u64), flags)?;
        }
        Ok(())
    }

    /// Whether a batch has been answered.
    fn receive(&mut self, key: usize) -> io::Result<bool> {
        let connection = &mut self.connections[key];
        let count = match connection.wire.read(&mut self.buffer) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
            other => other?,
        };
        let left = connection.awaited.checked_sub(count);
        connection.awaited = left.ok_or_else(|| io::Error::other("more answers than questions"))?;
        Ok(connection.awaited == 0)
    }
}

impl Client for Exchange {
    fn exchange(&mut self, operations: usize) -> io::Result<()> {
        let batches = operations.div_ceil(self.depth);
        let mut to_begin = batches;
        let mut to_finish = batches;
        for key in 0..self.connections.len().min(batches) {
            self.begin_batch(key)?;
            to_begin -= 1;
        }
        let mut events = Vec::<Event>::with_capacity(256);
        let patience = Timespec::try_from(PATIENCE).expect("a few seconds");
        while to_finish > 0 {
            events.clear();
            epoll::wait(&self.poll, rustix::buffer::spare_capacity(&mut events), Some(&patience))?;
            if events.is_empty() {
                return Err(timed_out("no answer"));
            }
            for event in &events {
                let (key, flags) = (event.data.u64() as usize, event.flags);
                if flags.contains(EventFlags::OUT) {
                    self.send(key)?;
                }
                if flags.intersects(EventFlags::IN | EventFlags::HUP) && self.receive(key)? {
                    to_finish -= 1;
                    if to_begin > 0 {
                        to_begin -= 1;
                        self.begin_batch(key)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// A connection of either kind.
pub(super) enum Wire {
    Tcp(TcpStream),
    Local(UnixStream),
}

impl Wire {
    pub fn connect(address: &Address) -> io::Result<Self> {
        match address {
            Address::Internet(address) => {
                let stream = TcpStream::connect(address)?;
                stream.set_nodelay(true)?;
                Ok(Self::Tcp(stream))
            }
            Address::Path(path) => Ok(Self::Local(UnixStream::connect(path)?)),
        }
    }

    pub fn set_nonblocking(&self) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => stream.set_nonblocking(true),
            Self::Local(stream) => stream.set_nonblocking(true),
        }
    }
}

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.read(buffer),
            Self::Local(stream) => stream.read(buffer),
        }
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.write(bytes),
            Self::Local(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl AsFd for Wire {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Tcp(stream) => stream.as_fd(),
            Self::Local(stream) => stream.as_fd(),
        }
    }
}

fn first_answer(wire: &mut Wire, request: &[u8]) -> io::Result<usize> {
    wire.write_all(request)?;
    let mut answer = Vec::new();
    let mut part = [0; 4096];
    loop {
        if let Some(length) = http_length(&answer)
            && answer.len() >= length
        {
            return Ok(length);
        }
        match wire.read(&mut part)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => answer.extend(&part[..count]),
        }
    }
}

/// How long the answer is that begins with `text`, if its head is complete.
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
    fn the_length_of_an_answer_is_known_when_its_head_is_complete() {
        let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
        assert_eq!(http_length(answer), Some(answer.len()));
        assert_eq!(http_length(&answer[..20]), None);
    }
}
