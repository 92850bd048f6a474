//! The server of the WebSocket example, with a client of tungstenite.

#[path = "../examples/websocket/server.rs"]
mod server;

use async_tungstenite::WebSocketStream;
use async_tungstenite::tungstenite::Message;
use futures_lite::StreamExt as _;
use mauve::net::{TcpListener, TcpStream};

/// Starts the server, and connects to it.
async fn connect() -> WebSocketStream<TcpStream> {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(mauve::spawn(server::serve(listener)));
    let stream = TcpStream::connect(address).await.unwrap();
    let (socket, _) =
        async_tungstenite::client_async(format!("ws://{address}/"), stream).await.unwrap();
    socket
}

#[mauve::test]
async fn texts_and_large_binary_messages_are_echoed() {
    let mut socket = connect().await;
    let binary: Vec<u8> = (0..3_000_000_u32).map(|i| (i / 3) as u8).collect();
    for message in [Message::text("hello"), Message::binary(binary), Message::text("")] {
        socket.send(message.clone()).await.unwrap();
        assert!(socket.next().await.unwrap().unwrap() == message);
    }
}

#[mauve::test]
async fn a_ping_is_answered_and_the_connection_closes_in_order() {
    let mut socket = connect().await;
    socket.send(Message::Ping("ping".into())).await.unwrap();
    assert_eq!(socket.next().await.unwrap().unwrap(), Message::Pong("ping".into()));
    socket.close(None).await.unwrap();
    while let Some(message) = socket.next().await {
        assert!(message.unwrap().is_close());
    }
}
