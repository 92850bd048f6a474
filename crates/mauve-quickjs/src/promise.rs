//! The promise hook of a runtime.

use std::ffi::c_void;
use std::ptr::{self, NonNull};

use rquickjs::promise::PromiseHookType;
use rquickjs::{Ctx, Value, qjs};

/// A function that QuickJS calls for the events of all promises: the event, the promise, and the promise
/// that `then` was called on, if there is one.
pub type PromiseHook = for<'js> fn(Ctx<'js>, PromiseHookType, Value<'js>, Value<'js>);

/// Sets the promise hook of the runtime, or removes it. Unlike that of rquickjs, this works while
/// JavaScript runs. It replaces a hook that was set with rquickjs.
///
/// ```
/// use std::cell::Cell;
///
/// use mauve_quickjs::set_promise_hook;
/// use rquickjs::{Context, Runtime};
///
/// thread_local!(static EVENTS: Cell<u32> = const { Cell::new(0) });
/// let runtime = Runtime::new()?;
/// Context::full(&runtime)?.with(|ctx| {
///     let create = || ctx.eval::<(), _>("new Promise(() => {})");
///     create()?;
///     set_promise_hook(&ctx, Some(|_, _, _, _| EVENTS.set(EVENTS.get() + 1)));
///     create()?;
///     set_promise_hook(&ctx, None);
///     create()
/// })?;
/// assert_eq!(EVENTS.get(), 1);
/// # Ok::<(), rquickjs::Error>(())
/// ```
pub fn set_promise_hook(ctx: &Ctx<'_>, hook: Option<PromiseHook>) {
    let opaque = hook.map_or(ptr::null_mut(), |hook| hook as *mut c_void);
    let called: qjs::JSPromiseHook = if hook.is_some() { Some(call_hook) } else { None };
    // SAFETY: the context exists, and so does its runtime. QuickJS stores the two pointers. `call_hook`
    // has the type that it requires, and only interprets `opaque`, which is a function and never freed.
    unsafe {
        let runtime = qjs::JS_GetRuntime(ctx.as_raw().as_ptr());
        qjs::JS_SetPromiseHook(runtime, called, opaque);
    }
}

unsafe extern "C" fn call_hook(
    ctx: *mut qjs::JSContext,
    event: qjs::JSPromiseHookType,
    promise: qjs::JSValue,
    parent: qjs::JSValue,
    opaque: *mut c_void,
) {
    let event = match event {
        qjs::JSPromiseHookType_JS_PROMISE_HOOK_INIT => PromiseHookType::Init,
        qjs::JSPromiseHookType_JS_PROMISE_HOOK_BEFORE => PromiseHookType::Before,
        qjs::JSPromiseHookType_JS_PROMISE_HOOK_AFTER => PromiseHookType::After,
        _ => PromiseHookType::Resolve,
    };
    // SAFETY: QuickJS passes the pointer that `set_promise_hook` has stored together with this function,
    // which is a `PromiseHook`. It calls this in the thread that has locked the runtime, with a valid
    // context and values that it keeps alive during the call. `Ctx` and `Value` count their own references.
    // All borrows of the runtime end with the call, since the hook is valid for any lifetime.
    unsafe {
        let hook = std::mem::transmute::<*mut c_void, PromiseHook>(opaque);
        let ctx = Ctx::from_raw(NonNull::new_unchecked(ctx));
        let owned =
            |value| Value::from_raw(ctx.clone(), qjs::JS_DupValue(ctx.as_raw().as_ptr(), value));
        let (promise, parent) = (owned(promise), owned(parent));
        hook(ctx, event, promise, parent);
    }
}
