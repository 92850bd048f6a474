//! The server itself: a task for each connection, and hyper in each of them.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::{AsyncRead, AsyncWrite};
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::rt::ReadBufCursor;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use mauve::net::{TcpListener, TcpStream};

/// Serves whoever comes, for ever.
pub async fn serve(listener: TcpListener) -> io::Result<()> {
    loop {
        let stream = listener.accept().await?;
        stream.set_nodelay(true)?;
        mauve::spawn(async move {
            let connection =
                http1::Builder::new().serve_connection(Hyper::new(stream), service_fn(answer));
            if let Err(error) = connection.await {
                eprintln!("connection lost: {error}");
            }
        });
    }
}

/// Says what was asked, and how much came with it.
async fn answer(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, hyper::Error> {
    let question = format!("{} {}", request.method(), request.uri().path());
    let size = request.into_body().collect().await?.to_bytes().len();
    let text = match size {
        0 => format!("{question} on mauve\n"),
        size => format!("{question} on mauve, {size} bytes\n"),
    };
    Ok(Response::new(Full::new(Bytes::from(text))))
}

/// A stream as hyper wants it.
struct Hyper {
    stream: TcpStream,
    buffer: Box<[u8]>,
}

impl Hyper {
    fn new(stream: TcpStream) -> Self {
        Self { stream, buffer: vec![0; 16 * 1024].into() }
    }
}

impl hyper::rt::Read for Hyper {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        mut cursor: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let room = cursor.remaining().min(this.buffer.len());
        let buffer = &mut this.buffer[..room];
        let count = ready!(Pin::new(&mut this.stream).poll_read(context, buffer))?;
        cursor.put_slice(&buffer[..count]);
        Poll::Ready(Ok(()))
    }
}

impl hyper::rt::Write for Hyper {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_close(context)
    }
}
