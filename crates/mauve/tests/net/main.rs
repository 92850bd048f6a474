//! Streams through the Rust API: with closures, for tasks, and under hyper. Loopback only.

mod closures;
mod corked;
mod edges;
mod http;
mod local;
mod tasks;

use std::net::SocketAddr;
use std::ops::Range;

/// An address at a port of the system's choice.
fn anywhere() -> SocketAddr {
    ([127, 0, 0, 1], 0).into()
}

/// An address at which nobody listens.
fn nowhere() -> SocketAddr {
    let socket = std::net::TcpListener::bind(anywhere()).unwrap();
    socket.local_addr().unwrap()
}

/// Bytes of which no two parts are alike.
fn pattern(size: usize) -> Vec<u8> {
    part_of_pattern(0..size)
}

fn part_of_pattern(range: Range<usize>) -> Vec<u8> {
    range.map(|i| (i * 7 + i / 251) as u8).collect()
}
