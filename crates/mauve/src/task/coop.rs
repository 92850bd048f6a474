//! Futures of other crates spend the budget of their task.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use pin_project_lite::pin_project;

use crate::core::with_current;

/// Makes a future count as an operation of its task, as those of this crate do. See
/// [the limits of a poll](crate::spawn#limits).
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// use std::time::Duration;
///
/// let sleep = mauve::spawn(mauve::sleep(Duration::from_millis(1)));
/// // A future that is always ready: a full channel of another crate, say.
/// while !sleep.is_finished() {
///     mauve::cooperative(std::future::ready(())).await;
/// }
/// # Ok(())
/// # }
/// ```
pub fn cooperative<F: Future>(future: F) -> Cooperative<F> {
    Cooperative { future }
}

/// Counts as an operation of the task: yields to the loop if the task has used its budget. See
/// [the limits of a poll](crate::spawn#limits). For long computations that have points to stop at.
///
/// # Cancel safety
/// Nothing is lost if the future is dropped.
pub async fn consume_budget() {
    poll_fn(|context| {
        ready!(poll_budget(context));
        spend();
        Poll::Ready(())
    })
    .await;
}

pin_project! {
    /// The future of [`cooperative`].
    #[derive(Debug)]
    #[must_use = "futures do nothing unless they are awaited"]
    pub struct Cooperative<F> {
        #[pin]
        future: F,
    }
}

impl<F: Future> Future for Cooperative<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        ready!(poll_budget(context));
        let output = ready!(self.project().future.poll(context));
        spend();
        Poll::Ready(output)
    }
}

/// Outside of a loop there is no budget.
fn poll_budget(context: &Context<'_>) -> Poll<()> {
    with_current(|core| core.executor.poll_budget(context)).unwrap_or(Poll::Ready(()))
}

fn spend() {
    with_current(|core| core.executor.spend_budget());
}
