//! Streams on loopback: with callbacks, and for tasks.

mod accepted;
#[cfg(unix)]
mod async_fd;
mod callbacks;
mod connect;
mod fairness;
#[cfg(unix)]
mod queued;
mod tasks;
mod tcp_options;
#[cfg(unix)]
mod unix;
#[cfg(unix)]
mod unix_std;
mod unread_data;
mod waiters;

use std::io::Result;
use std::net::SocketAddr;
use std::ops::Range;

use mauve::net::{TcpListener, TcpStream};

/// A loopback address with a port that the kernel chooses.
fn any_port() -> SocketAddr {
    ([127, 0, 0, 1], 0).into()
}

/// A loopback address without a listener.
fn closed_port() -> SocketAddr {
    let socket = std::net::TcpListener::bind(any_port()).unwrap();
    socket.local_addr().unwrap()
}

/// Both ends of a connection.
async fn pair() -> Result<(TcpStream, TcpStream)> {
    let listener = TcpListener::bind(any_port()).await?;
    let client = TcpStream::connect(listener.local_addr()?).await?;
    Ok((client, listener.accept().await?.0))
}

/// Bytes whose pattern shows lost, repeated or reordered parts.
fn pattern(size: usize) -> Vec<u8> {
    part_of_pattern(0..size)
}

fn part_of_pattern(range: Range<usize>) -> Vec<u8> {
    range.map(|i| (i * 7 + i / 251) as u8).collect()
}
