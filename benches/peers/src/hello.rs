//! HTTP/1 with hyper, on mauve's tasks and on tokio: a short response to each request, and hyper's limit
//! for the time of a request's head.

use std::convert::Infallible;
use std::io::Result;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use mauve::Loop;
use mauve_bench::server::{any_port, ready};
use mauve_hyper::{MauveIo, MauveTimer};
use tokio::runtime::Builder;

/// Serves until it is killed.
pub fn serve(api: &str) -> std::result::Result<(), String> {
    let served = match api {
        "tasks" => on_mauve(),
        "tokio" => on_tokio(),
        _ => return Err(format!("no such api: {api}")),
    };
    served.map_err(|error| error.to_string())
}

async fn hello(_: Request<Incoming>) -> std::result::Result<Response<Full<Bytes>>, Infallible> {
    Ok(Response::new(Full::new(Bytes::from_static(b"hello"))))
}

fn on_mauve() -> Result<()> {
    let lp: Loop = Loop::new()?;
    lp.block_on(async {
        let listener = mauve::net::TcpListener::bind(any_port()).await?;
        ready(listener.local_addr()?);
        loop {
            let (peer, _) = listener.accept().await?;
            peer.set_nodelay(true)?;
            mauve::spawn(async {
                http1::Builder::new()
                    .timer(MauveTimer)
                    .serve_connection(MauveIo::new(peer), service_fn(hello))
                    .await
            });
        }
    })
}

fn on_tokio() -> Result<()> {
    Builder::new_current_thread().enable_all().build()?.block_on(async {
        let listener = tokio::net::TcpListener::bind(any_port()).await?;
        ready(listener.local_addr()?);
        loop {
            let (peer, _) = listener.accept().await?;
            peer.set_nodelay(true)?;
            tokio::spawn(async {
                http1::Builder::new()
                    .timer(TokioTimer::new())
                    .serve_connection(TokioIo::new(peer), service_fn(hello))
                    .await
            });
        }
    })
}
