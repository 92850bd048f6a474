//! Functions in Rust that QuickJS calls as it calls its own.

use std::ffi::{CStr, c_int};
use std::ptr::NonNull;

use rquickjs::{Ctx, Error, Exception, Function, Result, Value, qjs};

use crate::Local;

/// A function of [`native_function`]. A panic ends the process. [`Error::Exception`] means that it has thrown;
/// other errors are thrown with their text.
pub trait NativeFunction:
    for<'a, 'js> Fn(&NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> + Copy + 'static
{
}

impl<F> NativeFunction for F where
    F: for<'a, 'js> Fn(&NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> + Copy + 'static
{
}

/// A call of a [`NativeFunction`]. The values are borrowed from the caller.
pub struct NativeCall<'a, 'js> {
    ctx: &'a Ctx<'js>,
    this: qjs::JSValue,
    args: &'a [qjs::JSValue],
}

impl<'a, 'js> NativeCall<'a, 'js> {
    /// The context of the caller.
    #[must_use]
    #[inline]
    pub fn ctx(&self) -> &'a Ctx<'js> {
        self.ctx
    }

    /// The number of arguments that were passed.
    #[must_use]
    #[inline]
    pub fn count(&self) -> usize {
        self.args.len()
    }

    /// The object whose method was called.
    #[must_use]
    #[inline]
    pub fn this(&self) -> Local<'a, 'js> {
        // SAFETY: the caller owns the value during the call.
        unsafe { Local::duplicate(self.ctx, self.this) }
    }

    /// An argument. One that was not passed is `undefined`.
    #[must_use]
    #[inline]
    pub fn arg(&self, index: usize) -> Local<'a, 'js> {
        let raw = self.args.get(index).copied().unwrap_or(qjs::JS_UNDEFINED);
        // SAFETY: the caller owns the value during the call.
        unsafe { Local::duplicate(self.ctx, raw) }
    }

    /// Calls a function with the passed arguments from the position `first`.
    ///
    /// # Errors
    /// If the function throws.
    #[inline]
    pub fn forward(
        &self,
        function: &Local<'a, 'js>,
        this: &Local<'a, 'js>,
        first: usize,
    ) -> Result<Local<'a, 'js>> {
        function.call_raw(this, self.args.get(first..).unwrap_or_default())
    }
}

/// Creates a function of JavaScript. It has a frame in the stacks of errors, like all functions of the
/// engine, and cannot be called with `new`.
///
/// ```
/// use mauve_quickjs::{Local, NativeCall, native_function};
/// use rquickjs::{Context, Result, Runtime};
///
/// fn last<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
///     Ok(call.arg(call.count().saturating_sub(1)))
/// }
/// let runtime = Runtime::new()?;
/// let text: String = Context::full(&runtime)?.with(|ctx| {
///     ctx.globals().set("last", native_function(&ctx, c"last", 1, last)?)?;
///     ctx.eval("`${last(1, 2, 3)} ${last()} ${last.name} ${last.length}`")
/// })?;
/// assert_eq!(text, "3 undefined last 1");
/// # Ok::<(), rquickjs::Error>(())
/// ```
///
/// # Errors
/// If there is no memory left.
pub fn native_function<'js, F: NativeFunction>(
    ctx: &Ctx<'js>,
    name: &CStr,
    length: u8,
    _function: F,
) -> Result<Function<'js>> {
    const { assert!(size_of::<F>() == 0, "the function must not capture anything") };
    let (name, length) = (name.as_ptr(), c_int::from(length));
    let kind = qjs::JSCFunctionEnum_JS_CFUNC_generic;
    // SAFETY: the context exists. The name is copied. `call` has the type that QuickJS requires for this
    // kind, and is never freed. The new value is owned by `Value`.
    let value = unsafe {
        let context = ctx.as_raw().as_ptr();
        let function = qjs::JS_NewCFunction2(context, Some(call::<F>), name, length, kind, 0);
        if qjs::JS_IsException(function) {
            return Err(Error::Exception);
        }
        Value::from_raw(ctx.clone(), function)
    };
    value.get()
}

unsafe extern "C" fn call<F: NativeFunction>(
    ctx: *mut qjs::JSContext,
    this: qjs::JSValue,
    argc: c_int,
    argv: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: QuickJS calls this in the thread that has locked the runtime, with a valid context and `argc`
    // values, which the caller owns during the call. If there are none, `argv` may be null.
    let (ctx, args) = unsafe {
        let ctx = Ctx::from_raw(NonNull::new_unchecked(ctx));
        (ctx, if argc <= 0 { &[][..] } else { std::slice::from_raw_parts(argv, argc as usize) })
    };
    // SAFETY: the type has no size, so a value has no bytes, and any aligned address is one of a value. The
    // caller of `native_function` had one, which could be copied.
    let function = unsafe { NonNull::<F>::dangling().as_ref() };
    match function(&NativeCall { ctx: &ctx, this, args }) {
        Ok(value) => value.into_raw(),
        Err(Error::Exception) => qjs::JS_EXCEPTION,
        Err(other) => {
            Exception::throw_message(&ctx, &other.to_string());
            qjs::JS_EXCEPTION
        }
    }
}
