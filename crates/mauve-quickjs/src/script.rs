//! Scripts that are compiled, and not run.

use std::ffi::CString;

use rquickjs::{Ctx, Error, Result, qjs};

/// Throws the error of a script whose syntax is wrong.
///
/// # Errors
/// If the syntax is wrong, or if a text has a NUL byte.
pub fn check_script(ctx: &Ctx<'_>, text: String, filename: String) -> Result<()> {
    let (text, filename) = (CString::new(text)?, CString::new(filename)?);
    let flags = qjs::JS_EVAL_TYPE_GLOBAL | qjs::JS_EVAL_FLAG_COMPILE_ONLY;
    // SAFETY: the context is valid, and both texts end with a NUL byte that the length does not count.
    let compiled = unsafe {
        let raw = ctx.as_raw().as_ptr();
        let (start, length) = (text.as_ptr(), text.as_bytes().len() as qjs::size_t);
        qjs::JS_Eval(raw, start, length, filename.as_ptr(), flags as i32)
    };
    // SAFETY: the result has a reference, which nothing else drops.
    unsafe {
        if qjs::JS_IsException(compiled) {
            return Err(Error::Exception);
        }
        qjs::JS_FreeValue(ctx.as_raw().as_ptr(), compiled);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rquickjs::{Context, Runtime};

    use super::check_script;

    #[test]
    fn a_script_is_compiled_and_not_run() {
        let runtime = Runtime::new().expect("a runtime");
        Context::full(&runtime).expect("a context").with(|ctx| {
            let check = |text: &str| check_script(&ctx, text.to_owned(), "x.js".to_owned());
            check("globalThis.ran = true; const { a } = {};").expect("it compiles");
            assert!(!ctx.globals().contains_key("ran").expect("an object"));
            assert!(check("const a = ;").is_err_and(|error| error.is_exception()));
            ctx.catch();
            assert!(check("nul\0byte").is_err());
        });
    }
}
