//! Servers: a service of tower, and the connections of a listener.

mod http1;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::future::{Future, IntoFuture, pending, poll_fn};
use std::io;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use futures_io::{AsyncRead, AsyncWrite};
use hyper::body::{Body, Incoming};
use hyper::server::conn::http2;
use hyper::service::HttpService;
use hyper::{Request, Response};
use hyper_util::service::TowerToHyperService;
use mauve::JoinSet;
use mauve::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tower_service::Service;

use crate::{MauveExecutor, MauveIo, MauveTimer, Protocol, detect};

/// Time for the first bytes of a connection, and for the head of a request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(30);

/// Serves HTTP/1 and HTTP/2 on one port, with a service of tower: a router of axum or tonic, or any
/// other that is `Clone`. Needs the feature `server`.
///
/// Awaiting the result accepts connections, each in a task of its own, until the
/// [shutdown](Serve::with_graceful_shutdown). Dropping it closes them all.
///
/// A service may upgrade a connection of HTTP/1 with [`hyper::upgrade::on`], for example to WebSockets. The
/// shutdown does not wait for those.
///
/// The service stays on the thread of the loop, so it need not be `Send`. That of axum and tonic is, and
/// their handlers have to be: [`ThreadBound`](mauve::ThreadBound) and
/// [`LoopHandle::run`](mauve::LoopHandle::run) let them use sockets of the loop.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let lp: mauve::Loop = mauve::Loop::new()?;
/// # lp.block_on(async {
/// use std::convert::Infallible;
/// use http_body_util::Full;
/// use hyper::{Request, Response, body::{Bytes, Incoming}};
/// use mauve::net::TcpListener;
///
/// let service = tower::service_fn(async |_: Request<Incoming>| {
///     Ok::<_, Infallible>(Response::new(Full::new(Bytes::from("hello"))))
/// });
/// let listener = TcpListener::bind("127.0.0.1:0").await?;
/// # let address = listener.local_addr()?;
/// let server = mauve_hyper::serve(listener, service)
///     .with_graceful_shutdown(async { drop(mauve::signal::ctrl_c().await) });
/// # mauve::spawn(async move {
/// #     use futures_lite::{AsyncReadExt, AsyncWriteExt};
/// #     let mut client = mauve::net::TcpStream::connect(address).await.unwrap();
/// #     client.write_all(b"GET / HTTP/1.1\r\nhost: here\r\n\r\n").await.unwrap();
/// #     client.read(&mut [0; 1000]).await.unwrap();
/// #     let kind = mauve::signal::SignalKind::interrupt();
/// #     mauve::process::kill(std::process::id(), kind).unwrap();
/// # });
/// server.await?;
/// # Ok(())
/// # })
/// # }
/// ```
pub fn serve<L: Listener, S>(listener: L, service: S) -> Serve<L, S> {
    Serve { listener, service, shutdown: Box::pin(pending()), header_timeout: HEADER_TIMEOUT }
}

/// A source of connections for [`serve`].
pub trait Listener: 'static {
    /// A connection.
    type Io: AsyncRead + AsyncWrite + Unpin + 'static;

    /// Accepts the next connection. An error ends the server, so an error of one connection is to be
    /// skipped.
    ///
    /// # Cancel safety
    /// No connection may be lost if the future is dropped before it completes.
    fn accept(&self) -> impl Future<Output = io::Result<Self::Io>>;
}

impl Listener for TcpListener {
    type Io = TcpStream;

    /// Sets `TCP_NODELAY` on the connections.
    async fn accept(&self) -> io::Result<TcpStream> {
        let (stream, _) = self.accept_next().await?;
        // Fails only if the peer has gone, which is noticed soon enough.
        let _ = stream.set_nodelay(true);
        Ok(stream)
    }
}

impl Listener for UnixListener {
    type Io = UnixStream;

    async fn accept(&self) -> io::Result<UnixStream> {
        Ok(self.accept_next().await?.0)
    }
}

/// A server: see [`serve`]. It runs when it is awaited.
#[must_use = "a server runs when it is awaited"]
pub struct Serve<L, S> {
    listener: L,
    service: S,
    shutdown: Pin<Box<dyn Future<Output = ()>>>,
    header_timeout: Duration,
}

impl<L, S> Serve<L, S> {
    /// Ends the server when `signal` completes: it closes the listener, and connections that are idle or
    /// have not sent a complete head, and completes after the last request of the others. To limit that
    /// time, also for clients of HTTP/2 that have stopped to respond, use [`timeout`](mauve::timeout()).
    pub fn with_graceful_shutdown(mut self, signal: impl Future<Output = ()> + 'static) -> Self {
        self.shutdown = Box::pin(signal);
        self
    }

    /// Sets how long a client may take for the first bytes of a connection, and for the head of a
    /// request. The default is 30 seconds.
    pub fn header_timeout(mut self, timeout: Duration) -> Self {
        self.header_timeout = timeout;
        self
    }
}

