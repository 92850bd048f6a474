//! Servers that call epoll directly, as a lower bound of the cost.
//!
//! Level-triggered, one read per event, no write queue: a peer that does not read its replies is
//! disconnected.

use std::collections::HashMap;
use std::io::{self, Read, Result, Write};
use std::net::{TcpListener, UdpSocket};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixListener;

use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};

use super::{BUFFER, MESSAGE, Service, any_port, path, ready};

const LISTENER: u64 = u64::MAX;

/// Serves until it is killed.
pub fn serve(service: Service) -> Result<()> {
    match service {
        Service::UdpEcho => echo_datagrams(),
        Service::PipeEcho => {
            let listener = UnixListener::bind(path())?;
            listener.set_nonblocking(true)?;
            ready(path().display());
            listen(&listener, || Ok(listener.accept()?.0), echo)
        }
        Service::TcpEcho | Service::Reply | Service::Sink => {
            let listener = TcpListener::bind(any_port())?;
            listener.set_nonblocking(true)?;
            ready(listener.local_addr()?);
            let accept = || {
                let peer = listener.accept()?.0;
                peer.set_nodelay(true)?;
                Ok(peer)
            };
            match service {
                Service::Reply => listen(&listener, accept, reply),
                Service::Sink => listen(&listener, accept, |_, _, _| Ok(())),
                _ => listen(&listener, accept, echo),
            }
        }
    }
}

/// Accepts connections, and calls `serve` with received bytes.
fn listen<S: Read + Write + AsFd + Nonblocking>(
    listener: &impl AsFd,
    accept: impl Fn() -> Result<S>,
    serve: fn(&mut S, &[u8], &mut usize) -> Result<()>,
) -> Result<()> {
    let poll = epoll::create(CreateFlags::CLOEXEC)?;
    epoll::add(&poll, listener, EventData::new_u64(LISTENER), EventFlags::IN)?;
    let mut peers: HashMap<u64, (S, usize)> = HashMap::new();
    let mut next = 0;
    let mut buffer = vec![0; BUFFER];
    let mut events = Vec::<Event>::with_capacity(1024);
    loop {
        wait(&poll, &mut events)?;
        for event in &events {
            let key = event.data.u64();
            if key == LISTENER {
                while let Some(peer) = would_block_as_none(accept())? {
                    peer.make_nonblocking()?;
                    epoll::add(&poll, &peer, EventData::new_u64(next), EventFlags::IN)?;
                    peers.insert(next, (peer, 0));
                    next += 1;
                }
                continue;
            }
            let Some((peer, partial)) = peers.get_mut(&key) else { continue };
            let keep = match peer.read(&mut buffer) {
                Ok(count) => count > 0 && serve(peer, &buffer[..count], partial).is_ok(),
                Err(error) => error.kind() == io::ErrorKind::WouldBlock,
            };
            if !keep {
                peers.remove(&key);
            }
        }
    }
}

fn echo(peer: &mut impl Write, bytes: &[u8], _: &mut usize) -> Result<()> {
    peer.write_all(bytes)
}

fn reply(peer: &mut impl Write, bytes: &[u8], partial: &mut usize) -> Result<()> {
    *partial += bytes.len();
    while *partial >= MESSAGE {
        *partial -= MESSAGE;
        peer.write_all(&[b'm'; MESSAGE])?;
    }
    Ok(())
}

fn echo_datagrams() -> Result<()> {
    let socket = UdpSocket::bind(any_port())?;
    socket.set_nonblocking(true)?;
    ready(socket.local_addr()?);
    let poll = epoll::create(CreateFlags::CLOEXEC)?;
    epoll::add(&poll, &socket, EventData::new_u64(0), EventFlags::IN)?;
    let mut buffer = vec![0; BUFFER];
    let mut events = Vec::<Event>::with_capacity(1);
    loop {
        wait(&poll, &mut events)?;
        while let Some((count, from)) = would_block_as_none(socket.recv_from(&mut buffer))? {
            socket.send_to(&buffer[..count], from)?;
        }
    }
}

fn wait(poll: &OwnedFd, events: &mut Vec<Event>) -> Result<()> {
    events.clear();
    match epoll::wait(poll, rustix::buffer::spare_capacity(events), None) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn would_block_as_none<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
        Err(error) => Err(error),
    }
}

/// A stream that can be set to non-blocking mode.
trait Nonblocking {
    fn make_nonblocking(&self) -> Result<()>;
}

impl Nonblocking for std::net::TcpStream {
    fn make_nonblocking(&self) -> Result<()> {
        self.set_nonblocking(true)
    }
}

impl Nonblocking for std::os::unix::net::UnixStream {
    fn make_nonblocking(&self) -> Result<()> {
        self.set_nonblocking(true)
    }
}
