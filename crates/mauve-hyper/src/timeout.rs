//! A time limit for the services of tower.

use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use mauve::{Elapsed, Sleep};
use pin_project_lite::pin_project;
use tower_layer::Layer;
use tower_service::Service;

/// A layer of tower: a request that takes longer fails with [`Elapsed`]. Needs the feature `server`.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let lp: mauve::Loop = mauve::Loop::new()?;
/// # lp.block_on(async {
/// use std::convert::Infallible;
/// use std::time::Duration;
/// use mauve_hyper::TimeoutLayer;
/// use tower::{ServiceBuilder, ServiceExt, service_fn};
///
/// let slow = service_fn(async |duration| {
///     mauve::sleep(duration).await;
///     Ok::<_, Infallible>("done")
/// });
/// let layer = TimeoutLayer::new(Duration::from_millis(20));
/// let service = ServiceBuilder::new().layer(layer).service(slow);
/// assert_eq!(service.clone().oneshot(Duration::ZERO).await.unwrap(), "done");
/// let error = service.oneshot(Duration::from_secs(60)).await.unwrap_err();
/// assert!(error.is::<mauve::Elapsed>());
/// # Ok(())
/// # })
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TimeoutLayer(Duration);

impl TimeoutLayer {
    /// A layer that limits requests to `timeout`.
    pub const fn new(timeout: Duration) -> Self {
        Self(timeout)
    }
}

impl<S> Layer<S> for TimeoutLayer {
    type Service = TimeoutService<S>;

    fn layer(&self, service: S) -> TimeoutService<S> {
        TimeoutService { service, timeout: self.0 }
    }
}

/// A service with a time limit: see [`TimeoutLayer`].
#[derive(Clone, Debug)]
pub struct TimeoutService<S> {
    service: S,
    timeout: Duration,
}

impl<R, S> Service<R> for TimeoutService<S>
where
    S: Service<R, Error: Into<Box<dyn Error + Send + Sync>>>,
{
    type Response = S::Response;
    type Error = Box<dyn Error + Send + Sync>;
    type Future = TimeoutFuture<S::Future>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.service.poll_ready(context).map_err(Into::into)
    }

    /// # Panics
    /// Panics if no loop runs on this thread.
    fn call(&mut self, request: R) -> Self::Future {
        let sleep = mauve::sleep(self.timeout);
        TimeoutFuture { future: self.service.call(request), sleep }
    }
}

pin_project! {
    /// The future of a [`TimeoutService`]. It is `Send` if that of the service is, and panics on another
    /// thread.
    #[derive(Debug)]
    pub struct TimeoutFuture<F> {
        #[pin]
        future: F,
        sleep: Sleep,
    }
}

impl<F, T, E> Future for TimeoutFuture<F>
where
    F: Future<Output = Result<T, E>>,
    E: Into<Box<dyn Error + Send + Sync>>,
{
    type Output = Result<T, Box<dyn Error + Send + Sync>>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        if let Poll::Ready(output) = this.future.poll(context) {
            return Poll::Ready(output.map_err(Into::into));
        }
        Pin::new(this.sleep).poll(context).map(|()| Err(Elapsed.into()))
    }
}
