//! A deferred call of a function of the script.

use rquickjs::function::Args;
use rquickjs::{Ctx, Function, Object, Persistent, Result, Value};

/// A function, its `this` and its arguments.
#[derive(Clone)]
pub(crate) struct Call {
    function: Persistent<Function<'static>>,
    this: Option<Persistent<Object<'static>>>,
    args: Vec<Persistent<Value<'static>>>,
}

impl Call {
    pub fn new<'js>(
        function: Function<'js>,
        this: Option<Object<'js>>,
        args: impl IntoIterator<Item = Value<'js>>,
    ) -> Self {
        let ctx = function.ctx().clone();
        let args = args.into_iter().map(|arg| Persistent::save(&ctx, arg)).collect();
        let this = this.map(|this| Persistent::save(&ctx, this));
        Self { function: Persistent::save(&ctx, function), this, args }
    }

    pub fn function<'js>(&self, ctx: &Ctx<'js>) -> Result<Function<'js>> {
        self.function.clone().restore(ctx)
    }

    pub fn this<'js>(&self, ctx: &Ctx<'js>) -> Option<Object<'js>> {
        self.this.clone()?.restore(ctx).ok()
    }

    pub fn run(self, ctx: &Ctx<'_>) -> Result<()> {
        let mut args = Args::new(ctx.clone(), self.args.len());
        if let Some(this) = self.this {
            args.this(this.restore(ctx)?)?;
        }
        for arg in self.args {
            args.push_arg(arg.restore(ctx)?)?;
        }
        self.function.restore(ctx)?.call_arg::<Value<'_>>(args)?;
        Ok(())
    }
}
