//! An interrupt handler with a context.

use rquickjs::{Context, Ctx, Error, Exception, qjs};

/// A function that QuickJS calls regularly while it executes JavaScript. Dropping this removes it.
///
/// ```
/// use std::cell::Cell;
/// use std::rc::Rc;
///
/// use mauve_quickjs::InterruptHandler;
/// use rquickjs::{Context, Runtime};
///
/// let runtime = Runtime::new()?;
/// let context = Context::full(&runtime)?;
/// context.with(|ctx| ctx.globals().set("answer", 42))?;
/// let seen = Rc::new(Cell::new(0));
/// let handler = InterruptHandler::set(&context, {
///     let seen = seen.clone();
///     move |ctx| {
///         seen.set(ctx.globals().get("answer").unwrap_or(-1));
///         false
///     }
/// });
/// context.with(|ctx| ctx.eval::<(), _>("for (let n = 0; n < 1e6; n++);"))?;
/// assert_eq!(seen.get(), 42);
/// drop(handler);
/// # Ok::<(), rquickjs::Error>(())
/// ```
pub struct InterruptHandler {
    /// Exists as long as the handler is set.
    context: Context,
}

impl InterruptHandler {
    /// Sets the function for the runtime of `context`, and replaces an earlier one. It gets `context`,
    /// even if another context of the runtime executes. It must not execute JavaScript. If it returns true,
    /// JavaScript ends with an error that no script can catch.
    ///
    /// # Panics
    /// If JavaScript of the runtime is being executed.
    pub fn set(context: &Context, handler: impl Fn(&Ctx<'_>) -> bool + 'static) -> Self {
        let context = context.clone();
        let raw = context.as_raw();
        let called = move || {
            // SAFETY: the context exists, because the `InterruptHandler` owns it and removes this function
            // before it is dropped. QuickJS calls this function while it executes JavaScript of the same
            // runtime, so this thread has locked the runtime. `Ctx` counts its own reference.
            let ctx = unsafe { Ctx::from_raw(raw) };
            handler(&ctx)
        };
        context.runtime().set_interrupt_handler(Some(Box::new(called)));
        Self { context }
    }
}

impl Drop for InterruptHandler {
    fn drop(&mut self) {
        self.context.runtime().set_interrupt_handler(None);
    }
}

/// Throws an error that no script can catch: the JavaScript that runs ends.
pub fn throw_uncatchable(ctx: &Ctx<'_>) -> Error {
    let error = Exception::from_message(ctx.clone(), "the script ends");
    let Ok(error) = error else { return Error::Exception };
    // SAFETY: the context and the object exist.
    unsafe { qjs::JS_SetUncatchableError(ctx.as_raw().as_ptr(), error.as_value().as_raw()) };
    ctx.throw(error.into_value())
}
