//! The server: a task per connection.

use std::io;

use async_tungstenite::tungstenite::{Error, Message};
use futures_lite::StreamExt as _;
use mauve::net::{TcpListener, TcpStream};

/// Accepts and serves connections for ever.
pub async fn serve(listener: TcpListener) -> io::Result<()> {
    loop {
        let (stream, _) = listener.accept().await?;
        mauve::spawn(async move {
            match echo(stream).await {
                Ok(()) | Err(Error::ConnectionClosed) => {}
                Err(error) => eprintln!("connection lost: {error}"),
            }
        });
    }
}

/// Echoes messages until the client closes the connection.
async fn echo(stream: TcpStream) -> Result<(), Error> {
    stream.set_nodelay(true)?;
    let mut socket = async_tungstenite::accept_async(stream).await?;
    while let Some(message) = socket.next().await {
        // The library answers pings and the closing handshake.
        if let message @ (Message::Text(_) | Message::Binary(_)) = message? {
            socket.send(message).await?;
        }
    }
    Ok(())
}
