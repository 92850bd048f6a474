//! [hyper] 1 on mauve's event loop: HTTP/1 and HTTP/2, servers and clients.
//!
//! ```
//! use std::convert::Infallible;
//! use http_body_util::{BodyExt as _, Empty, Full};
//! use hyper::body::Bytes;
//! use hyper::service::service_fn;
//! use hyper::{Request, Response, Uri};
//! use mauve::Loop;
//! use mauve::net::TcpListener;
//! use mauve_hyper::{MauveIo, MauveTimer};
//!
//! let lp: Loop = Loop::new()?;
//! lp.block_on(async {
//!     let listener = TcpListener::bind("127.0.0.1:0").await?;
//!     let uri: Uri = format!("http://{}/", listener.local_addr()?).parse()?;
//!     mauve::spawn(async move {
//!         let (stream, _) = listener.accept().await.unwrap();
//!         let hello = service_fn(async |_| {
//!             Ok::<_, Infallible>(Response::new(Full::new(Bytes::from("hello"))))
//!         });
//!         let mut server = hyper::server::conn::http1::Builder::new();
//!         server.timer(MauveTimer).serve_connection(MauveIo::new(stream), hello).await
//!     });
//!
//!     let io = mauve_hyper::connect(&uri).await?;
//!     let (mut client, connection) = hyper::client::conn::http1::handshake(io).await?;
//!     mauve::spawn(connection);
//!     let request = Request::get(uri).body(Empty::<Bytes>::new())?;
//!     let response = client.send_request(request).await?;
//!     assert_eq!(response.into_body().collect().await?.to_bytes(), "hello");
//!     Ok::<(), Box<dyn std::error::Error>>(())
//! })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Streams and tasks of mauve stay on their thread, so services and bodies need not be `Send`.
//!
//! # Features
//! - `http1` and `http2`, both on by default.
//! - `server`: `serve` runs a service of tower, such as a router of axum or tonic, with graceful
//!   shutdown, and `TimeoutLayer` limits the time of its requests.
//! - `client`: `MauveConnector` for the client of hyper-util, which has a pool of connections. Without
//!   it, use [`connect()`] and [`hyper::client::conn`].

#![forbid(unsafe_code)]

#[cfg(any(feature = "client", feature = "server"))]
mod bound_io;
mod connect;
#[cfg(feature = "client")]
mod connector;
mod detect;
mod executor;
mod io;
#[cfg(feature = "server")]
mod serve;
#[cfg(feature = "server")]
mod timeout;
mod timer;

pub use connect::connect;
#[cfg(feature = "client")]
pub use connector::{Connecting, MauveConnection, MauveConnector};
pub use detect::{Protocol, detect};
pub use executor::MauveExecutor;
pub use io::MauveIo;
#[cfg(feature = "server")]
pub use serve::{Listener, Serve, serve};
#[cfg(feature = "server")]
pub use timeout::{TimeoutFuture, TimeoutLayer, TimeoutService};
pub use timer::{MauveSleep, MauveTimer};
