//! The peer of a flooded socket: a thread with blocking calls.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::Flood;
use crate::server::any_port;

/// A thread that keeps a socket ready. Dropping it ends the thread; the socket at the other end has to
/// be closed first.
pub struct Peer {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    address: SocketAddr,
}

/// Size of the peer's own reads and writes.
const CHUNK: usize = 256 << 10;

impl Peer {
    /// Starts the peer of a socket that is bound to `address`.
    pub fn start(flood: Flood, address: SocketAddr) -> io::Result<Self> {
        // The target of datagrams that are never received.
        let unread = UdpSocket::bind(any_port())?;
        let unread_address = unread.local_addr()?;
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let thread = thread::spawn(move || {
            let run = || !stopped.load(Ordering::Relaxed);
            // An error means that the measured side has closed its socket.
            let _ = match flood {
                Flood::Read(_) => write(address),
                Flood::Write(_) => read(address),
                Flood::Receive(size) => send(address, size, run),
                Flood::Accept => connect(address, run),
                Flood::Send(_) => {
                    while run() {
                        thread::sleep(Duration::from_millis(1));
                    }
                    drop(unread);
                    Ok(())
                }
            };
        });
        Ok(Self { stop, thread: Some(thread), address: unread_address })
    }

    /// Where to send datagrams.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the peer does not panic");
        }
    }
}

fn write(address: SocketAddr) -> io::Result<()> {
    let mut stream = TcpStream::connect(address)?;
    let chunk = vec![0; CHUNK];
    loop {
        stream.write_all(&chunk)?;
    }
}

fn read(address: SocketAddr) -> io::Result<()> {
    let mut stream = TcpStream::connect(address)?;
    let mut chunk = vec![0; CHUNK];
    while stream.read(&mut chunk)? > 0 {}
    Ok(())
}

fn send(address: SocketAddr, size: usize, run: impl Fn() -> bool) -> io::Result<()> {
    let socket = UdpSocket::bind(any_port())?;
    let datagram = vec![0; size];
    while run() {
        socket.send_to(&datagram, address)?;
    }
    Ok(())
}

fn connect(address: SocketAddr, run: impl Fn() -> bool) -> io::Result<()> {
    while run() {
        // Waits for the measured side to close, so that its port is the one that stays reserved.
        let mut stream = TcpStream::connect(address)?;
        // A reset is an end, too.
        let _ = stream.read(&mut [0]);
    }
    Ok(())
}
