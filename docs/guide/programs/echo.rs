//! A server that sends back what it receives, and a client, on one loop.

use std::io;

use futures_lite::{AsyncReadExt as _, AsyncWriteExt as _};
use mauve::net::{TcpListener, TcpStream};

#[mauve::main]
async fn main() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let server = mauve::spawn(async move {
        let (mut connection, _) = listener.accept().await?;
        println!("server: a connection");
        let mut buffer = [0; 1024];
        loop {
            let count = connection.read(&mut buffer).await?;
            if count == 0 {
                println!("server: end of the stream, closes");
                return io::Result::Ok(());
            }
            println!("server: received {}", String::from_utf8_lossy(&buffer[..count]));
            connection.write_all(&buffer[..count]).await?;
        }
    });

    let mut client = TcpStream::connect(address).await?;
    client.write_all(b"hello").await?;
    let mut buffer = [0; 1024];
    let count = client.read(&mut buffer).await?;
    println!("client: received {}", String::from_utf8_lossy(&buffer[..count]));
    client.close().await?;
    println!("client: then {} bytes", client.read(&mut buffer).await?);
    server.await?
}
