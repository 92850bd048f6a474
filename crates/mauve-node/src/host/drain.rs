//! Calls into JavaScript, and the drain of the queues after each callback.

use mauve_core::trace;
use rquickjs::{Ctx, Error, Persistent, Result, Value};

use super::phase_lines::CallOrigin;
use super::{Call, Host};
use crate::queue::DrainStep;

/// An exception was thrown and has been reported to a listener of the script. Without a listener
/// the process has exited.
pub(super) struct Thrown;

/// Calls a function for its effects. Not inlined, because there are many callers.
#[inline(never)]
fn call_with<'js>(
    function: &rquickjs::Function<'js>,
    args: rquickjs::function::Args<'js>,
) -> Result<()> {
    function.call_arg::<Value<'_>>(args).map(drop)
}

impl Host {
    /// Calls JavaScript before the loop runs, and then drains the queues, even after an exception.
    pub fn enter(&self, call: impl FnOnce(&Ctx<'_>) -> Result<()>) {
        self.with(|ctx| {
            let _ = self.attempt(ctx, call);
            let _ = self.drain(ctx);
        });
    }

    /// Calls JavaScript, and then drains the queues. After an exception they are not drained until
    /// the next callback or check phase, as in Node.
    pub(super) fn call_then_drain(&self, call: impl FnOnce(&Ctx<'_>) -> Result<()>) {
        self.with(|ctx| {
            if self.attempt(ctx, call).is_ok() {
                let _ = self.drain(ctx);
            }
        });
    }

    /// Calls a callback of the script from the loop, and then drains the queues.
    pub fn call_back<A>(
        &self,
        callback: &Persistent<rquickjs::Function<'static>>,
        args: impl for<'js> FnOnce(&Ctx<'js>, &mut rquickjs::function::Args<'js>) -> Result<A>,
    ) {
        self.call_back_with(callback, |ctx, function| {
            let mut list = rquickjs::function::Args::new(ctx.clone(), 0);
            args(ctx, &mut list)?;
            call_with(&function, list)
        });
    }

    /// The same for a callback that `calls` calls as often as it needs.
    pub fn call_back_with(
        &self,
        callback: &Persistent<rquickjs::Function<'static>>,
        calls: impl for<'js> FnOnce(&Ctx<'js>, rquickjs::Function<'js>) -> Result<()>,
    ) {
        let mut calls = Some(calls);
        self.call_back_dyn(callback, &mut |ctx, function| match calls.take() {
            Some(calls) => calls(ctx, function),
            None => Ok(()),
        });
    }

    /// [`call_back_with`](Self::call_back_with), compiled once and not for each closure: the code that
    /// is inlined here is most of the time that this crate takes to compile.
    fn call_back_dyn(
        &self,
        callback: &Persistent<rquickjs::Function<'static>>,
        calls: &mut dyn for<'js> FnMut(&Ctx<'js>, rquickjs::Function<'js>) -> Result<()>,
    ) {
        self.call_then_drain(|ctx| {
            if let Some(trace) = &self.trace {
                trace.callback(ctx, self.lp.phase(), callback);
            }
            let function = callback.clone().restore(ctx)?;
            let recorded = self.begin_recorded(CallOrigin::Callback, || Ok(function.clone()));
            let called = calls(ctx, function);
            self.end_recorded(recorded);
            called
        });
    }

    /// Runs a deferred call, and reports its exception.
    pub(super) fn invoke(
        &self,
        ctx: &Ctx<'_>,
        origin: CallOrigin,
        call: Call,
    ) -> std::result::Result<(), Thrown> {
        self.attempt(ctx, |ctx| self.run_call(ctx, origin, call))
    }

    /// Runs a deferred call.
    pub(super) fn run_call(&self, ctx: &Ctx<'_>, origin: CallOrigin, call: Call) -> Result<()> {
        if let Some(trace) = &self.trace {
            trace.call(ctx, self.lp.phase(), origin, &call);
        }
        let recorded = self.begin_recorded(origin, || call.function(ctx));
        let called = call.run(ctx);
        self.end_recorded(recorded);
        called
    }

    fn attempt(
        &self,
        ctx: &Ctx<'_>,
        call: impl FnOnce(&Ctx<'_>) -> Result<()>,
    ) -> std::result::Result<(), Thrown> {
        if self.is_ending() {
            return Err(Thrown);
        }
        call(ctx).map_err(|error| self.report(ctx, error))
    }

    /// Reports an uncaught exception to the script. Without a listener the process exits.
    pub(super) fn report(&self, ctx: &Ctx<'_>, error: Error) -> Thrown {
        if self.is_ending() {
            // The error is the one that no script can catch.
            ctx.catch();
            self.lp.stop();
            return Thrown;
        }
        let thrown = match error {
            Error::Exception => ctx.catch(),
            // Not thrown by the script, for example an argument of a wrong type to a binding.
            other => {
                let _ = rquickjs::Exception::throw_message(ctx, &other.to_string());
                ctx.catch()
            }
        };
        self.hooks().uncaught_exception(ctx, thrown, false);
        Thrown
    }

    /// Runs ticks and microtasks until both queues are empty, or until one throws.
    pub(super) fn drain(&self, ctx: &Ctx<'_>) -> std::result::Result<(), Thrown> {
        loop {
            let next = self.ticks.borrow_mut().next_step();
            let outcome = match next {
                DrainStep::Tick(call) => self.invoke(ctx, CallOrigin::Tick, call),
                DrainStep::Microtasks => {
                    self.run_microtasks(ctx);
                    Ok(())
                }
                DrainStep::Rejections => self.process_rejections(ctx).map(|had_any| {
                    if had_any {
                        self.ticks.borrow_mut().restart_drain();
                    }
                }),
                DrainStep::Done => return Ok(()),
            };
            if outcome.is_err() {
                self.ticks.borrow_mut().restart_drain();
                return outcome;
            }
        }
    }

    /// Drains the queues within a callback of the loop, for one that corresponds to several
    /// callbacks of Node: Node drains after each of them.
    pub fn drain_within(&self, ctx: &Ctx<'_>) {
        // An exception has been reported.
        let _ = self.drain(ctx);
    }

    /// Runs the promise jobs of the engine. They cannot throw, because an exception rejects a
    /// promise.
    pub fn run_microtasks(&self, ctx: &Ctx<'_>) {
        let begin = trace::is_on().then(trace::now);
        let mut had_job = false;
        while !self.is_ending() && ctx.execute_pending_job() {
            had_job = true;
            if let Some(trace) = &self.trace {
                trace.microtask(self.lp.phase());
            }
            crate::binding::promise_hooks::after_job(ctx);
        }
        if had_job {
            // The last job may have been one of the hooks, whose promise has no reaction.
            crate::binding::promise_hooks::after_job(ctx);
            self.record_jobs(begin);
        }
    }

    /// The number of pending ticks.
    pub fn pending_ticks(&self) -> usize {
        self.ticks.borrow().len()
    }

    /// Adds to the tick queue.
    pub fn next_tick(&self, call: Call) {
        self.ticks.borrow_mut().push(call);
    }
}
