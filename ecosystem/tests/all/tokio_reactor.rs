//! Crates that call tokio's runtime: they panic, unless async-compat gives them one.

use async_compat::Compat;
use axum::{Router, routing::get};
use mauve::net::TcpListener;

use crate::run;

#[test]
fn reqwest_with_async_compat() {
    run(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let router = Router::new().route("/", get(async || "hello"));
        mauve::spawn(async move { mauve_hyper::serve(listener, router).await });
        // tokio's reactor is a thread that async-compat starts. The future is polled by the loop.
        let text = Compat::new(async { reqwest::get(url).await?.text().await }).await;
        assert_eq!(text.unwrap(), "hello");
    });
}

#[test]
fn reqwest_alone_panics() {
    run(async {
        let task = mauve::spawn(async { drop(reqwest::get("http://127.0.0.1:9/").await) });
        let panic = task.await.unwrap_err().into_panic();
        let message = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let message = message.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap();
        assert!(message.contains("no reactor running"), "{message}");
    });
}

#[test]
fn a_stream_of_tokio_with_async_compat() {
    use futures_lite::{AsyncReadExt, AsyncWriteExt};
    run(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stream = Compat::new(async move { tokio::net::TcpStream::connect(address).await });
        let mut stream = Compat::new(stream.await.unwrap());
        let (mut peer, _) = listener.accept().await.unwrap();
        stream.write_all(b"hello").await.unwrap();
        let mut buffer = [0; 5];
        peer.read_exact(&mut buffer).await.unwrap();
        assert_eq!(&buffer, b"hello");
    });
}
