//! Streams and sockets.

use futures_lite::{AsyncReadExt, AsyncWriteExt};
use mauve::net::{TcpListener, TcpStream, UnixStream};

use crate::run;

#[test]
fn tokio_util_compat_and_codec() {
    use futures::{SinkExt, StreamExt};
    use tokio_util::codec::{Framed, LinesCodec};
    use tokio_util::compat::FuturesAsyncReadCompatExt;
    run(async {
        let (one, two) = UnixStream::pair().unwrap();
        let mut one = Framed::new(one.compat(), LinesCodec::new());
        let mut two = Framed::new(two.compat(), LinesCodec::new());
        one.send("hello").await.unwrap();
        assert_eq!(two.next().await.unwrap().unwrap(), "hello");
    });
}

#[test]
fn async_compression() {
    use async_compression::futures::{bufread::GzipDecoder, write::GzipEncoder};
    run(async {
        let (one, two) = UnixStream::pair().unwrap();
        let text = "hello ".repeat(1000);
        let sent = text.clone();
        mauve::spawn(async move {
            let mut encoder = GzipEncoder::new(one);
            encoder.write_all(sent.as_bytes()).await.unwrap();
            encoder.close().await.unwrap();
        });
        let mut received = String::new();
        let mut decoder = GzipDecoder::new(mauve::io::BufReader::new(two));
        decoder.read_to_string(&mut received).await.unwrap();
        assert!(received == text);
    });
}

#[test]
fn socket2() {
    run(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let socket = socket2::SockRef::from(&stream);
        socket.set_tos_v4(16).unwrap();
        assert_eq!(socket.tos_v4().unwrap(), 16);
    });
}

#[test]
fn async_io() {
    run(async {
        // Its reactor is a thread of its own.
        async_io::Timer::after(std::time::Duration::from_millis(1)).await;
        let listener = async_io::Async::<std::net::TcpListener>::bind(([127, 0, 0, 1], 0)).unwrap();
        let mut client =
            TcpStream::connect(listener.get_ref().local_addr().unwrap()).await.unwrap();
        let (mut peer, _) = listener.accept().await.unwrap();
        client.write_all(b"hello").await.unwrap();
        let mut buffer = [0; 5];
        peer.read_exact(&mut buffer).await.unwrap();
        assert_eq!(&buffer, b"hello");
    });
}
