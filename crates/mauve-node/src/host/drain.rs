//! The way into JavaScript, and what runs after each callback.

use rquickjs::{Ctx, Error, Persistent, Result, Value};

use super::trace::Queue;
use super::{Call, Host};
use crate::queue::Between;

/// Something was thrown and has been reported: to a listener of the script, or else the process
/// is gone.
pub(super) struct Thrown;

impl Host {
    /// Enters JavaScript outside of the loop's phases, and then drains the queues.
    pub fn enter(&self, call: impl FnOnce(&Ctx<'_>) -> Result<()>) {
        self.with(|ctx| {
            // No callback follows that would see to the ticks, so they run even after a throw,
            // theirs included.
            let _ = self.attempt(ctx, call);
            while self.drain(ctx).is_err() {}
        });
    }

    /// Enters JavaScript from the loop: calls a function that a binding was given, with arguments
    /// made on the spot, and then drains the queues. After a throw they are left alone until the
    /// next callback, as in Node.
    pub fn call_back<A>(
        &self,
        callback: &Persistent<rquickjs::Function<'static>>,
        args: impl for<'js> FnOnce(&Ctx<'js>, &mut rquickjs::function::Args<'js>) -> Result<A>,
    ) {
        self.with(|ctx| {
            let call = |ctx: &Ctx<'_>| {
                let mut list = rquickjs::function::Args::new(ctx.clone(), 0);
                args(ctx, &mut list)?;
                callback.clone().restore(ctx)?.call_arg::<Value<'_>>(list)?;
                Ok(())
            };
            if let Some(trace) = &self.trace {
                trace.callback(ctx, self.lp.phase(), callback);
            }
            if self.attempt(ctx, call).is_ok() {
                let _ = self.drain(ctx);
            }
        });
    }

    /// Runs one of the script's functions.
    pub(super) fn invoke(
        &self,
        ctx: &Ctx<'_>,
        queue: Queue,
        call: Call,
    ) -> std::result::Result<(), Thrown> {
        if let Some(trace) = &self.trace {
            trace.call(ctx, self.lp.phase(), queue, &call);
        }
        self.attempt(ctx, |ctx| call.run(ctx))
    }

    fn attempt(
        &self,
        ctx: &Ctx<'_>,
        call: impl FnOnce(&Ctx<'_>) -> Result<()>,
    ) -> std::result::Result<(), Thrown> {
        call(ctx).map_err(|error| {
            self.report(ctx, error);
            Thrown
        })
    }

    /// Tells the script of an error that nobody caught. Does not return unless it listens.
    pub fn report(&self, ctx: &Ctx<'_>, error: Error) {
        let thrown = match error {
            Error::Exception => ctx.catch(),
            // Not thrown by the script: an argument of the wrong kind to a binding, say.
            other => {
                let _ = rquickjs::Exception::throw_message(ctx, &other.to_string());
                ctx.catch()
            }
        };
        self.hooks().uncaught(ctx, thrown, false);
    }

    /// Runs all ticks and all microtasks until there are none.
    pub(super) fn drain(&self, ctx: &Ctx<'_>) -> std::result::Result<(), Thrown> {
        loop {
            let next = self.layer.borrow_mut().between();
            let outcome = match next {
                Between::Tick(call) => self.invoke(ctx, Queue::Tick, call),
                Between::Microtask(call) => self.invoke(ctx, Queue::Microtask, call),
                Between::Checkpoint => {
                    self.run_microtasks(ctx);
                    Ok(())
                }
                Between::Rejections => self.tell_rejections(ctx).map(|told| {
                    if told {
                        self.layer.borrow_mut().begin_again();
                    }
                }),
                Between::Done => return Ok(()),
            };
            if outcome.is_err() {
                self.layer.borrow_mut().begin_again();
                return outcome;
            }
        }
    }

    /// Runs ticks and microtasks in the middle of a callback of the loop, for a callback that stands
    /// for several: those of Node run them after each.
    pub fn drain_within(&self, ctx: &Ctx<'_>) {
        // A throw has been reported.
        let _ = self.drain(ctx);
    }

    /// Runs the engine's own jobs, those of promises. They cannot throw: what they throw rejects
    /// a promise.
    pub fn run_microtasks(&self, ctx: &Ctx<'_>) {
        while ctx.execute_pending_job() {
            if let Some(trace) = &self.trace {
                trace.microtask(self.lp.phase());
            }
        }
    }

    /// Adds to the tick queue.
    pub fn next_tick(&self, call: Call) {
        self.layer.borrow_mut().tick(call);
    }
}
