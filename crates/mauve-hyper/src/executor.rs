//! hyper's executor.

use std::future::Future;

use hyper::rt::Executor;

/// Spawns hyper's tasks on the loop that runs on this thread. HTTP/2 needs an executor.
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
