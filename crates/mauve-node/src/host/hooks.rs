//! The functions of the bootstrap module that the host calls, and the unhandled rejections.

use rquickjs::{Ctx, FromJs, Function, Object, Persistent, Result, Value};

use super::drain::Thrown;
use super::{Host, current};

/// Functions of the bootstrap module.
pub(crate) struct Hooks {
    start: Persistent<Function<'static>>,
    uncaught_exception: Persistent<Function<'static>>,
    rejections: Persistent<Function<'static>>,
    before_exit: Persistent<Function<'static>>,
    exit: Persistent<Function<'static>>,
    exit_code: Persistent<Function<'static>>,
    pub resolve_import: Persistent<Function<'static>>,
    pub load_import: Persistent<Function<'static>>,
}

impl<'js> FromJs<'js> for Hooks {
    fn from_js(ctx: &Ctx<'js>, value: Value<'js>) -> Result<Self> {
        let object = Object::from_js(ctx, value)?;
        Ok(Self {
            start: object.get("start")?,
            uncaught_exception: object.get("uncaughtException")?,
            rejections: object.get("rejections")?,
            before_exit: object.get("beforeExit")?,
            exit: object.get("exit")?,
            exit_code: object.get("exitCode")?,
            resolve_import: object.get("resolveImport")?,
            load_import: object.get("loadImport")?,
        })
    }
}

impl Hooks {
    /// Loads the script.
    pub fn start(&self, ctx: &Ctx<'_>) -> Result<()> {
        self.start.clone().restore(ctx)?.call(())
    }

    /// Reports an uncaught exception. The process exits unless the script has a listener.
    pub fn uncaught_exception<'js>(&self, ctx: &Ctx<'js>, error: Value<'js>, from_promise: bool) {
        let call =
            || self.uncaught_exception.clone().restore(ctx)?.call::<_, ()>((error, from_promise));
        if call().is_err() {
            if current().is_ending() {
                // The error with which `process.exit` ends a worker.
                ctx.catch();
                return;
            }
            // The hook catches exceptions of listeners. It fails only if the engine is out of
            // memory or stack, and then no further code can run.
            let thrown = ctx.catch();
            eprintln!("mauve: an error could not be reported: {thrown:?}");
            std::process::exit(7);
        }
    }

    pub fn before_exit(&self, ctx: &Ctx<'_>) -> Result<()> {
        self.before_exit.clone().restore(ctx)?.call(())
    }

    /// Emits 'exit'.
    pub fn exit(&self, ctx: &Ctx<'_>) -> Result<()> {
        self.exit.clone().restore(ctx)?.call(())
    }

    pub fn exit_code(&self, ctx: &Ctx<'_>) -> Result<i32> {
        self.exit_code.clone().restore(ctx)?.call(())
    }
}

/// A promise that was rejected without a handler, or that got its handler after that.
pub(super) struct Rejection {
    promise: Persistent<Value<'static>>,
    reason: Persistent<Value<'static>>,
    handled: bool,
}

/// The engine calls this when a promise is rejected without a handler, and when it gets one later.
/// The rejections are processed after all microtasks, because most promises have handlers by then.
pub(super) fn on_rejection<'js>(
    ctx: Ctx<'js>,
    promise: Value<'js>,
    reason: Value<'js>,
    handled: bool,
) {
    let host = current();
    let mut rejections = host.rejections.borrow_mut();
    // The common case: the next statement adds the handler. Both reports are dropped.
    let last = rejections.last().filter(|last| handled && !last.handled);
    if last.is_some_and(|last| last.promise.clone().restore(&ctx).is_ok_and(|it| it == promise)) {
        rejections.pop();
        return;
    }
    let rejection = Rejection {
        promise: Persistent::save(&ctx, promise),
        reason: Persistent::save(&ctx, reason),
        handled,
    };
    rejections.push(rejection);
}

impl Host {
    /// Passes the rejections to JavaScript, which may emit events or throw. Returns whether there
    /// were any.
    pub(super) fn process_rejections(&self, ctx: &Ctx<'_>) -> std::result::Result<bool, Thrown> {
        let rejections = std::mem::take(&mut *self.rejections.borrow_mut());
        if rejections.is_empty() {
            return Ok(false);
        }
        let call_hook = || {
            let list = rquickjs::Array::new(ctx.clone())?;
            for (index, rejection) in rejections.into_iter().enumerate() {
                list.set(index * 3, rejection.promise)?;
                list.set(index * 3 + 1, rejection.reason)?;
                list.set(index * 3 + 2, rejection.handled)?;
            }
            self.hooks().rejections.clone().restore(ctx)?.call::<_, ()>((list,))
        };
        call_hook().map(|()| true).map_err(|error| self.report(ctx, error))
    }
}
