//! What the host asks of the JavaScript side, and the rejections it tells it of.

use rquickjs::{Ctx, FromJs, Function, Object, Persistent, Result, Value};

use super::drain::Thrown;
use super::{Host, current};

/// Functions of the bootstrap module.
pub(crate) struct Hooks {
    start: Persistent<Function<'static>>,
    uncaught: Persistent<Function<'static>>,
    rejections: Persistent<Function<'static>>,
    before_exit: Persistent<Function<'static>>,
    exit: Persistent<Function<'static>>,
    pub resolve_import: Persistent<Function<'static>>,
    pub load_import: Persistent<Function<'static>>,
}

impl<'js> FromJs<'js> for Hooks {
    fn from_js(ctx: &Ctx<'js>, value: Value<'js>) -> Result<Self> {
        let object = Object::from_js(ctx, value)?;
        Ok(Self {
            start: object.get("start")?,
            uncaught: object.get("uncaughtException")?,
            rejections: object.get("rejections")?,
            before_exit: object.get("beforeExit")?,
            exit: object.get("exit")?,
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

    /// Tells of an error that nobody caught. Ends the process unless the script listens.
    pub fn uncaught<'js>(&self, ctx: &Ctx<'js>, error: Value<'js>, from_promise: bool) {
        let call = || self.uncaught.clone().restore(ctx)?.call::<_, ()>((error, from_promise));
        if call().is_err() {
            // The hook catches what the script's listeners throw. What is left is an engine
            // without memory or stack, which can run nothing any more.
            let thrown = ctx.catch();
            eprintln!("mauve: an error could not be reported: {thrown:?}");
            std::process::exit(7);
        }
    }

    pub fn before_exit(&self, ctx: &Ctx<'_>) -> Result<()> {
        self.before_exit.clone().restore(ctx)?.call(())
    }

    /// Tells of the end, and asks for the exit code.
    pub fn exit(&self, ctx: &Ctx<'_>) -> Result<i32> {
        self.exit.clone().restore(ctx)?.call(())
    }
}

/// A promise that was rejected without a handler, or that got its handler after that.
pub(super) struct Rejection {
    promise: Persistent<Value<'static>>,
    reason: Persistent<Value<'static>>,
    handled: bool,
}

/// The engine calls this the moment it happens; it is told when all microtasks have run, for by
/// then most promises have their handlers.
pub(super) fn note_rejection<'js>(
    ctx: Ctx<'js>,
    promise: Value<'js>,
    reason: Value<'js>,
    handled: bool,
) {
    let rejection = Rejection {
        promise: Persistent::save(&ctx, promise),
        reason: Persistent::save(&ctx, reason),
        handled,
    };
    current().rejections.borrow_mut().push(rejection);
}

impl Host {
    /// Hands the rejections to the JavaScript side, which may emit events or throw. Returns whether
    /// there were any.
    pub(super) fn tell_rejections(&self, ctx: &Ctx<'_>) -> std::result::Result<bool, Thrown> {
        let rejections = std::mem::take(&mut *self.rejections.borrow_mut());
        if rejections.is_empty() {
            return Ok(false);
        }
        let tell = || {
            let list = rquickjs::Array::new(ctx.clone())?;
            for (place, rejection) in rejections.into_iter().enumerate() {
                list.set(place * 3, rejection.promise)?;
                list.set(place * 3 + 1, rejection.reason)?;
                list.set(place * 3 + 2, rejection.handled)?;
            }
            self.hooks().rejections.clone().restore(ctx)?.call::<_, ()>((list,))
        };
        tell().map(|()| true).map_err(|error| {
            self.report(ctx, error);
            Thrown
        })
    }
}
