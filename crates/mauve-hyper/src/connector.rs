//! The connector for the client of hyper-util.

use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::Uri;
use hyper_util::client::legacy::connect::{Connected, Connection};
use mauve::ThreadBound;
use mauve::net::TcpStream;
use tower_service::Service;

use crate::bound_io::impl_bound_io;
use crate::{MauveIo, connect};

/// Opens the connections of hyper-util's `Client`, on the loop that runs on this thread. Needs the
/// feature `client`.
///
/// The client has a pool of connections, and is `Send` and `Sync`. But it has to be used on the
/// thread of its connections: another thread that polls one panics.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let lp: mauve::Loop = mauve::Loop::new()?;
/// # lp.block_on(async {
/// use http_body_util::{BodyExt, Empty};
/// use hyper::body::Bytes;
/// use hyper_util::client::legacy::Client;
/// use mauve_hyper::{MauveConnector, MauveExecutor, MauveTimer};
///
/// # let listener = mauve::net::TcpListener::bind("127.0.0.1:0").await?;
/// # let address = listener.local_addr()?;
/// # mauve::spawn(async move {
/// #     use futures_lite::{AsyncReadExt, AsyncWriteExt};
/// #     let (mut stream, _) = listener.accept().await.unwrap();
/// #     stream.read(&mut [0; 1000]).await.unwrap();
/// #     stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello").await.unwrap();
/// # });
/// let mut builder = Client::builder(MauveExecutor);
/// let client = builder.pool_timer(MauveTimer).build::<_, Empty<Bytes>>(MauveConnector);
/// let response = client.get(format!("http://{address}/").parse()?).await?;
/// assert_eq!(response.into_body().collect().await?.to_bytes(), "hello");
/// # Ok(())
/// # })
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct MauveConnector;

impl Service<Uri> for MauveConnector {
    type Response = MauveConnection;
    type Error = io::Error;
    type Future = Connecting;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    /// # Panics
    /// The future panics if no loop runs on its thread.
    fn call(&mut self, uri: Uri) -> Connecting {
        Connecting(ThreadBound::new(Box::pin(async move { connect(&uri).await })))
    }
}

/// The future of [`MauveConnector`].
pub struct Connecting(ThreadBound<Pin<Box<ConnectFuture>>>);

type ConnectFuture = dyn Future<Output = io::Result<MauveIo<TcpStream>>>;

impl Future for Connecting {
    type Output = io::Result<MauveConnection>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let connected = self.0.with(|connecting| connecting.as_mut().poll(context));
        connected.map(|io| io.map(|io| MauveConnection(ThreadBound::new(io))))
    }
}

impl fmt::Debug for Connecting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connecting").finish_non_exhaustive()
    }
}

/// A connection of [`MauveConnector`].
#[derive(Debug)]
pub struct MauveConnection(ThreadBound<MauveIo<TcpStream>>);

impl Connection for MauveConnection {
    fn connected(&self) -> Connected {
        Connected::new()
    }
}

impl_bound_io!(MauveConnection);
