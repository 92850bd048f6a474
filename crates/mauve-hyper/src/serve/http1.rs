//! A connection of HTTP/1: its time limit for heads, and its end at the shutdown.
//!
//! hyper starts a timer when it begins to wait for a head, and drops it when the head is complete. So the
//! timer that it gets says whether the connection waits for a head. One sleep per connection is enough to
//! limit that time: it is moved when it expires, not at each request.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use futures_io::{AsyncRead, AsyncWrite};
use hyper::body::{Body, Incoming};
use hyper::rt::{Sleep, Timer};
use hyper::server::conn::http1;
use hyper::service::HttpService;

use mauve::ThreadBound;

use super::{BoxError, ShutdownWaiter};
use crate::MauveIo;
use crate::bound_io::impl_bound_io;

thread_local! {
    /// Until when the connection that is being polled waits for the rest of a head, if it does.
    static HEAD_DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Serves a connection until it ends. At the shutdown it ends after the response to the request in
/// progress, or at once if no head is complete. An upgraded connection belongs to the service.
pub(super) async fn serve<T, S, B>(
    io: MauveIo<T>,
    service: S,
    mut shutdown: ShutdownWaiter,
    header_timeout: Duration,
) where
    T: AsyncRead + AsyncWrite + Unpin + 'static,
    S: HttpService<Incoming, ResBody = B, Error: Into<BoxError>>,
    B: Body<Error: Into<BoxError>> + 'static,
{
    let mut server = http1::Builder::new();
    server.timer(HeadTimer).header_read_timeout(header_timeout);
    let io = UpgradableIo(ThreadBound::new(io));
    let mut connection = pin!(server.serve_connection(io, service).with_upgrades());
    let mut requested = false;
    let mut limit: Option<mauve::Sleep> = None;
    poll_fn(|context| {
        if !requested && shutdown.poll(context).is_ready() {
            requested = true;
            connection.as_mut().graceful_shutdown();
        }
        // A service may poll another connection.
        let outer = HEAD_DEADLINE.replace(None);
        let polled = connection.as_mut().poll(context);
        let deadline = HEAD_DEADLINE.replace(outer);
        if polled.is_ready() {
            return Poll::Ready(());
        }
        let Some(deadline) = deadline else { return Poll::Pending };
        // hyper has sent the response to the request before.
        if requested {
            return Poll::Ready(());
        }
        let limit = limit.get_or_insert_with(|| mauve::time::sleep_until(deadline.into()));
        while Pin::new(&mut *limit).poll(context).is_ready() {
            if limit.deadline() >= deadline.into() {
                return Poll::Ready(());
            }
            limit.reset(deadline.into());
        }
        Poll::Pending
    })
    .await;
}

/// A connection that hyper can hand over after an upgrade, for which it requires `Send`.
struct UpgradableIo<T>(ThreadBound<MauveIo<T>>);

impl_bound_io!(UpgradableIo<T>, T);

/// Marks that a connection waits for a head.
struct HeadTimer;

impl Timer for HeadTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        Box::pin(HeadSleep(deadline))
    }

    fn now(&self) -> Instant {
        mauve::time::Instant::now().into_std()
    }
}

/// hyper polls it when it has polled for the rest of a head. It never completes: [`serve`] ends the
/// connection.
struct HeadSleep(Instant);

impl Future for HeadSleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        HEAD_DEADLINE.set(Some(self.0));
        Poll::Pending
    }
}

impl Sleep for HeadSleep {}
