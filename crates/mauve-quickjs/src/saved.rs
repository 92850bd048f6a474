//! Values that exist as long as their runtime.

use std::ptr;

use rquickjs::{Ctx, Error, Exception, Result, qjs};

use crate::Local;

/// A value that is never released. The runtime must not be dropped after it was saved.
///
/// A `Persistent` of rquickjs can be released, but getting its value counts two references, and checks its
/// type.
///
/// ```
/// use mauve_quickjs::{Kind, Local, SavedValue};
/// use rquickjs::{Context, Runtime, Value};
///
/// let runtime = Runtime::new()?;
/// Context::full(&runtime)?.with(|ctx| -> rquickjs::Result<()> {
///     let value: Value = ctx.eval("(a) => a + 1")?;
///     let saved = SavedValue::new(&Local::new(&ctx, &value));
///     let one = Local::number(&ctx, 1.0);
///     let sum = saved.get(&ctx)?.call(&Local::undefined(&ctx), &[&one])?;
///     assert_eq!(sum.kind(), Kind::Int(2));
///     Ok(())
/// })?;
/// std::mem::forget(runtime);
/// # Ok::<(), rquickjs::Error>(())
/// ```
pub struct SavedValue {
    raw: qjs::JSValue,
    runtime: *mut qjs::JSRuntime,
}

impl SavedValue {
    /// Saves a value.
    #[must_use]
    pub fn new(value: &Local<'_, '_>) -> Self {
        // SAFETY: the context exists.
        let runtime = unsafe { qjs::JS_GetRuntime(value.ctx().as_raw().as_ptr()) };
        Self { raw: value.clone().into_raw(), runtime }
    }

    /// The value.
    ///
    /// # Errors
    /// If it was saved in another runtime.
    #[inline]
    pub fn get<'a, 'js>(&self, ctx: &'a Ctx<'js>) -> Result<Local<'a, 'js>> {
        // SAFETY: the context exists. The pointers are only compared. The value of the same runtime exists,
        // because it is not released.
        unsafe {
            if ptr::eq(qjs::JS_GetRuntime(ctx.as_raw().as_ptr()), self.runtime) {
                return Ok(Local::duplicate(ctx, self.raw));
            }
        }
        Exception::throw_message(ctx, "a value of another runtime");
        Err(Error::Exception)
    }
}
