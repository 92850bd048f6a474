//! Sends datagrams to itself. Each is received as it was sent, also an empty one.

use std::io;

use mauve::net::UdpSocket;

#[mauve::main]
async fn main() -> io::Result<()> {
    let socket = UdpSocket::bind("127.0.0.1:0").await?;
    let address = socket.local_addr()?;
    for text in ["hello", "", "end"] {
        socket.send_to(text.as_bytes(), address).await?;
    }
    let mut buffer = [0; 1024];
    loop {
        let (count, from) = socket.recv_from(&mut buffer).await?;
        let text = String::from_utf8_lossy(&buffer[..count]);
        println!("from {}: {count} bytes {text:?}", from.ip());
        if text == "end" {
            return Ok(());
        }
    }
}
