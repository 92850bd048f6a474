//! The server: one task per connection, which runs hyper.

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

/// Accepts and serves connections for ever.
pub async fn serve(listener: TcpListener) -> io::Result<()> {
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        mauve::spawn(async move {
            let connection =
                http1::Builder::new().serve_connection(HyperIo::new(stream), service_fn(respond));
            if let Err(error) = connection.await {
                eprintln!("connection lost: {error}");
            }
        });
    }
}

/// Responds with the request line and the size of the body.
async fn respond(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, hyper::Error> {
    let line = format!("{} {}", request.method(), request.uri().path());
    let size = request.into_body().collect().await?.to_bytes().len();
    let text = match size {
        0 => format!("{line} on mauve\n"),
        size => format!("{line} on mauve, {size} bytes\n"),
    };
    Ok(Response::new(Full::new(Bytes::from(text))))
}

/// Adapts a stream to hyper's I/O traits.
struct HyperIo {
    stream: TcpStream,
    buffer: Box<[u8]>,
}

impl HyperIo {
    fn new(stream: TcpStream) -> Self {
        Self { stream, buffer: vec![0; 16 * 1024].into() }
    }
}

impl hyper::rt::Read for HyperIo {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        mut cursor: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let length = cursor.remaining().min(this.buffer.len());
        let buffer = &mut this.buffer[..length];
        let count = ready!(Pin::new(&mut this.stream).poll_read(context, buffer))?;
        cursor.put_slice(&buffer[..count]);
        Poll::Ready(Ok(()))
    }
}

impl hyper::rt::Write for HyperIo {
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
