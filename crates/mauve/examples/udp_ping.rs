//! Sends datagrams to an echo server and measures the round-trip time.
//!
//! `cargo run -p mauve --example udp_ping` pings a server of its own;
//! `cargo run -p mauve --example udp_ping 192.0.2.7:7` pings the one at that address.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::{Duration, Instant};

use mauve::net::UdpSocket;
use mauve::{sleep, spawn, timeout};

const COUNT: u32 = 5;
const TIMEOUT: Duration = Duration::from_secs(1);
const INTERVAL: Duration = Duration::from_millis(200);

#[mauve::main]
async fn main() -> io::Result<()> {
    let address = match std::env::args().nth(1) {
        Some(address) => address.parse().map_err(io::Error::other)?,
        None => spawn_echo_server().await?,
    };
    ping(address).await
}

/// Spawns a task that echoes datagrams.
async fn spawn_echo_server() -> io::Result<SocketAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let address = socket.local_addr()?;
    spawn(serve(socket));
    Ok(address)
}

async fn serve(socket: UdpSocket) -> io::Result<()> {
    let mut buffer = vec![0; 65536];
    loop {
        let (count, from) = socket.recv_from(&mut buffer).await?;
        socket.send_to(&buffer[..count], from).await?;
    }
}

async fn ping(address: SocketAddr) -> io::Result<()> {
    let any_address: SocketAddr = match address {
        SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
        SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
    };
    let socket = UdpSocket::bind(any_address).await?;
    socket.connect(address).await?;
    let mut received = 0;
    for number in 1..=COUNT {
        let start = Instant::now();
        socket.send(&number.to_be_bytes()).await?;
        match timeout(TIMEOUT, receive_reply(&socket, number)).await {
            Ok(result) => {
                result?;
                received += 1;
                println!("{address}: reply {number} after {:?}", start.elapsed());
            }
            Err(_) => println!("{address}: no reply to {number}"),
        }
        sleep(INTERVAL).await;
    }
    println!("{received} of {COUNT} replies received");
    Ok(())
}

/// Waits for the reply to one ping, and skips late replies to earlier ones.
async fn receive_reply(socket: &UdpSocket, number: u32) -> io::Result<()> {
    let mut buffer = [0; 64];
    loop {
        let count = socket.recv(&mut buffer).await?;
        if buffer[..count] == number.to_be_bytes() {
            return Ok(());
        }
    }
}