impl<L, S> fmt::Debug for Serve<L, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Serve")
            .field("header_timeout", &self.header_timeout)
            .finish_non_exhaustive()
    }
}

/// Errors of services and bodies convert to this.
type BoxError = Box<dyn Error + Send + Sync>;

impl<L, S, B> IntoFuture for Serve<L, S>
where
    L: Listener,
    S: Service<Request<Incoming>, Response = Response<B>, Error: Into<BoxError>> + Clone + 'static,
    S::Future: 'static,
    B: Body<Error: Into<BoxError>> + 'static,
{
    /// An error is that of the listener.
    type Output = io::Result<()>;
    type IntoFuture = Pin<Box<dyn Future<Output = io::Result<()>>>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(run(self))
    }
}

async fn run<L, S, B>(server: Serve<L, S>) -> io::Result<()>
where
    L: Listener,
    S: Service<Request<Incoming>, Response = Response<B>, Error: Into<BoxError>> + Clone + 'static,
    S::Future: 'static,
    B: Body<Error: Into<BoxError>> + 'static,
{
    let Serve { listener, service, mut shutdown, header_timeout } = server;
    let requested = Rc::new(ShutdownRequest::default());
    let mut connections = JoinSet::new();
    loop {
        let mut accept = pin!(listener.accept());
        let accepted = poll_fn(|context| match shutdown.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(None),
            Poll::Pending => accept.as_mut().poll(context).map(Some),
        });
        let Some(stream) = accepted.await.transpose()? else { break };
        let (service, requested) = (service.clone(), requested.clone());
        connections.spawn(serve_connection(stream, service, requested, header_timeout));
        while connections.try_join_next().is_some() {}
    }
    drop(listener);
    requested.request();
    while connections.join_next().await.is_some() {}
    Ok(())
}

/// Serves one connection. Its errors are those of the client, and end it.
async fn serve_connection<T, S, B>(
    stream: T,
    service: S,
    shutdown: Rc<ShutdownRequest>,
    header_timeout: Duration,
) where
    T: AsyncRead + AsyncWrite + Unpin + 'static,
    S: Service<Request<Incoming>, Response = Response<B>, Error: Into<BoxError>> + Clone + 'static,
    S::Future: 'static,
    B: Body<Error: Into<BoxError>> + 'static,
{
    let mut shutdown = ShutdownWaiter { request: shutdown, key: None };
    let mut detected = pin!(mauve::timeout(header_timeout, detect(stream)));
    let detected = poll_fn(|context| match shutdown.poll(context) {
        Poll::Ready(()) => Poll::Ready(None),
        Poll::Pending => detected.as_mut().poll(context).map(Some),
    });
    let Some(Ok(Ok((protocol, io)))) = detected.await else { return };
    let service = TowerToHyperService::new(service);
    match protocol {
        Protocol::Http1 => http1::serve(io, service, shutdown, header_timeout).await,
        Protocol::Http2 => serve_http2(io, service, shutdown).await,
    }
}

/// Serves a connection of HTTP/2 until it ends. At the shutdown it ends after its requests.
async fn serve_http2<T, S, B>(io: MauveIo<T>, service: S, mut shutdown: ShutdownWaiter)
where
    T: AsyncRead + AsyncWrite + Unpin + 'static,
    S: HttpService<Incoming, ResBody = B, Future: 'static, Error: Into<BoxError>>,
    B: Body<Error: Into<BoxError>> + 'static,
{
    let mut server = http2::Builder::new(MauveExecutor);
    server.timer(MauveTimer);
    let mut connection = pin!(server.serve_connection(io, service));
    let mut requested = false;
    poll_fn(|context| {
        if !requested && shutdown.poll(context).is_ready() {
            requested = true;
            connection.as_mut().graceful_shutdown();
        }
        connection.as_mut().poll(context).map(drop)
    })
    .await;
}

/// Whether the shutdown of a server is requested, and the tasks of its connections.
#[derive(Default)]
struct ShutdownRequest {
    requested: Cell<bool>,
    wakers: RefCell<HashMap<usize, Waker>>,
    next_key: Cell<usize>,
}

impl ShutdownRequest {
    fn request(&self) {
        self.requested.set(true);
        self.wakers.take().into_values().for_each(Waker::wake);
    }
}

/// A connection that waits for the shutdown. Its task has one waker, which is registered once.
struct ShutdownWaiter {
    request: Rc<ShutdownRequest>,
    key: Option<usize>,
}

impl ShutdownWaiter {
    fn poll(&mut self, context: &Context<'_>) -> Poll<()> {
        if self.request.requested.get() {
            return Poll::Ready(());
        }
        if self.key.is_none() {
            let key = self.request.next_key.get();
            self.request.next_key.set(key + 1);
            self.request.wakers.borrow_mut().insert(key, context.waker().clone());
            self.key = Some(key);
        }
        Poll::Pending
    }
}

impl Drop for ShutdownWaiter {
    fn drop(&mut self) {
        if let Some(key) = self.key {
            let waker = self.request.wakers.borrow_mut().remove(&key);
            drop(waker);
        }
    }
}
