//! hyper's executor.

use std::future::Future;

use hyper::rt::Executor;

/// Spawns hyper's tasks on the loop that runs on this thread. HTTP/2 needs an executor.
///
/// ```
/// use hyper::server::conn::http2;
/// use mauve_hyper::{MauveExecutor, MauveTimer};
///
/// let mut builder = http2::Builder::new(MauveExecutor);
/// builder.timer(MauveTimer);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct MauveExecutor;

impl<F> Executor<F> for MauveExecutor
where
    F: Future + 'static,
    F::Output: 'static,
{
    /// # Panics
    /// Panics if no loop runs on this thread.
    fn execute(&self, future: F) {
        mauve::spawn(future);
    }
}
