//! Sleeping, and time limits for futures.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use mauve_core::HandleId;

use crate::core::{Core, future_token};
use crate::handle::whole_millis;

/// A future that completes when its duration has elapsed. Dropping it stops its timer.
#[must_use = "futures do nothing unless they are awaited"]
pub struct Sleep {
    core: Rc<Core>,
    timer: HandleId,
    key: usize,
}

impl Sleep {
    pub(crate) fn new(core: Rc<Core>, duration: Duration) -> Self {
        let key = core.futures.reserve();
        let timer = core.engine(|engine| {
            // A task may have computed for long: count from now, not from the cached time.
            engine.update_time();
            let timer = engine.open_timer(future_token(key));
            let started =
                engine.timer(timer).expect("just opened").start(whole_millis(duration), 0);
            started.expect("an open timer can be started");
            timer
        });
        Self { core, timer, key }
    }
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let Core { futures, executor, .. } = &*self.core;
        match futures.poll(self.key, context, executor, |_| ()) {
            Some(()) => Poll::Ready(()),
            None => Poll::Pending,
        }
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        // The close completion is the last one and frees the slot.
        self.core.futures.detach(self.key);
        self.core.try_engine(|engine| engine.close_handle(self.timer));
    }
}

/// The error of [`timeout`](crate::timeout): the duration elapsed before the future completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elapsed;

impl std::fmt::Display for Elapsed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("deadline has elapsed")
    }
}

impl std::error::Error for Elapsed {}

/// A future with a time limit.
#[must_use = "futures do nothing unless they are awaited"]
pub struct Timeout<F> {
    future: Pin<Box<F>>,
    sleep: Sleep,
}

impl<F: Future> Timeout<F> {
    pub(crate) fn new(core: Rc<Core>, duration: Duration, future: F) -> Self {
        Self { future: Box::pin(future), sleep: Sleep::new(core, duration) }
    }
}

impl<F: Future> Future for Timeout<F> {
    type Output = Result<F::Output, Elapsed>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if let Poll::Ready(output) = self.future.as_mut().poll(context) {
            return Poll::Ready(Ok(output));
        }
        Pin::new(&mut self.sleep).poll(context).map(|()| Err(Elapsed))
    }
}
