//! Calls that are stored until they run.

use std::ptr;

use rquickjs::{Ctx, Error, Exception, Function, Object, Result, Value, qjs};

use crate::{Local, NativeCall};

/// A function, its `this` and its arguments. Creating and running one allocates no memory for up to two
/// arguments.
///
/// ```
/// use mauve_quickjs::DeferredCall;
/// use rquickjs::{Context, Function, Object, Runtime, Value};
///
/// let runtime = Runtime::new()?;
/// Context::full(&runtime)?.with(|ctx| -> rquickjs::Result<()> {
///     let function: Function = ctx.eval("(function (a, b, c) { this.sum = a + b + c; })")?;
///     let this = Object::new(ctx.clone())?;
///     let args = [1, 2, 3].map(|number| Value::new_int(ctx.clone(), number));
///     let call = DeferredCall::new(function.clone(), Some(this.clone()), args);
///     let again = call.clone();
///     call.run(&ctx)?;
///     assert_eq!(this.get::<_, i32>("sum")?, 6);
///     assert_eq!(again.function(&ctx)?, function);
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
    pub fn new<'js>(
        function: Function<'js>,
        this: Option<Object<'js>>,
        args: impl IntoIterator<Item = Value<'js>>,
    ) -> Self {
        let ctx = function.ctx().clone();
        let owned = |value: Value<'js>| Local::new(&ctx, &value).into_raw();
        let mut args = args.into_iter().map(owned);
        let mut count = 0;
        let mut next = || args.next().inspect(|_| count += 1).unwrap_or(qjs::JS_UNDEFINED);
        let few = [next(), next()];
        let more: Vec<_> = args.collect();
        Self {
            // SAFETY: the context exists.
            runtime: unsafe { qjs::JS_GetRuntime(ctx.as_raw().as_ptr()) },
            function: owned(function.into_value()),
            this: this.map_or(qjs::JS_UNDEFINED, |this| owned(this.into_value())),
            few,
            count: count + more.len(),
            more,
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

    /// The function.
    ///
    /// # Errors
    /// If it belongs to another runtime.
    pub fn function<'js>(&self, ctx: &Ctx<'js>) -> Result<Function<'js>> {
        self.local(ctx, self.function)?.to_value().get()
    }

    /// The object `this`, if there is one.
    ///
    /// # Errors
    /// If it belongs to another runtime.
    pub fn this<'js>(&self, ctx: &Ctx<'js>) -> Result<Option<Object<'js>>> {
        Ok(self.local(ctx, self.this)?.to_value().into_object())
    }

    /// Calls the function.
    ///
    /// # Errors
    /// If it throws, or belongs to another runtime.
    pub fn run(self, ctx: &Ctx<'_>) -> Result<()> {
        let (function, this) = (self.local(ctx, self.function)?, self.local(ctx, self.this)?);
        if self.more.is_empty() {
            function.call_raw(&this, &self.few[..self.count])?;
        } else {
            function.call_raw(&this, &[&self.few, &self.more[..]].concat())?;
        }
        Ok(())
    }

    /// A value of this call.
    fn local<'a, 'js>(&self, ctx: &'a Ctx<'js>, value: qjs::JSValue) -> Result<Local<'a, 'js>> {
        // SAFETY: the context exists. The pointers are only compared. The value exists, and belongs to the
        // context's runtime if they are equal.
        unsafe {
            if ptr::eq(qjs::JS_GetRuntime(ctx.as_raw().as_ptr()), self.runtime) {
                return Ok(Local::duplicate(ctx, value));
            }
        }
        Exception::throw_message(ctx, "a call of another runtime");
        Err(Error::Exception)
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
