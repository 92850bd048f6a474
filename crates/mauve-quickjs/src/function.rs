//! Functions in Rust that QuickJS calls as it calls its own.

use std::ffi::{CStr, c_int};
use std::ptr::NonNull;

use rquickjs::{Ctx, Error, Exception, Function, Result, Value, qjs};

/// A function of [`native_function`].
pub trait NativeFunction {
    /// The property `name`.
    const NAME: &'static CStr;

    /// The property `length`.
    const LENGTH: u8;

    /// Calls the function, with at least `LENGTH` arguments. A panic ends the process.
    ///
    /// # Errors
    /// [`Error::Exception`] if it has thrown. Other errors are thrown with their text.
    fn call<'js>(ctx: &Ctx<'js>, args: &[Value<'js>]) -> Result<Value<'js>>;
}

/// Creates a function of JavaScript. It has a frame in the stacks of errors, like all functions of the
/// engine, and cannot be called with `new`.
///
/// ```
/// use std::ffi::CStr;
///
/// use mauve_quickjs::{NativeFunction, native_function};
/// use rquickjs::{Context, Ctx, Result, Runtime, Value};
///
/// struct Last;
/// impl NativeFunction for Last {
///     const NAME: &CStr = c"last";
///     const LENGTH: u8 = 1;
///
///     fn call<'js>(_: &Ctx<'js>, args: &[Value<'js>]) -> Result<Value<'js>> {
///         Ok(args[args.len() - 1].clone())
///     }
/// }
/// let runtime = Runtime::new()?;
/// let text: String = Context::full(&runtime)?.with(|ctx| {
///     ctx.globals().set("last", native_function::<Last>(&ctx)?)?;
///     ctx.eval("`${last(1, 2, 3)} ${last()} ${last.name} ${last.length}`")
/// })?;
/// assert_eq!(text, "3 undefined last 1");
/// # Ok::<(), rquickjs::Error>(())
/// ```
///
/// # Errors
/// If there is no memory left.
pub fn native_function<'js, F: NativeFunction>(ctx: &Ctx<'js>) -> Result<Function<'js>> {
    let (name, length) = (F::NAME.as_ptr(), c_int::from(F::LENGTH));
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
    _this: qjs::JSValue,
    argc: c_int,
    argv: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: QuickJS calls this in the thread that has locked the runtime, with a valid context. There are
    // `argc` values, followed by `undefined` until there are as many as the length of the function.
    let (ctx, args) = unsafe {
        let length = (argc as usize).max(usize::from(F::LENGTH));
        let ctx = Ctx::from_raw(NonNull::new_unchecked(ctx));
        (ctx, std::slice::from_raw_parts(argv, length))
    };
    // SAFETY: the caller owns the values during the call. Each `Value` counts its own reference.
    let owned = |value: &qjs::JSValue| unsafe {
        Value::from_raw(ctx.clone(), qjs::JS_DupValue(ctx.as_raw().as_ptr(), *value))
    };
    let args: Vec<_> = args.iter().map(owned).collect();
    match F::call(&ctx, &args) {
        // SAFETY: the caller owns the returned value, whose reference is counted here.
        Ok(value) => unsafe { qjs::JS_DupValue(ctx.as_raw().as_ptr(), value.as_raw()) },
        Err(Error::Exception) => qjs::JS_EXCEPTION,
        Err(other) => {
            Exception::throw_message(&ctx, &other.to_string());
            qjs::JS_EXCEPTION
        }
    }
}
