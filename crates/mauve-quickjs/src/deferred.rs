//! Calls that are stored until they run.

use std::ptr;

use rquickjs::{Ctx, Error, Exception, Result, qjs};

use crate::{Local, NativeCall};

/// A function, its `this` and its arguments. Creating and running one allocates no memory for up to two
/// arguments.
///
/// ```
/// use mauve_quickjs::{DeferredCall, Local};
/// use rquickjs::{Context, Runtime, Value};
///
/// let runtime = Runtime::new()?;
/// Context::full(&runtime)?.with(|ctx| -> rquickjs::Result<()> {
///     let value: Value = ctx.eval("(function (a, b, c) { return this + a + b + c; })")?;
///     let [one, two] = [1.0, 2.0].map(|number| Local::number(&ctx, number));
///     let function = Local::new(&ctx, &value);
///     let call = DeferredCall::new(&function, Some(&one), &[&one, &two, &two]);
///     let again = call.clone();
///     assert_eq!(call.run(&ctx)?.to_number()?, 6.0);
///     assert!(again.function(&ctx)?.is_same_object(&function));
///     Ok(())
/// })?;
/// # Ok::<(), rquickjs::Error>(())
/// ```
///
/// It must be dropped before its runtime.
pub struct DeferredCall {
    runtime: *mut qjs::JSRuntime,
    // All values are owned: they count references.
    function: qjs::JSValue,
    this: qjs::JSValue,
    few: [qjs::JSValue; 2],
    /// The arguments after the first two.
    more: Vec<qjs::JSValue>,
    count: usize,
}

impl DeferredCall {
    /// Stores a call.
    #[must_use]
    pub fn new(
        function: &Local<'_, '_>,
        this: Option<&Local<'_, '_>>,
        args: &[&Local<'_, '_>],
    ) -> Self {
        let owned = |value: &&Local<'_, '_>| (*value).clone().into_raw();
        let arg = |index: usize| args.get(index).map_or(qjs::JS_UNDEFINED, owned);
        Self {
            // SAFETY: the context exists.
            runtime: unsafe { qjs::JS_GetRuntime(function.ctx().as_raw().as_ptr()) },
            function: owned(&function),
            this: this.map_or(qjs::JS_UNDEFINED, |this| owned(&this)),
            few: [arg(0), arg(1)],
            more: args.iter().skip(2).map(owned).collect(),
            count: args.len(),
        }
    }

    /// Stores the call of the first argument with the arguments after it.
    #[must_use]
    pub fn of_first_argument(call: &NativeCall<'_, '_>) -> Self {
        let arg = |index| call.arg(index).into_raw();
        Self {
            // SAFETY: the context exists.
            runtime: unsafe { qjs::JS_GetRuntime(call.ctx().as_raw().as_ptr()) },
            function: arg(0),
            this: qjs::JS_UNDEFINED,
            few: [arg(1), arg(2)],
            more: (3..call.count()).map(arg).collect(),
            count: call.count().saturating_sub(1),
        }
    }

    fn check(&self, ctx: &Ctx<'_>) -> Result<()> {
        // SAFETY: the context exists. The pointers are only compared.
        if ptr::eq(unsafe { qjs::JS_GetRuntime(ctx.as_raw().as_ptr()) }, self.runtime) {
            return Ok(());
        }
        Exception::throw_message(ctx, "a call of another runtime");
        Err(Error::Exception)
    }

    /// The function.
    ///
    /// # Errors
    /// If it belongs to another runtime.
    pub fn function<'a, 'js>(&self, ctx: &'a Ctx<'js>) -> Result<Local<'a, 'js>> {
        self.check(ctx)?;
        // SAFETY: the value exists, and belongs to the context's runtime.
        Ok(unsafe { Local::duplicate(ctx, self.function) })
    }

    /// The value of `this`.
    ///
    /// # Errors
    /// If it belongs to another runtime.
    pub fn this<'a, 'js>(&self, ctx: &'a Ctx<'js>) -> Result<Local<'a, 'js>> {
        self.check(ctx)?;
        // SAFETY: the value exists, and belongs to the context's runtime.
        Ok(unsafe { Local::duplicate(ctx, self.this) })
    }

    /// Calls the function.
    ///
    /// # Errors
    /// If it throws, or belongs to another runtime.
    pub fn run<'a, 'js>(&self, ctx: &'a Ctx<'js>) -> Result<Local<'a, 'js>> {
        let (function, this) = (self.function(ctx)?, self.this(ctx)?);
        if self.more.is_empty() {
            return function.call_raw(&this, &self.few[..self.count]);
        }
        function.call_raw(&this, &[&self.few, &self.more[..]].concat())
    }

    fn values(&self) -> impl Iterator<Item = qjs::JSValue> {
        [self.function, self.this].into_iter().chain(self.few).chain(self.more.iter().copied())
    }
}

impl Clone for DeferredCall {
    fn clone(&self) -> Self {
        for value in self.values() {
            // SAFETY: the runtime and the value exist. The new references are owned by the result.
            unsafe { qjs::JS_DupValueRT(self.runtime, value) };
        }
        Self { more: self.more.clone(), ..*self }
    }
}

impl Drop for DeferredCall {
    fn drop(&mut self) {
        for value in self.values() {
            // SAFETY: the runtime exists, since it is dropped later. The values own their references.
            unsafe { qjs::JS_FreeValueRT(self.runtime, value) };
        }
    }
}
