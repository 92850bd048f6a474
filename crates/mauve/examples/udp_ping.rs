//! Sends datagrams to an echo and measures how long they take.
//!
//! `cargo run -p mauve --example udp_ping` pings an echo of its own;
//! `cargo run -p mauve --example udp_ping 192.0.2.7:7` pings the one at that address.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::{Duration, Instant};

use mauve::net::UdpSocket;
use mauve::{Loop, sleep, spawn, timeout};

const COUNT: u32 = 5;
const PATIENCE: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(200);

fn main() -> io::Result<()> {
    let lp: Loop = Loop::new()?;
    lp.block_on(async {
        let address = match std::env::args().nth(1) {
            Some(address) => address.parse().map_err(io::Error::other)?,
            None => echo()?,
        };
        ping(address).await
    })
}

/// Starts a task that sends back whatever it gets.
fn echo() -> io::Result<SocketAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0).into())?;
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
    let anywhere: SocketAddr = match address {
        SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
        SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
    };
    let socket = UdpSocket::bind(anywhere)?;
    socket.connect(address)?;
    let mut answered = 0;
    for number in 1..=COUNT {
        let begin = Instant::now();
        socket.send(&number.to_be_bytes()).await?;
        match timeout(PATIENCE, answer(&socket, number)).await {
            Ok(result) => {
                result?;
                answered += 1;
                println!("{address}: {number} came back after {:?}", begin.elapsed());
            }
            Err(_) => println!("{address}: no answer to {number}"),
        }
        sleep(PAUSE).await;
    }
    println!("{answered} of {COUNT} came back");
    Ok(())
}

/// Waits for the answer to one ping; a late one to another is passed over.
async fn answer(socket: &UdpSocket, number: u32) -> io::Result<()> {
    let mut buffer = [0; 64];
    loop {
        let count = socket.recv(&mut buffer).await?;
        if buffer[..count] == number.to_be_bytes() {
            return Ok(());
        }
    }
}
