//! HTTP servers and clients: axum, tonic, tower, hyper-util, ureq.

use std::cell::Cell;
use std::future::pending;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Json, Router, routing::get};
use http_body_util::{BodyExt, Empty, Full};
use hyper::body::Bytes;
use hyper_util::client::legacy::Client;
use mauve::net::TcpListener;
use mauve::{Loop, LoopHandle, ThreadBound};
use mauve_hyper::{MauveConnector, MauveExecutor, MauveTimer, TimeoutLayer, serve};

use crate::run;

/// Starts a server on the loop that runs.
async fn start(router: Router) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    mauve::spawn(async move { serve(listener, router).await });
    address
}

async fn fetch(address: SocketAddr, path: &str) -> (u16, Bytes) {
    let mut builder = Client::builder(MauveExecutor);
    let client = builder.pool_timer(MauveTimer).build::<_, Empty<Bytes>>(MauveConnector);
    let response = client.get(format!("http://{address}{path}").parse().unwrap()).await.unwrap();
    let status = response.status().as_u16();
    (status, response.into_body().collect().await.unwrap().to_bytes())
}

/// A value that is `!Send`, as sockets of a loop are.
async fn not_send() -> u32 {
    let value = Rc::new(Cell::new(41));
    mauve::sleep(Duration::from_millis(1)).await;
    value.set(value.get() + 1);
    value.get()
}

#[test]
fn axum() {
    run(async {
        let router = Router::new()
            .route("/", get(async || Json(serde_json::json!({ "hello": "axum" }))))
            // What is not `Send`, on this thread.
            .route("/bound", get(|| ThreadBound::future(async { not_send().await.to_string() })))
            // The same on any thread: the handler would also work on tokio's.
            .route(
                "/remote",
                get(async |State(handle): State<LoopHandle>| {
                    handle.run(async || not_send().await.to_string()).await.unwrap()
                }),
            )
            .with_state(Loop::current().handle());
        let address = start(router).await;
        assert_eq!(fetch(address, "/").await, (200, r#"{"hello":"axum"}"#.into()));
        assert_eq!(fetch(address, "/bound").await, (200, "42".into()));
        assert_eq!(fetch(address, "/remote").await, (200, "42".into()));
        assert_eq!(fetch(address, "/missing").await.0, 404);
    });
}

#[test]
fn tower_and_tower_http() {
    use axum::error_handling::HandleErrorLayer;
    use tower::ServiceBuilder;
    use tower_http::set_header::SetResponseHeaderLayer;
    run(async {
        let header = hyper::header::HeaderName::from_static("x-loop");
        let value = hyper::header::HeaderValue::from_static("mauve");
        let layers = ServiceBuilder::new()
            .layer(SetResponseHeaderLayer::overriding(header, value))
            .layer(HandleErrorLayer::new(async |_: axum::BoxError| StatusCode::GATEWAY_TIMEOUT))
            .concurrency_limit(10)
            .layer(TimeoutLayer::new(Duration::from_millis(20)));
        let router = Router::new()
            .route("/fast", get(async || "fast"))
            .route("/slow", get(pending::<String>))
            .layer(layers);
        let address = start(router).await;
        assert_eq!(fetch(address, "/fast").await, (200, "fast".into()));
        assert_eq!(fetch(address, "/slow").await.0, 504);
    });
}

#[test]
fn tonic() {
    use tonic_health::pb::HealthCheckRequest;
    use tonic_health::pb::health_client::HealthClient;
    run(async {
        let (reporter, service) = tonic_health::server::health_reporter();
        reporter.set_service_status("loop", tonic_health::ServingStatus::Serving).await;
        let routes = tonic::service::Routes::new(service).prepare();
        let address = start(routes.into_axum_router()).await;

        let mut builder = Client::builder(MauveExecutor);
        let client = builder.http2_only(true).build(MauveConnector);
        let origin = format!("http://{address}").parse().unwrap();
        let mut client = HealthClient::with_origin(client, origin);
        let request = |service: &str| HealthCheckRequest { service: service.to_owned() };
        let response = client.check(request("loop")).await.unwrap().into_inner();
        assert_eq!(response.status, tonic_health::ServingStatus::Serving as i32);
        let error = client.check(request("other")).await.unwrap_err();
        assert_eq!(error.code(), tonic::Code::NotFound);
        // A stream of the server.
        let mut watched = client.watch(request("loop")).await.unwrap().into_inner();
        assert!(watched.message().await.unwrap().is_some());
    });
}

#[test]
fn ureq() {
    run(async {
        let address = start(Router::new().route("/", get(async || "hello"))).await;
        let text = mauve::spawn_blocking(move || {
            ureq::get(&format!("http://{address}/")).call()?.body_mut().read_to_string()
        });
        assert_eq!(text.await.unwrap().unwrap(), "hello");
    });
}

#[test]
fn bodies_of_requests_reach_axum() {
    run(async {
        let router = Router::new().route("/", axum::routing::post(async |body: String| body));
        let address = start(router).await;
        let client = Client::builder(MauveExecutor).build::<_, Full<Bytes>>(MauveConnector);
        let request = hyper::Request::post(format!("http://{address}/"));
        let sent = "text ".repeat(100_000);
        let request = request.body(Full::new(Bytes::from(sent.clone()))).unwrap();
        let response = client.request(request).await.unwrap();
        assert!(response.into_body().collect().await.unwrap().to_bytes() == sent);
    });
}
