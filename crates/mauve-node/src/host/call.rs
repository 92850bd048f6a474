//! A deferred call of a function of the script.

use mauve_quickjs::{DeferredCall, Kind, Local, NativeCall};
use rquickjs::{Ctx, Function, Object, Result, Value};

/// A function, its `this` and its arguments.
#[derive(Clone)]
pub(crate) struct Call(DeferredCall);

impl Call {
    pub fn new<'js>(
        function: Function<'js>,
        this: Option<Object<'js>>,
        args: impl IntoIterator<Item = Value<'js>>,
    ) -> Self {
        let ctx = function.ctx();
        let args: Vec<_> = args.into_iter().map(|arg| Local::new(ctx, &arg)).collect();
        let this = this.map(|this| Local::new(ctx, this.as_value()));
        let function = Local::new(ctx, function.as_value());
        Self(DeferredCall::new(&function, this.as_ref(), &args.iter().collect::<Vec<_>>()))
    }

    /// The call of a function with one argument.
    pub fn with_argument(function: &Local<'_, '_>, arg: &Local<'_, '_>) -> Self {
        Self(DeferredCall::new(function, None, &[arg]))
    }

    /// The call of the first argument with the arguments after it.
    pub fn of_first_argument(call: &NativeCall<'_, '_>) -> Self {
        Self(DeferredCall::of_first_argument(call))
    }

    pub fn function<'js>(&self, ctx: &Ctx<'js>) -> Result<Function<'js>> {
        self.0.function(ctx)?.to_value().get()
    }

    pub fn this<'js>(&self, ctx: &Ctx<'js>) -> Option<Object<'js>> {
        let this = self.0.this(ctx).ok()?;
        if this.kind() == Kind::Object { this.to_value().get().ok() } else { None }
    }

    pub fn run(self, ctx: &Ctx<'_>) -> Result<()> {
        self.0.run(ctx)?;
        Ok(())
    }
}
